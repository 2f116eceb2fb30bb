/* program.h -- reads an ExecuTorch Program (".pte"; identifier "ET12"): its methods, their
 * instructions, and the positions of delegates' blobs.
 *
 * Schema: exir/_serialize/program.fbs of pytorch/executorch. An extended header precedes the
 * FlatBuffer if a segment has data (schema/extended_header.h); it has 24 bytes until ExecuTorch
 * 0.7, 32 since 1.0. If the file is mapped, only the pages with the FlatBuffer's tables are read,
 * so weights cost no time. */
#ifndef ETC_FORMATS_PROGRAM_PROGRAM_H
#define ETC_FORMATS_PROGRAM_PROGRAM_H

#include "base/arena.h"
#include "base/error.h"
#include "model/limits.h"
#include "model/program.h"

/* Reads the parts that core/join needs: methods, instructions, delegates. Of the values, this
 * function only reads which are a method's inputs, and whether the shapes of a delegate's arguments
 * can change.
 *
 * Fills `*out`. `file` must stay mapped for as long as `*out` is used: names and blobs point
 * into it. Arrays come from `arena`; on failure `*out` is empty. `limits` may be NULL.
 *
 *   E0430 FORMAT   not a program   E0431 UNSUPPORTED  another identifier
 *   E0432 CORRUPT  truncated       E0433 CORRUPT      damaged
 *   E0434 LIMIT    too many offsets lead to the same tables
 *   E0904 NOMEM    out of memory */
enum etc_status etc_program_read(struct etc_span file, const struct etc_limits *limits,
                                 struct etc_arena *arena, struct etc_program *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_program_read(), but reads every field: also values, memory plans, constants and named
 * data. */
enum etc_status etc_program_read_whole(struct etc_span file, const struct etc_limits *limits,
                                       struct etc_arena *arena, struct etc_program *out,
                                       struct etc_error *err) ETC_MUST_CHECK;

#endif
