/* samples.h -- what is compared: groups of dumps, their runs, the rows of a run.
 *
 * A dump is one process on one device; what differs from process to process
 * (memory layout, temperature, other work) is the same for all of its runs, so
 * the runs of two dumps are two blocks, not one sample. Runs set aside as
 * warm-up are left out before. Plain data, owned by the caller. */
#ifndef ETC_STATS_SAMPLES_H
#define ETC_STATS_SAMPLES_H

#include <stddef.h>

struct etc_dump_samples {
	size_t runs;        /* may be 0: the dump is passed over */
	const double *time; /* of each run in file order: which runs are typical (end to end) */
	const double *rows; /* row r of run i is rows[r * runs + i], any unit of time */
};

struct etc_sample_group {
	const struct etc_dump_samples *dumps;
	size_t dump_count;
	const double *places; /* of each dump in the order in which those of all groups were
	                       * recorded; NULL: not known */
};

#endif
