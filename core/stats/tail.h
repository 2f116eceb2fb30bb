/* tail.h -- tests whether one group has more slow runs than the other.
 *
 * Each time is divided by the median of its dump, so that a difference of typical times does not
 * matter. A run is slow if it is more than 3 * 1.4826 median absolute deviations (of all runs of
 * both groups) and at least 5 % above the median. In the test, consecutive slow runs of a dump
 * count once, since one disturbance may affect several runs. */
#ifndef ETC_STATS_TAIL_H
#define ETC_STATS_TAIL_H

#include "base/arena.h"
#include "base/error.h"

struct etc_tail_group {
	const double *x;     /* times of the runs in file order, dump after dump */
	const size_t *first; /* first run of each dump; first[dumps] is the number of all runs */
	size_t dumps;
};

struct etc_tails {
	double p; /* two-sided; 1: unknown */
	/* fraction of slow runs in each group; consecutive slow runs count separately here */
	double slow[2];
};

/* Compares the tails of two groups. E0904.
 *
 * If both groups have one dump, p is the larger one of the p of two tests, which are both Fisher's
 * exact test on the numbers of slow runs. In the second test, times are not divided by medians, and
 * every slow run counts. It is needed because, if runs have two speeds, the medians of two equal
 * groups may by chance be of different speeds.
 *
 * If a group has several dumps, p is the larger one of Fisher's p and the p of Welch's t over the
 * dumps' fractions of slow runs, since the runs of a dump are not independent. p is then 1 if a
 * group has fewer than three dumps. */
enum etc_status etc_tails_compare(const struct etc_tail_group groups[2], struct etc_tails *out,
                                  struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

#endif
