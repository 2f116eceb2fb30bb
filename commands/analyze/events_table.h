/* events_table.h -- the table that the option --events shows. */
#ifndef ETC_COMMANDS_ANALYZE_EVENTS_TABLE_H
#define ETC_COMMANDS_ANALYZE_EVENTS_TABLE_H

#include "model/profile.h"
#include "table/report.h"

/* How the time at which an event started, on the runtime's clock, was found. */
enum etc_start_by {
	ETC_START_UNKNOWN,
	ETC_START_CLOCK, /* the event was logged with the runtime's clock */
	/* computed from two clocks that were read at one moment (etcore_time.sync_device) */
	ETC_START_READINGS,
	/* assumed: the first event of another clock inside a parent starts when the parent
	 * starts */
	ETC_START_PARENT
};

/* The columns of an event that are not times. An empty text means that the event has no such
 * value. */
struct etc_event_text {
	struct etc_str module, source;
	/* the event's metadata as text. Named values are included only if make_texts() (events.c)
	 * was called with `text` */
	struct etc_str metadata;
	const struct etc_parsed *said; /* the metadata's named values; NULL: none */
	uint8_t unit, clock;           /* ETCORE_UNIT_* and ETCORE_CLOCK_* of the event's times */
	/* the event's times are in ticks; a tick is scale / (per * den) of `unit` */
	uint64_t scale, per;
	uint64_t den;
	uint8_t start_by;                /* enum etc_start_by */
	const struct etc_row_work *work; /* work in the measured runs; NULL: none */
	/* the clock truncates times to multiples of this number, which is in 1/den of `unit` */
	uint64_t resolution;
	struct etc_ratio start; /* time since the start of the run, in 1/den of a nanosecond */
};

/* An event template whose events are shown. */
struct etc_shown_template {
	const struct etc_template *template;
	struct etc_str block; /* RunData.name */
	uint32_t path;        /* path number from 1; 0: none */
	const uint32_t *runs; /* the runs that statistics are computed over */
	size_t run_count;
	const struct etc_event_text *texts; /* one for each profile event of the template */
};

/* Further inputs of a table of events. */
struct etc_events_form {
	uint8_t unit; /* unit of the times that the runtime measured itself */
	/* the machine's peaks; NULL: the table has no columns of --roofline */
	const struct etc_peaks *peaks;
	const struct etc_declared *declared;
	uint32_t declared_count;
};

/* Makes a table with a row per event; each event's times are in its own unit. Rows and their
 * statistics are computed on demand. If form->unit is ns, times in other units are in separate
 * columns. E0904. */
enum etc_status etc_view_events(const struct etc_trace *trace,
                                const struct etc_shown_template *templates, size_t count,
                                const struct etc_events_form *form, struct etc_arena *arena,
                                struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
