/* expand.h -- adds the parts of events as the owners describe them (expand_event).
 *
 * Makes a trace in which each such event is followed by its parts, as if the runtime had
 * logged them, so that later steps treat them like all other events. Plugins do not
 * receive these events: their readings follow from the answer for their parent
 * (join/answer.h). */
#ifndef ETC_JOIN_EXPAND_H
#define ETC_JOIN_EXPAND_H

#include "join/owner.h"

/* The trace itself where nothing is expanded. `in`: host, clock. Memory is the arena's.
 * E0605, E0904. */
enum etc_status etc_trace_expand(const struct etc_trace *trace, const struct etc_join_input *in,
                                 const struct etc_program *program, const struct etc_record *record,
                                 struct etc_arena *arena, const struct etc_trace **out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* The children of the event at `site`; NULL: none. `*first` is the index of the first
 * child among all children of the shape. */
const struct etc_children *etc_sites_children(const struct etc_sites *sites, uint32_t site,
                                              uint32_t *first);

/* Fills the children's columns for the samples that were sent last. False if out of
 * memory. */
bool etc_sites_fill(struct etc_sites *sites, uint32_t site, const struct etc_children *said);

/* Sets readings, parents and facts of expanded events, after etc_sites_own() has set
 * those of the others. Facts live in `arena`. E0904. */
enum etc_status etc_sites_expanded(struct etc_sites *sites, struct etc_arena *arena,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif
