/* metadata.h -- the values in a shader's id as columns. The metadata itself is always empty. */
#ifndef PLUGINS_VULKAN_METADATA_H
#define PLUGINS_VULKAN_METADATA_H

#include <etcore/plugin.h>

extern const struct etcore_column *const vulkan_columns[];

etcore_result vulkan_parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out);

#endif
