/* expand.h -- adds expanded events to a trace: events that plugins make from other events (the hook
 * expand_event).
 *
 * Makes a trace in which each event that a plugin splits is followed by the expanded events that
 * were made from it, as if the runtime had logged them, so that later steps treat them like other
 * events. Plugins do not receive expanded events: join/owner.c derives the unit and clock of their
 * times from those of the event that was split. */
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
