/* metadata.h -- the JSON object that Core ML's runtime logs with every event.
 *
 * ETCoreMLOperationProfilingInfo.mm writes the object. The columns made from it are those of
 * ExecuTorch's parse_coreml_delegate_metadata (inspector_utils.py). */
#ifndef PLUGINS_COREML_METADATA_H
#define PLUGINS_COREML_METADATA_H

#include "json.h"

extern const struct etcore_column *const coreml_columns[];

/* The hook parse_metadata. Only the metadata of the first run are used. If they are not JSON, there
 * are no columns. If they are JSON, but not an object, the result is ETCORE_CORRUPT, because the
 * Python function raises AttributeError. */
etcore_result coreml_parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out);

#endif
