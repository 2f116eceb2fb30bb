/* samples.h -- the input of a comparison: groups of dumps, their runs, and the rows of
 * each run.
 *
 * A dump is one process on one device. Effects that vary from process to process (memory layout,
 * temperature, other load) are the same for all runs of a dump, so the runs of two dumps must not
 * be treated as one sample of independent runs. Warm-up runs are not included. Plain data, owned by
 * the caller. */
#ifndef ETC_STATS_SAMPLES_H
#define ETC_STATS_SAMPLES_H

#include <stddef.h>

struct etc_dump_samples {
	size_t runs; /* may be 0: the dump is then ignored */
	/* end-to-end time of each run, in file order; decides which runs are typical */
	const double *time;
	double tick;        /* tick of the clock of `time`, in the unit of `time`; 0: unknown */
	const double *rows; /* row r of run i is rows[r * runs + i], any unit of time */
};

struct etc_sample_group {
	const struct etc_dump_samples *dumps;
	size_t dump_count;
	/* for each dump, its position in the order of recording over all groups; NULL: unknown */
	const double *places;
};

#endif
