/* examine.h -- checks whether the runs of one dump are independent draws from one
 * distribution, and sets the caveats of a comparison. */
#ifndef ETC_STATS_EXAMINE_H
#define ETC_STATS_EXAMINE_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"

#include <stdbool.h>

/* Caveats to report beside the numbers, as bits. For the runs of one dump: */
enum etc_caveat {
	ETC_CAVEAT_DRIFT = 1 << 0,          /* runs get slower or faster over time */
	ETC_CAVEAT_AUTOCORRELATED = 1 << 1, /* times of consecutive runs are similar */
	ETC_CAVEAT_BIMODAL = 1 << 2,        /* two modes: the estimate may lie between them */
	/* For a group: */
	/* the group has fewer than ETC_CAVEAT_RUNS runs, so no change is claimed */
	ETC_CAVEAT_FEW_RUNS = 1 << 3,
	/* For a comparison (stats/compare.h): */
	/* each group has one dump, so the variance between processes is unknown */
	ETC_CAVEAT_ONE_DUMP = 1 << 4,
	/* the other group's variance between dumps was used for a group that has one dump (or two
	 * dumps, while the other has ETC_COMPARE_RECORDINGS or more) */
	ETC_CAVEAT_BORROWED = 1 << 5,
	ETC_CAVEAT_RESOLUTION = 1 << 6, /* the difference is below the clock's resolution */
	ETC_CAVEAT_NO_CHANCE = 1 << 7,  /* too few runs or dumps for any p to be significant */
	/* a drift is as large as the difference, so no change is claimed: a drift within the dumps
	 * or, with ETC_P_ORDER, a drift over the order of the dumps */
	ETC_CAVEAT_DROWNED = 1 << 8,
	ETC_CAVEAT_TAILS = 1 << 9, /* the fractions of slow runs differ significantly */
	/* the variance between processes is assumed, not measured */
	ETC_CAVEAT_ASSUMED = 1 << 10,
	/* the difference is corrected for a drift over the order of the dumps */
	ETC_CAVEAT_ORDERED = 1 << 11,
	/* the runs have two speeds, and these may explain the difference */
	ETC_CAVEAT_SPEEDS = 1 << 12,
	ETC_CAVEAT_COUNT = 13
};

enum { ETC_CAVEAT_RUNS = 5 };

struct etc_examined {
	double lag1; /* autocorrelation at lag 1 */
	/* number of independent runs whose mean would be as precise as that of these runs; the
	 * number of runs, unless they are AUTOCORRELATED */
	double effective;
	/* The median of the last quarter of the runs, minus that of the first quarter, as a
	 * fraction of that of the first quarter. A fitted slope is not used, because it would be
	 * wrong if the speed of the runs changes abruptly. */
	double drift;
	double drift_p; /* p of Mann-Kendall; 1: not tested */
	double dip_p;   /* p of Hartigan's dip test; 1: not tested */
	/* the widest gap between two groups of runs that are far apart, as a fraction of the
	 * longest time below the gap; 0: there is no such gap */
	double gap;
	size_t below, above; /* numbers of runs below and above the gap; 0: there is no gap */
	/* Medians of the faster and of the slower runs if the runs are BIMODAL, else 0. The runs
	 * are divided at the gap. Without a gap, they are divided in the middle between their 10th
	 * and 90th percentile. */
	double speeds[2];
	double rises;          /* Mann-Kendall's S; for several dumps, the sum over the dumps */
	double rises_variance; /* variance of S; for several dumps, the sum over the dumps */
	/* the Theil-Sen slope times the length of the series, as a fraction of the median of the
	 * series; for several dumps, the mean over the dumps */
	double drift_inside;
	/* bits of enum etc_caveat. For one dump: DRIFT, AUTOCORRELATED and BIMODAL. In struct
	 * etc_comparison_side also FEW_RUNS. */
	uint32_t caveats;
};

/* The properties that etc_examine() tests, as bits. */
enum etc_examine_parts {
	ETC_EXAMINE_NEIGHBOURS = 1 << 0, /* tests for AUTOCORRELATED */
	ETC_EXAMINE_REST = 1 << 1,       /* tests for DRIFT and BIMODAL */
	ETC_EXAMINE_ALL = ETC_EXAMINE_NEIGHBOURS | ETC_EXAMINE_REST
};

/* Examines v[0 .. n), finite and in the order of time; `sorted` has the same values ascending; n
 * may be 0. `resolution` is a tick of the clock in the unit of v; 0: unknown, the least difference
 * between values is used. `parts`: enum etc_examine_parts.
 *
 * DRIFT           Mann-Kendall p < 0.01 over at most 200 means of consecutive runs, and a
 *   drift of at least 1 %
 * AUTOCORRELATED  lag1 > 2.326 / sqrt(n), which has a probability below 1 % for
 *   independent runs
 * BIMODAL         at least 10 runs with a dip test p < 0.01, or at least 16 runs with a wide
 *   gap. For the dip test, equal values are first spread evenly over one tick, since a clock's
 *   ticks are not modes. A gap is wide if it divides the runs in two groups, each with at least 4
 *   runs and at least a tenth of all runs, and if it is longer than twice the sum of a tick and
 *   the wider group. The gap is needed because the dip test does not find a speed that few runs
 *   have
 *
 * E0904. */
enum etc_status etc_examine(const double *v, const double *sorted, size_t n, double resolution,
                            unsigned parts, struct etc_examined *out, struct etc_arena *scratch,
                            struct etc_error *err) ETC_MUST_CHECK;

#endif
