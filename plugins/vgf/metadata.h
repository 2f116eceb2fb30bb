/* metadata.h -- what the metadata of a VGF event says.
 *
 * The answer is that of parse_vgf_neural_statistics_delegate_metadata, which
 * ExecuTorch's Inspector.get_vgf_neural_statistics() is made of: a list with one
 * dict for each run that logged statistics. The columns are sizes: what is in the
 * blobs is the driver's. */
#ifndef VGF_METADATA_H
#define VGF_METADATA_H

#include <etcore/plugin.h>

extern const struct etcore_column *const vgf_columns[];

etcore_result vgf_parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                 const struct etcore_sink *out);

#endif
