/* bootstrap.h -- the distribution of an estimate when runs are drawn again with
 * replacement.
 *
 * Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), 14.3: BCa, bias
 * corrected and accelerated. Equivalent to scipy.stats.bootstrap(method="BCa"). Runs are
 * drawn, not rows: one draw serves every row, so `y` of all rows must come from the same
 * runs.
 *
 * Up to ETC_BOOTSTRAP_DRAWN runs, each round draws n runs. Above, a round draws only the
 * order statistics and sums that decide the estimate, in time independent of n:
 *
 * median   The positions of the two middle runs are drawn: they are n times two adjacent order
 *   statistics of n uniform numbers, computed from gamma variates. The result is exact. p90, p95
 *   and p99 are drawn in the same way.
 * typical  The median is drawn in this way, then the median absolute deviation around it. These
 *   two numbers, and the limits of the typical runs, bound four ranges. For each range, the number
 *   of its runs is drawn, then the sum of their values: from a normal distribution with a term for
 *   skewness (Cornish-Fisher), whose moments come from prefix sums. Outliers that would show in
 *   the sum are drawn one by one. Interval ends differ from those of full draws by 0.1 standard
 *   errors or less (docs/statistics.md); two seeds with 10,000 rounds differ by 0.03.
 * mean     It is drawn like the typical run, but with one range, which has all runs. */
#ifndef ETC_STATS_BOOTSTRAP_H
#define ETC_STATS_BOOTSTRAP_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"

enum { ETC_BOOTSTRAP_DRAWN = 400 };

enum etc_interval_method {
	ETC_INTERVAL_NONE,
	ETC_INTERVAL_BCA, /* the BCa bootstrap (see above), which draws runs */
	/* the runs are autocorrelated: Student's t with the effective number of runs */
	ETC_INTERVAL_EFFECTIVE,
	/* the number of bootstrap rounds is 0: Student's t with the jackknife's standard error */
	ETC_INTERVAL_NORMAL,
	ETC_INTERVAL_DUMPS, /* Student's t over one estimate per dump */
	/* Student's t; the difference between the groups is fitted together with a drift over the
	 * order of the dumps (stats/order.h) */
	ETC_INTERVAL_ORDER,
	ETC_INTERVAL_ASSUMED, /* normal distribution; the spread between processes is assumed */
	/* all values are equal, so both ends of the interval equal the estimate */
	ETC_INTERVAL_CONSTANT,
};

struct etc_interval {
	double low, high;
	uint8_t method; /* enum etc_interval_method */
	uint8_t why;    /* enum etc_undefined */
};

/* How runs are drawn in the bootstrap. Two draws with equal parameters choose the same runs. */
struct etc_bootstrap {
	uint8_t stat; /* an enum etc_stat for which etc_estimate_known() is true */
	uint32_t rounds;
	uint64_t seed, stream; /* each of the two groups has its own stream of random numbers */
	const double *time;    /* times of the runs, ascending; for the typical run only */
};

/* Draws runs, and sets out[r * rounds + k] to the estimate of row r in round k. y[r] has n values
 * (estimate.h), 0 < n < 2^32, finite. E0904. */
enum etc_status etc_bootstrap_rows(const struct etc_bootstrap *plan, const double *const *y,
                                   size_t rows, size_t n, double *out, struct etc_arena *scratch,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Returns the BCa interval. `estimate` is the estimate of the sample itself, `acceleration` is from
 * etc_acceleration(). `scratch` has room for all rounds. The ends are interpolated as in
 * numpy.percentile. */
struct etc_interval etc_bca(const double *replicates, size_t rounds, double estimate,
                            double acceleration, double level, uint64_t *scratch);

/* Returns Efron's acceleration of a statistic of one or two groups of runs (n2 may be 0) from its
 * jackknife values; without1[i] is the statistic of the first group without run i. With U = (n - 1)
 * (mean - value), it is 1/6 sum U^3 / n^3 / (sum U^2 / n^2)^1.5, where the sums are over both
 * groups. 0 if all jackknife values are equal. */
double etc_acceleration(const double *without1, size_t n1, const double *without2, size_t n2);

#endif
