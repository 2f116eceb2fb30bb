/* events.h -- the table of `--events`. */
#ifndef ETC_VIEW_EVENTS_H
#define ETC_VIEW_EVENTS_H

#include "stats/events.h"
#include "view/report.h"

/* What is known of an event beside its times; empty: nothing. */
struct etc_event_text {
	struct etc_str metadata, module, source;
};

/* One shape that is shown. */
struct etc_shown_shape {
	struct etc_str block; /* RunData.name */
	uint32_t path;        /* from 1; 0: none */
	const struct etc_event_stats *events;
	uint32_t count;
	const struct etc_event_text *texts; /* of each event; NULL: nothing is known */
};

/* A row per event. `unit` of the ticks and `scale`, units per tick: times are
 * blank columns when the unit is no time. E0904. */
enum etc_status etc_view_events(const struct etc_shown_shape *shapes, size_t count, uint8_t unit,
                                uint64_t scale, struct etc_arena *arena, struct etc_table *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
