/* etdump.h -- reads an ETDump (".etdp", ".etdump"; identifier "ED00") into a
 * trace.
 *
 * Schema: devtools/etdump/etdump_schema_flatcc.fbs of pytorch/executorch, every
 * layout since December 2023, with the size prefix that the runtime writes or
 * without it. Times are copied unchanged: the schema leaves their unit open.
 * What is damaged is refused; what is only unusual is read, and a note says so. */
#ifndef ETC_READ_ETDUMP_H
#define ETC_READ_ETDUMP_H

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/notes.h"
#include "model/limits.h"
#include "model/trace.h"

/* Fills `*out`. `file` must stay mapped for as long as `*out` is used: names
 * and metadata point into it. Arrays come from `arena`; on failure `*out` is
 * empty and whatever was built stays in the arena until it is released.
 * `limits` and `notes` may be NULL.
 *
 *   E0201 FORMAT       not an ETDump         E0202 CORRUPT  cut off
 *   E0204 UNSUPPORTED  a newer identifier    E0205 CORRUPT  damaged
 *   E0206 LIMIT        shared without end    E0207 FORMAT   a layout of 2023
 *   E0904 NOMEM        arena exhausted */
enum etc_status etc_etdump_read(struct etc_span file, const struct etc_limits *limits,
                                struct etc_arena *arena, struct etc_notes *notes,
                                struct etc_trace *out, struct etc_error *err) ETC_MUST_CHECK;

/* The same of bytes that lie in `from`, which may be NULL: pages of a mapped file go
 * back while it is read, so that a large one is never in memory as a whole. */
enum etc_status etc_etdump_read_file(const struct etc_file *from, struct etc_span file,
                                     const struct etc_limits *limits, struct etc_arena *arena,
                                     struct etc_notes *notes, struct etc_trace *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Which of the profile events of a shape is kept: its place among them. Anything that is
 * none keeps none. */
typedef uint32_t etc_keep_fn(struct etc_shape *shape);

/* The same without columns: out->sparse has of each run the times of one event, and reads
 * the others once more. Of metadata nothing is kept. */
enum etc_status etc_etdump_read_sparse(const struct etc_file *from, struct etc_span file,
                                       const struct etc_limits *limits, etc_keep_fn *keep,
                                       struct etc_arena *arena, struct etc_notes *notes,
                                       struct etc_trace *out, struct etc_error *err) ETC_MUST_CHECK;

/* Adds to the text of a refusal how many runs of the file are whole. */
void etc_etdump_tell_whole(struct etc_span file, const struct etc_limits *limits,
                           struct etc_error *err);

/* The same for a file that is cut off or damaged: its whole runs, with a warning
 * (W0226). out->salvage is then set. The errors are those of etc_etdump_read(); no run
 * is whole: E0202 or E0205. */
enum etc_status etc_etdump_salvage(struct etc_span file, const struct etc_limits *limits,
                                   struct etc_arena *arena, struct etc_notes *notes,
                                   struct etc_trace *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
