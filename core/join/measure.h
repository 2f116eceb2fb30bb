/* measure.h -- the rows of one path: sums over its typical runs.
 *
 * As long as consecutive runs have the same nest (nest.h), the times of each event are summed up.
 * The sums are added to the rows when the nest changes, and after the last run of the template.
 * Rounding and bounds cannot be computed from such sums, so they are computed in each run.
 *
 * The tracer logs an event after it has ended, so the time to log it is part of the exclusive time
 * of the runtime's event around it. For each logged event, the cost `tracer` is subtracted from
 * that exclusive time, and from the inclusive times that contain it. A delegate may log its events
 * later, so the cost is never subtracted from a delegate's event, but from its DELEGATE_CALL. */
#ifndef ETC_JOIN_MEASURE_H
#define ETC_JOIN_MEASURE_H

#include "base/map.h"
#include "join/medians.h"
#include "join/nest.h"

struct etc_measure {
	struct etc_arena *arena;       /* memory for the rows */
	struct etc_profile_path *path; /* the path that is measured; its sums are stored here */
	uint32_t number;               /* number of the path, which each of its rows stores */
	uint8_t by;                    /* enum etc_by: the key that the sites are named by */
	/* make only the rows that notes use (delegate events and detached events), without
	 * bounds */
	bool remarks;
	/* also roll up plugins' columns over the whole path */
	bool path_columns;
	const struct etc_tracer_cost *tracer; /* cost to subtract per logged event; NULL: none */
	bool sole;                            /* all runs have the same template */
	/* maps the key of a row to the row; in scratch memory */
	struct etc_map names;
	char *key; /* buffer for the key of the row that is looked up */
	size_t key_room;
	/* cache of the most recently used rows; NULL: the template is too small to need one */
	struct etc_recent_row *recent;
	size_t found; /* number of events whose rows were looked up */
	/* the rolled-up columns of all templates; NULL: the path has only one template */
	struct etc_rolled_templates *templates;
	struct etc_profile_row *rows;
	uint32_t row_count, row_room;
	struct etc_run_values *values; /* the values of each run; NULL: not requested */
};

/* Some runs of a path, as columns. */
struct etc_measured_runs {
	const uint32_t *run; /* for each run, its index in the trace */
	const uint64_t *time;
	const uint8_t *use; /* for each run, an enum etc_run_use */
	/* for each run, its index among the kept runs of the path, in file order; NULL: not
	 * requested */
	const uint32_t *index;
	size_t count;
	/* for each run an enum etc_run_use, from which etc_runs_asked() chooses the runs whose
	 * samples are sent to plugins */
	const uint8_t *asked;
};

/* Initialises `m`. `values` receives the values of single runs; NULL: they are not requested.
 * `scratch` may be released when the measure is finished. */
void etc_measure_init(struct etc_measure *m, struct etc_arena *arena, struct etc_arena *scratch,
                      struct etc_profile_path *path, uint32_t number, uint8_t by,
                      struct etc_run_values *values);

/* Allocates `rows` rows at once: growing the array step by step would take more memory
 * than the rows. E0904. */
enum etc_status etc_measure_reserve(struct etc_measure *m, uint32_t rows,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Bits of `variant`: properties in which two rows with the same name may differ. */
enum {
	ETC_ROW_DETACHED = 1,
	ETC_ROW_UNKNOWN = 2,  /* unit and clock are unknown */
	ETC_ROW_DISPATCH = 4, /* an OPERATOR_CALL around a kernel */
	ETC_ROW_PARALLEL = 8, /* detached because it runs in parallel */
	ETC_ROW_VARIANTS = 16
};

/* Makes a cache of rows for a template with `events` events, because the name of most events equals
 * that of an earlier event. Memory is the arena's. False: out of memory. */
bool etc_measure_recall(struct etc_measure *m, uint32_t events, struct etc_arena *arena);

/* Finds the row of an event, or makes it. Events of one row have the same name, backend and unit;
 * they are all attached or all detached, and all in delegates or all outside. If the key of --by is
 * not op, events of one row may have different backends, and some may be in delegates and some
 * outside. E0904. */
enum etc_status etc_measure_row(struct etc_measure *m, const struct etc_sites *sites, uint32_t site,
                                unsigned variant, uint32_t *row,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Adds runs of one template, whose sites are `sites`. `scratch` may be released afterwards. */
enum etc_status etc_measure_template(struct etc_measure *m, const struct etc_trace *trace,
                                     const struct etc_sites *sites,
                                     const struct etc_measured_runs *runs,
                                     struct etc_arena *scratch,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Rolls up the columns of the rows after all templates were added. E0904. */
enum etc_status etc_measure_roll(struct etc_measure *m, struct etc_error *err) ETC_MUST_CHECK;

/* Counts the events of a template, and stores the counts in the path, for notes. If a path has
 * several templates, the counts of the one with the most delegate events are kept. `zeros` is the
 * number of events with truncated times whose duration is 0 in every kept run. */
void etc_measure_count(struct etc_profile_path *path, const struct etc_sites *sites,
                       uint32_t zeros);

/* Called after all templates were added. Rolls up the columns, and computes medians if the values
 * of single runs are in m->values. Removes rows without events. With --by fallback, also removes
 * the row of all events in delegates, and adds its time to path->elsewhere. Sorts the rows:
 * attached rows before detached rows; each of these groups by descending exclusive time, with rows
 * without a known time at its end. Of rows with equal times, the first is the one whose shortest
 * run is shorter; if these runs are equal too, the one whose first event in that run is earlier.
 * E0904. */
enum etc_status etc_measure_finish(struct etc_measure *m, struct etc_error *err) ETC_MUST_CHECK;

#endif
