/* metadata.h -- reads the metadata of a VGF event.
 *
 * The answer is that of parse_vgf_neural_statistics_delegate_metadata, on which ExecuTorch's
 * Inspector.get_vgf_neural_statistics() is based: a list with one dict for each run that logged
 * statistics. The columns are sizes; the contents of the blobs are private to the driver. */
#ifndef PLUGINS_VGF_METADATA_H
#define PLUGINS_VGF_METADATA_H

#include <etcore/plugin.h>

extern const struct etcore_column *const vgf_columns[];

etcore_result vgf_parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                 const struct etcore_sink *out);

#endif
