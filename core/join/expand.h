/* expand.h -- adds to a trace the parts into which plugins split events (the hook expand_event).
 *
 * Makes a trace in which each event that a plugin splits is followed by its parts, as if the
 * runtime had logged the parts, so that later steps treat the parts like other events. Plugins do
 * not receive the parts as events: join/owner.c derives the unit and clock of a part's times from
 * those of its parent. */
#ifndef ETC_JOIN_EXPAND_H
#define ETC_JOIN_EXPAND_H

#include "join/gather.h"

/* Sets `*out` to the trace with all expanded events, or to `trace` itself if there are none.
 * (Plugins make expanded events from lines of an event's metadata.) `in` gives the plugins' host
 * and the clock. Memory is the arena's. E0605, E0904. */
enum etc_status etc_trace_expand(const struct etc_trace *trace, const struct etc_join_input *in,
                                 const struct etc_program *program, const struct etc_record *record,
                                 struct etc_arena *arena, const struct etc_trace **out,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
