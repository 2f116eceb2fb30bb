/* trend.h -- does a series of runs drift, and is it autocorrelated? */
#ifndef ETC_STATS_TREND_H
#define ETC_STATS_TREND_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"

/* Mann-Kendall test: do later values tend to be larger? */
struct etc_mann_kendall {
	/* number of pairs of values whose later value is larger, minus the number of pairs whose
	 * later value is smaller */
	double s;
	double variance; /* variance that s has if there is no trend, corrected for ties */
	/* z: the value of s in standard deviations, with continuity correction; p: the two-sided p
	 * of z */
	double z, p;
	uint8_t why; /* enum etc_undefined; ETC_UNDEFINED_FEW: fewer than 3 values */
};

/* Computes the test for v[0 .. n), in the order of time, in O(n log n) time. The test is that of
 * Gilbert, "Statistical Methods for Environmental Pollution Monitoring" (1987) 16.4, and of
 * pymannkendall.original_test. E0904. */
enum etc_status etc_mann_kendall(const double *v, size_t n, struct etc_mann_kendall *out,
                                 struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

struct etc_theil_slope {
	double slope; /* per step, the median of all slopes (v[j] - v[i]) / (j - i) */
	uint8_t why;  /* enum etc_undefined; ETC_UNDEFINED_FEW: fewer than 2 values */
};

/* Computes the slope of Theil (1950) and Sen (1968), as scipy.stats.theilslopes(v)[0]. All n
 * (n - 1) / 2 slopes are stored. Therefore n may be at most 2000; for more values `why` is
 * ETC_UNDEFINED_NO_METHOD, and the caller should condense them first. E0904. */
enum etc_status etc_theil_slope(const double *v, size_t n, struct etc_theil_slope *out,
                                struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* Divides the values into at most `most` groups of consecutive values, and writes the mean of each
 * group to out[0 .. result). Sets `*width` to the number of values in a group. Values at the end
 * that do not fill a group are left out. A long series can then be tested for drift. */
size_t etc_condense(const double *v, size_t n, size_t most, double *out, size_t *width);

struct etc_autocorrelation {
	double lag1;      /* r_1 = sum (v_i - m)(v_i+1 - m) / sum (v_i - m)^2 */
	double effective; /* number of independent runs whose mean would be as precise, 1 ... n */
	uint8_t why;      /* enum etc_undefined; ETC_UNDEFINED_FEW: fewer than 4 values */
};

/* Computes the autocorrelation of v[0 .. n). `effective` is n / (1 + 2 sum of r_k) over Geyer's
 * initial positive sequence ("Practical Markov chain Monte Carlo", Statistical Science 7 (1992)
 * 473-483): pairs r_2k + r_2k+1 are added while they are positive. In short series r_k are too
 * small. So `effective` is at most n (1 - r) / (1 + r), where r = r_1 + (1 + 4 r_1) / n is
 * corrected for this bias (Kendall, Biometrika 41 (1954)). If there are more than 512 runs, and
 * they are still correlated at lag 64, `effective` is computed from at most 512 means of
 * consecutive runs: the variance of the means is compared with that of the runs. */
struct etc_autocorrelation etc_autocorrelation(const double *v, size_t n);

#endif
