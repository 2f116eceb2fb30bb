/* tensor_file.h -- reads a file of external data (".ptd"; identifier "FT01"): names, types and
 * positions of its tensors and blobs. The data are not read. */
#ifndef ETC_FORMATS_PROGRAM_TENSOR_FILE_H
#define ETC_FORMATS_PROGRAM_TENSOR_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "model/limits.h"
#include "model/tensor_file.h"

/* Fills `*out` with views into `file`. `limits` may be NULL.
 *
 *   E0430 FORMAT  not a .ptd file   E0432 CORRUPT  truncated
 *   E0433 CORRUPT damaged           E0434 LIMIT    too many offsets lead to the same tables
 *   E0904 NOMEM   out of memory */
enum etc_status etc_tensor_file_read(struct etc_span file, const struct etc_limits *limits,
                                     struct etc_arena *arena, struct etc_tensor_file *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
