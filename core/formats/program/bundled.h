/* bundled.h -- reads a BundledProgram (".bpte"; identifier "BP08"): its test cases, and the
 * position of the program in the file. The tensors' data are not read. */
#ifndef ETC_FORMATS_PROGRAM_BUNDLED_H
#define ETC_FORMATS_PROGRAM_BUNDLED_H

#include "base/arena.h"
#include "base/error.h"
#include "model/bundled.h"
#include "model/limits.h"

/* Fills `*out` with views into `file`. The program inside is not read: pass out->program to
 * etc_program_read(). `limits` may be NULL.
 *
 *   E0430 FORMAT  not a BundledProgram   E0432 CORRUPT  truncated
 *   E0433 CORRUPT damaged                E0434 LIMIT    too many offsets lead to the same tables
 *   E0904 NOMEM   out of memory */
enum etc_status etc_bundled_read(struct etc_span file, const struct etc_limits *limits,
                                 struct etc_arena *arena, struct etc_bundled_program *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Is the file a BundledProgram? */
bool etc_bundled_is(struct etc_span file);

/* Finds only the program in a BundledProgram. Returns the same errors as etc_bundled_read(). */
enum etc_status etc_bundled_inner(struct etc_span file, struct etc_span *program,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
