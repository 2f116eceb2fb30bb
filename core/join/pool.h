/* pool.h -- combines several dumps of one program into one trace. */
#ifndef ETC_JOIN_POOL_H
#define ETC_JOIN_POOL_H

#include "base/arena.h"
#include "base/error.h"
#include "model/trace.h"

/* Do the dumps log the same events (names, instructions, delegate ids)? How often they log each
 * event does not matter. Also false if out of memory. */
bool etc_pool_agrees(const struct etc_trace *a, const struct etc_trace *b);

/* Sets `*out` to a trace with the runs of all traces, one trace after the other; (*file)[run] is
 * the index of the run's trace. Samples are copied into the arena; names still belong to the
 * traces. Flags for flaws, such as bad_utf8, are those of the first trace. E0904. */
enum etc_status etc_pool_join(const struct etc_trace *const *traces, uint32_t count,
                              struct etc_arena *arena, struct etc_trace *out, uint32_t **file,
                              struct etc_error *err) ETC_MUST_CHECK;

#endif
