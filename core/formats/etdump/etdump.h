/* etdump.h -- reads an ETDump (".etdp", ".etdump"; identifier "ED00") into a trace.
 *
 * Schema: devtools/etdump/etdump_schema_flatcc.fbs of pytorch/executorch. Every layout since
 * December 2023 is read, with or without the size prefix that the runtime writes. Times are copied
 * unchanged, because the schema does not define their unit. Damaged files are refused; unusual
 * content is read and reported by a note. */
#ifndef ETC_FORMATS_ETDUMP_ETDUMP_H
#define ETC_FORMATS_ETDUMP_ETDUMP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/notes.h"
#include "model/limits.h"
#include "model/trace.h"

/* Fills `*out`. `file` must stay mapped for as long as `*out` is used: names and metadata point
 * into it. Arrays come from `arena`; on failure `*out` is empty, and the memory is freed with the
 * arena. `limits` and `notes` may be NULL.
 *
 *   E0201 FORMAT       not an ETDump         E0202 CORRUPT  truncated
 *   E0204 UNSUPPORTED  a newer identifier    E0205 CORRUPT  damaged
 *   E0206 LIMIT        too many offsets lead to the same tables
 *   E0207 FORMAT       layout of October 2023
 *   E0904 NOMEM        out of memory */
enum etc_status etc_etdump_read(struct etc_span file, const struct etc_limits *limits,
                                struct etc_arena *arena, struct etc_notes *notes,
                                struct etc_trace *out, struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_etdump_read(), but for a dump that is a part of an open file: `file` has the bytes of
 * the dump, `from` is the open file, or NULL. If `from` is mapped, its pages are released while it
 * is read, so that a large file is never in memory as a whole. */
enum etc_status etc_etdump_read_file(const struct etc_file *from, struct etc_span file,
                                     const struct etc_limits *limits, struct etc_arena *arena,
                                     struct etc_notes *notes, struct etc_trace *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_etdump_read_file(), but without columns of times. out->sparse has the times of only one
 * event per run, which `keep` selects. Other times are decoded from the file on request. No
 * metadata are kept. */
enum etc_status etc_etdump_read_sparse(const struct etc_file *from, struct etc_span file,
                                       const struct etc_limits *limits, etc_keep_fn *keep,
                                       struct etc_arena *arena, struct etc_notes *notes,
                                       struct etc_trace *out, struct etc_error *err) ETC_MUST_CHECK;

/* Appends the number of complete runs in the file to err->text. */
void etc_etdump_tell_whole(struct etc_span file, const struct etc_limits *limits,
                           struct etc_error *err);

/* Reads the complete runs of a truncated or damaged file, with a warning (W0226), and sets
 * out->salvage. An undamaged file is read as by etc_etdump_read(). Errors are those of
 * etc_etdump_read(); if no run is complete, E0202 or E0205. */
enum etc_status etc_etdump_salvage(struct etc_span file, const struct etc_limits *limits,
                                   struct etc_arena *arena, struct etc_notes *notes,
                                   struct etc_trace *out, struct etc_error *err) ETC_MUST_CHECK;

/* Releases the memory of `file`, which was read into memory, except for pages that `trace` points
 * into: names, logged texts, metadata. Nothing else may be read from the file afterwards. Does
 * nothing for a small or a salvaged dump. */
void etc_etdump_forget(const struct etc_trace *trace, const struct etc_file *file);

#endif
