/* bootstrap.h -- how the estimate would vary if the runs were drawn again.
 *
 * Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), 14.3: BCa, bias
 * corrected and accelerated. Equal in law to scipy.stats.bootstrap(method="BCa"),
 * with which runs, not rows, are drawn: one draw of runs serves every row, so
 * `y` of all rows must come from the same runs.
 *
 * Up to ETC_BOOTSTRAP_DRAWN runs each round draws n runs. Above, a round draws
 * only what decides the estimate, in time that does not depend on n:
 *
 *   median   the places of the two middle ones are n times two neighbouring order
 *            statistics of n uniform numbers, drawn from gamma variates: exact. So
 *            are those of p90, p95 and p99.
 *   typical  the median so, then the median deviation around it; each of the four
 *            stretches of places between these and the ends of what counts has a
 *            number of independent runs. Their sum is drawn from its normal
 *            approximation with a term for skewness (Cornish-Fisher), its
 *            moments read off running sums; single values that would show in the
 *            sum are drawn one by one. Ends differ from those of whole draws by
 *            0.1 standard errors or less (docs/statistics.md); those of two seeds
 *            with 10,000 rounds by 0.03.
 *   mean     the same of one stretch, all places. */
#ifndef ETC_STATS_BOOTSTRAP_H
#define ETC_STATS_BOOTSTRAP_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"

enum { ETC_BOOTSTRAP_DRAWN = 400 };

enum etc_interval_method {
	ETC_INTERVAL_NONE,
	ETC_INTERVAL_BCA,       /* bootstrap over the runs */
	ETC_INTERVAL_EFFECTIVE, /* Student's t, effective number of runs: they depend on each other */
	ETC_INTERVAL_NORMAL,  /* Student's t with the jackknife's error: no rounds were asked for */
	ETC_INTERVAL_DUMPS,   /* Student's t over the dumps */
	ETC_INTERVAL_ORDER,   /* Student's t of the step over the order of the dumps */
	ETC_INTERVAL_ASSUMED, /* normal, with an assumed spread between processes */
	ETC_INTERVAL_CONSTANT, /* nothing varies: both ends are the estimate */
};

struct etc_interval {
	double low, high;
	uint8_t method; /* enum etc_interval_method */
	uint8_t why;    /* enum etc_undefined */
};

/* Which rounds to draw. Rounds of equal numbers draw the same runs. */
struct etc_bootstrap {
	uint8_t stat; /* enum etc_stat; etc_estimate_known */
	uint32_t rounds;
	uint64_t seed, stream; /* a stream per sample */
	const double *time;    /* of the runs at the places, ascending: of the typical run */
};

/* out[r * rounds + k] becomes the estimate of row r in round k. y[r] has n values
 * (estimate.h), 0 < n < 2^32, finite. E0904. */
enum etc_status etc_bootstrap_rows(const struct etc_bootstrap *plan, const double *const *y,
                                   size_t rows, size_t n, double *out, struct etc_arena *scratch,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* The BCa interval. `estimate` is of the sample itself; `scratch` has room for all rounds.
 * `acceleration` is etc_acceleration(). Ends are interpolated as numpy.percentile. */
struct etc_interval etc_bca(const double *replicates, size_t rounds, double estimate,
                            double acceleration, double level, uint64_t *scratch);

/* Efron's acceleration of a statistic of one or two samples (n2 may be 0), from its
 * values without each of the runs: 1/6 sum U^3 / n^3 / (sum U^2 / n^2)^1.5 with
 * U = (n - 1) (mean - value), sums over both. 0 when nothing varies. */
double etc_acceleration(const double *without1, size_t n1, const double *without2, size_t n2);

#endif
