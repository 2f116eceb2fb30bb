/* expand.h -- events that consist of others, as their owners say (expand_event).
 *
 * A trace is made in which what an event consists of stands behind it, as if the runtime had
 * logged it; what comes after treats them like all others. Plugins are never handed them: how
 * they are to be read is settled when their event is (join/answer.h). */
#ifndef ETC_JOIN_EXPAND_H
#define ETC_JOIN_EXPAND_H

#include "join/owner.h"

/* The trace itself where nothing is expanded. `in`: host, clock. Memory is the arena's.
 * E0605, E0904. */
enum etc_status etc_trace_expand(const struct etc_trace *trace, const struct etc_join_input *in,
                                 const struct etc_program *program, const struct etc_record *record,
                                 struct etc_arena *arena, const struct etc_trace **out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* The children of the event at `site`; NULL: it has none. `*first`: the place of the first among
 * those of the shape. */
const struct etc_children *etc_sites_children(const struct etc_sites *sites, uint32_t site,
                                              uint32_t *first);

/* Their columns, as they are of the samples that were handed over last. False: no memory. */
bool etc_sites_fill(struct etc_sites *sites, uint32_t site, const struct etc_children *said);

/* After etc_sites_own() has settled the others: readings, parents and facts of what is expanded.
 * Facts live in `arena`. E0904. */
enum etc_status etc_sites_expanded(struct etc_sites *sites, struct etc_arena *arena,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif
