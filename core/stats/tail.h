/* tail.h -- are a few runs much slower in one group than in the other?
 *
 * Each run is taken relative to the median of its dump, so that what is typical may differ.
 * A run is slow beyond 3 * 1.4826 median absolute deviations of all runs of both groups
 * together, and at least 5 % beyond the median. Neighbouring slow runs are one: whatever
 * disturbed one of them disturbed the next. */
#ifndef ETC_STATS_TAIL_H
#define ETC_STATS_TAIL_H

#include "base/arena.h"
#include "base/error.h"

struct etc_tail_group {
	const double *x;     /* runs in file order, dump after dump */
	const size_t *first; /* of each dump; first[dumps] is the number of all runs */
	size_t dumps;
};

struct etc_tails {
	double p;       /* two-sided; 1: nothing is known */
	double slow[2]; /* the part of the runs that is slow, of each group */
};

/* One dump each: Fisher's exact test of how many are slow. If a group has several dumps,
 * which are blocks: the larger p of that and of Welch's t over the dumps' parts of slow runs;
 * with fewer than three dumps of either, 1. E0904. */
enum etc_status etc_tails_compare(const struct etc_tail_group groups[2], struct etc_tails *out,
                                  struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

#endif
