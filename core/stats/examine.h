/* examine.h -- can the runs of one dump be taken for draws from one distribution?
 *
 * What a comparison must say beside its numbers. */
#ifndef ETC_STATS_EXAMINE_H
#define ETC_STATS_EXAMINE_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"

#include <stdbool.h>

/* What a reader must know beside the numbers; a set of bits. Of one dump's runs: */
enum etc_caveat {
	ETC_CAVEAT_DRIFT = 1 << 0,          /* runs get slower or faster on the way */
	ETC_CAVEAT_AUTOCORRELATED = 1 << 1, /* a run is like the one before it */
	ETC_CAVEAT_BIMODAL = 1 << 2,        /* two speeds: the estimate may be neither */
	/* of a group: */
	ETC_CAVEAT_FEW_RUNS = 1 << 3, /* below ETC_CAVEAT_RUNS: no claim */
	/* of a comparison (stats/compare.h): */
	ETC_CAVEAT_ONE_DUMP = 1 << 4,   /* one dump each: between processes nothing is known */
	ETC_CAVEAT_BORROWED = 1 << 5,   /* a group of one dump is given the other's variance */
	ETC_CAVEAT_RESOLUTION = 1 << 6, /* the difference is below what the clock can tell */
	ETC_CAVEAT_NO_CHANCE = 1 << 7,  /* so few runs or dumps that no p could be significant */
	ETC_CAVEAT_DROWNED = 1 << 8,    /* a drift inside the dumps is as large as the difference */
	ETC_CAVEAT_TAILS = 1 << 9,      /* the part of slow runs differs significantly */
	ETC_CAVEAT_ASSUMED = 1 << 10,   /* what processes differ by is assumed, not measured */
	ETC_CAVEAT_ORDERED = 1 << 11,   /* adjusted for a drift over the order of the dumps */
	ETC_CAVEAT_COUNT = 12
};

enum { ETC_CAVEAT_RUNS = 5 };

struct etc_examined {
	double lag1;      /* autocorrelation of neighbours */
	double effective; /* how many independent runs tell as much; all, unless AUTOCORRELATED */
	double drift;     /* Theil-Sen over the whole series, as a part of its median */
	double drift_p;   /* Mann-Kendall; 1: not known */
	double dip_p;     /* Hartigan; 1: not known */
	/* Mann and Kendall's S and its variance, and the drift: over dumps their sums and mean. */
	double rises, rises_variance, drift_inside;
	uint32_t caveats; /* the first three of enum etc_caveat */
};

/* Adds the drift of v[0 .. n), and DRIFT, to `out`: what etc_examine() does if not brief. E0904. */
enum etc_status etc_examine_drift(const double *v, const double *sorted, size_t n,
                                  struct etc_examined *out, struct etc_arena *scratch,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* v[0 .. n) in the order of time, finite, `sorted` the same ascending; n may be 0. `resolution` is a tick of the
 * clock in the unit of v, 0: the least difference found. `brief`: only AUTOCORRELATED.
 *
 *   DRIFT           Mann-Kendall p < 0.01 over at most 200 means of neighbouring
 *                   runs, and the drift is 1 % of the median or more
 *   AUTOCORRELATED  lag1 > 2.326 / sqrt(n): less than 1 % by chance
 *   BIMODAL         dip p < 0.01 and 10 runs or more; equal values are spread evenly
 *                   over one tick first, since a clock's ticks are no modes
 * E0904. */
enum etc_status etc_examine(const double *v, const double *sorted, size_t n, double resolution,
                            bool brief, struct etc_examined *out, struct etc_arena *scratch,
                            struct etc_error *err) ETC_MUST_CHECK;

#endif
