/* runs.h -- lists the runs of all dumps of a group, and the values that a row has in these runs. */
#ifndef ETC_STATS_RUNS_H
#define ETC_STATS_RUNS_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/samples.h"

struct etc_runs {
	size_t n; /* number of runs of all dumps; below 2^32 */
	/* number of dumps that have runs; dump d has the runs first[d] ... first[d + 1] - 1 */
	size_t dumps;
	size_t *first;
	const struct etc_dump_samples **dump;
	uint32_t *order;   /* runs sorted by time; equal times in file order */
	double *time;      /* times of the runs in `order` */
	uint32_t *other;   /* room for n indices: working memory of etc_sort_order() */
	uint32_t *dump_of; /* index of the dump of each run */
	double *places;    /* position of each dump in the order of recording; NULL: unknown */
};

/* Collects the runs of all dumps of a group. E0904. */
enum etc_status etc_runs_init(struct etc_runs *runs, const struct etc_sample_group *group,
                              struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the values of a row to `x`, in file order, one dump after the other. */
void etc_runs_row(const struct etc_runs *runs, size_t row, double *x);

/* Writes the row's values `x` to `y`, in the order of positions that `stat` needs (estimate.h).
 * Leaves out the runs of dump `without` (SIZE_MAX: none). For the typical run and the mean, `time`
 * gets the times of the runs in the same order. Returns the number of values. */
size_t etc_runs_places(const struct etc_runs *runs, const double *x, uint8_t stat, size_t without,
                       double *y, double *time);

/* Like etc_runs_places(), for the runs of dump `only`. */
size_t etc_runs_only(const struct etc_runs *runs, const double *x, uint8_t stat, size_t only,
                     double *y, double *time);

#endif
