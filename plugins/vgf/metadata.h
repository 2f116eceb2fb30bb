/* metadata.h -- reads the metadata of a VGF event.
 *
 * The answer is that of parse_vgf_neural_statistics_delegate_metadata, the Python parser behind
 * ExecuTorch's Inspector.get_vgf_neural_statistics(): a list with one dict for each run that logged
 * statistics. The columns are the sizes of blobs, because only the driver can interpret their
 * contents. */
#ifndef PLUGINS_VGF_METADATA_H
#define PLUGINS_VGF_METADATA_H

#include <etcore/plugin.h>

extern const struct etcore_column *const vgf_columns[];

etcore_result vgf_parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                 const struct etcore_sink *out);

#endif
