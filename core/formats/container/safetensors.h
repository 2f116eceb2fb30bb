/* safetensors.h -- reads a .safetensors file: u64 length of a JSON header, the header, then the
 * bytes of the tensors. The tensors' data are not read. */
#ifndef ETC_FORMATS_CONTAINER_SAFETENSORS_H
#define ETC_FORMATS_CONTAINER_SAFETENSORS_H

#include "base/arena.h"
#include "base/error.h"
#include "model/safetensors.h"

/* Fills `*out` with views into `file`. Like the reference reader it refuses a header of more
 * than 100 MB, duplicate names, and data outside of the file; gaps between tensors and their
 * order do not matter.
 *
 *   E1180 FORMAT  no safetensors file   E1181 CORRUPT damaged
 *   E0904 NOMEM   out of memory */
enum etc_status etc_safetensors_read(struct etc_span file, struct etc_arena *arena,
                                     struct etc_safetensors *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
