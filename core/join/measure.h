/* measure.h -- the rows of one path: sums over its typical runs.
 *
 * Sums are kept per event as long as the nest holds, and go to the rows when it
 * changes or the shape is done: what is linear in the times is added up once
 * per event, only what is not (rounding, bounds) once per run. */
#ifndef ETC_JOIN_MEASURE_H
#define ETC_JOIN_MEASURE_H

#include "base/map.h"
#include "join/medians.h"
#include "join/nest.h"

struct etc_measure {
	struct etc_arena *arena;       /* of the rows */
	struct etc_profile_path *path; /* its sums are filled in */
	uint32_t number;               /* of the path, for the rows */
	uint8_t by;                    /* enum etc_by: what the names of the sites are */
	bool remarks;      /* rows of delegate events and of what is detached alone, without bounds;
	               * where notes say no more, just that they are there */
	bool path_columns; /* columns of plugins are rolled up for the path, too */
	bool sole;         /* all runs are of one shape */
	struct etc_map names; /* row key -> row, in scratch memory */
	char *key;            /* of the row that is looked for */
	size_t key_room;
	struct etc_recent_row *recent;    /* of the shape; NULL: it is small */
	struct etc_rolled_shapes *shapes; /* columns, where runs are of several shapes */
	struct etc_profile_row *rows;
	uint32_t row_count, row_room;
	struct etc_run_values *values; /* of each run; NULL: nobody asks */
};

/* Some runs of a path, in columns. */
struct etc_measured_runs {
	const uint32_t *run; /* in the trace */
	const uint64_t *time;
	const uint8_t *use; /* enum etc_run_use */
	const uint32_t
		*index; /* among the kept runs of the path, in file order; NULL: not asked for */
	size_t count;
	const uint8_t *asked; /* as `use`: plugins are asked about the typical ones */
};

/* `values`: NULL, or where the values of single runs go. `scratch` may be released when the
 * measure is finished. */
void etc_measure_init(struct etc_measure *m, struct etc_arena *arena, struct etc_arena *scratch,
                      struct etc_profile_path *path, uint32_t number, uint8_t by,
                      struct etc_run_values *values);

/* Room for `rows` rows, where so many are to come: rows that are moved when there are more
 * cost more memory than they take. E0904. */
enum etc_status etc_measure_reserve(struct etc_measure *m, uint32_t rows,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* What tells rows of one name apart; bits of `variant` below. */
enum {
	ETC_ROW_DETACHED = 1,
	ETC_ROW_UNKNOWN = 2,  /* unit and clock are not known */
	ETC_ROW_DISPATCH = 4, /* an OPERATOR_CALL around a kernel */
	ETC_ROW_PARALLEL = 8, /* of those that are detached */
	ETC_ROW_VARIANTS = 16
};

/* From now on rows are asked for events of one shape, so many: most of them are called like one
 * before. What is remembered is the arena's. False: no memory. */
bool etc_measure_recall(struct etc_measure *m, uint32_t events, struct etc_arena *arena);

/* The row of (name, delegate event or not, owner, unit, detached), or with a
 * key of --by of (name, unit, detached). E0904. */
enum etc_status etc_measure_row(struct etc_measure *m, const struct etc_sites *sites, uint32_t site,
                                unsigned variant, uint32_t *row,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Adds runs of one shape: `sites` are its. `scratch` may be released after. */
enum etc_status etc_measure_shape(struct etc_measure *m, const struct etc_trace *trace,
                                  const struct etc_sites *sites,
                                  const struct etc_measured_runs *runs, struct etc_arena *scratch,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Columns of the rows, when all shapes were added. E0904. */
enum etc_status etc_measure_roll(struct etc_measure *m, struct etc_error *err) ETC_MUST_CHECK;

/* Counts events for the notes, of the shape that has the most of a delegate. `zeros`: truncated
 * ones that read 0 in every kept run. */
void etc_measure_count(struct etc_profile_path *path, const struct etc_sites *sites,
                       uint32_t zeros);

/* Makes medians if single runs were kept for them; ranks the rows (attached first, self time down,
 * unknown last, then first appearance) and drops empty ones. E0904. */
enum etc_status etc_measure_finish(struct etc_measure *m, struct etc_error *err) ETC_MUST_CHECK;

#endif
