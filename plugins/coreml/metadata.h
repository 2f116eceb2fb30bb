/* metadata.h -- the JSON object that Core ML's runtime logs with every event.
 *
 * Written by ETCoreMLOperationProfilingInfo.mm; the columns are those of
 * ExecuTorch's parse_coreml_delegate_metadata (inspector_utils.py). */
#ifndef PLUGINS_COREML_METADATA_H
#define PLUGINS_COREML_METADATA_H

#include "json.h"

extern const struct etcore_column *const coreml_columns[];

/* Hook parse_metadata. Only the blob of the first run is used. Text that is not JSON gives no
 * columns; JSON other than an object is ETCORE_CORRUPT, because the Python function raises
 * AttributeError. */
etcore_result coreml_parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out);

#endif
