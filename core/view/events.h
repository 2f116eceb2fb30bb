/* events.h -- the table of `--events`. */
#ifndef ETC_VIEW_EVENTS_H
#define ETC_VIEW_EVENTS_H

#include "stats/events.h"
#include "view/report.h"

/* What is known of an event beside its times; empty: nothing. */
struct etc_event_text {
	struct etc_str module, source;
	struct etc_str metadata;       /* items of a list; with `text` also named values */
	const struct etc_parsed *said; /* named values; NULL: none */
	uint8_t unit, clock;           /* ETCORE_UNIT_*, _CLOCK_*; of what `units` counts */
	double units;                  /* per tick, times `den` */
	uint64_t den;
};

/* One shape that is shown. */
struct etc_shown_shape {
	const struct etc_shape *shape;
	struct etc_str block; /* RunData.name */
	uint32_t path;        /* from 1; 0: none */
	const uint32_t *runs; /* that count */
	size_t run_count;
	const struct etc_event_text *texts; /* of each profile event */
};

/* What a table of events has beside its own columns. */
struct etc_events_form {
	uint8_t unit; /* of the runtime's events */
	bool typed;   /* for --where, --sort and --columns: also what is only typed */
	const struct etc_declared *declared;
	uint32_t declared_count;
};

/* A row per event, each in its own unit; made when it is asked for, and so are its
 * statistics. With ns as the form's unit, numbers in another unit
 * have columns of their own. E0904. */
enum etc_status etc_view_events(const struct etc_trace *trace, const struct etc_shown_shape *shapes,
                                size_t count, const struct etc_events_form *form,
                                struct etc_arena *arena, struct etc_table *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
