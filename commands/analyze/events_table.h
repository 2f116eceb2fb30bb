/* events_table.h -- the table of `--events`. */
#ifndef ETC_COMMANDS_ANALYZE_EVENTS_TABLE_H
#define ETC_COMMANDS_ANALYZE_EVENTS_TABLE_H

#include "model/profile.h"
#include "table/report.h"

/* The source of an event's start on the runtime's clock. */
enum etc_start_by {
	ETC_START_UNKNOWN,
	ETC_START_CLOCK, /* the event is on that clock */
	/* from readings of both clocks at one moment (etcore_time.sync_device) */
	ETC_START_READINGS,
	/* inferred: the first event on another clock is taken to start with its parent */
	ETC_START_PARENT
};

/* Columns of an event other than times; empty: no value. */
struct etc_event_text {
	struct etc_str module, source;
	/* the event's metadata as text: the items of a list; if make_texts() got `text`, named
	 * values, too */
	struct etc_str metadata;
	const struct etc_parsed *said; /* named values; NULL: none */
	uint8_t unit, clock;           /* ETCORE_UNIT_* and ETCORE_CLOCK_* of the event's times */
	/* the event's times are in ticks. A tick is scale / (per * den) of the unit `unit` */
	uint64_t scale, per;
	uint64_t den;
	uint8_t start_by;                /* enum etc_start_by */
	const struct etc_row_work *work; /* work in the measured runs; NULL: none */
	uint64_t resolution;    /* times are truncated to multiples of this, in 1/den of `unit` */
	struct etc_ratio start; /* time since the start of the run, in 1/den of a nanosecond */
};

/* A template whose events are shown. */
struct etc_shown_template {
	const struct etc_template *template;
	struct etc_str block; /* RunData.name */
	uint32_t path;        /* path number from 1; 0: none */
	const uint32_t *runs; /* the runs that statistics are computed over */
	size_t run_count;
	const struct etc_event_text *texts; /* per profile event */
};

/* Further inputs of a table of events. */
struct etc_events_form {
	uint8_t unit; /* unit of the runtime's events */
	/* the machine's peaks; NULL: the table has no columns of --roofline */
	const struct etc_peaks *peaks;
	const struct etc_declared *declared;
	uint32_t declared_count;
};

/* Makes a table with a row per event; each event's times are in its own unit. Rows and their
 * statistics are computed on demand. If the form's unit is ns, numbers in other units are in
 * columns of their own. E0904. */
enum etc_status etc_view_events(const struct etc_trace *trace,
                                const struct etc_shown_template *templates, size_t count,
                                const struct etc_events_form *form, struct etc_arena *arena,
                                struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
