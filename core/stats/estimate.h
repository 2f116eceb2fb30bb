/* estimate.h -- the estimate over many runs, and how it depends on each of them.
 *
 * Each run has a position 0 ... n - 1 in a sorted order: by time for the typical run and
 * the mean (equal times in file order, stats/typical.h), by the row's own value for
 * quantiles. `y` has the row's value at each position, `time` the run's time. The
 * definitions are those of --stat:
 *
 * typical  mean of y over the positions whose time is near the median (stats/typical.h)
 * mean     mean of y
 * median   median of y; the mean of the two middle values if n is even
 * p90 ...  quantile of y, linearly interpolated: Hyndman and Fan's type 7 (The American
 *   Statistician 50 (1996) 361-365), numpy.percentile */
#ifndef ETC_STATS_ESTIMATE_H
#define ETC_STATS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns a quantile as a fraction: 0.5 for the median, 0.9 for p90. 0: `stat` is not a
 * quantile. */
double etc_estimate_part(uint8_t stat);

/* Returns how many runs are needed so that one is expected beyond the quantile: 10 for p90, 20 for
 * p95, 100 for p99. 0 for all other statistics. */
size_t etc_estimate_least(uint8_t stat);

/* Is there a method for the interval of `stat` (enum etc_stat)? There is none for the minimum and
 * the total. */
bool etc_estimate_known(uint8_t stat);

/* Returns the estimate of `stat` for the values y[0 .. n). n must be above 0, and
 * etc_estimate_known(stat) true. `time` has the times of the runs, which decide which runs are
 * typical; other statistics do not use it. */
double etc_estimate(uint8_t stat, const double *time, const double *y, size_t n);

/* Sets out[i] to the estimate without the run at position i; n > 1. `sums` is working memory for n
 * numbers. O(n log n). */
void etc_estimate_without(uint8_t stat, const double *time, const double *y, size_t n, double *out,
                          double *sums);

/* Returns the square of the jackknife's standard error, (n - 1) / n * sum (without[i] - mean)^2
 * (Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), 11.5). n > 1. */
double etc_jackknife_variance(const double *without, size_t n);

/* Returns the squared standard error of the median of y[0 .. n), ascending, for which the jackknife
 * does not work: ((y_(n - c + 1) - y_(c)) / (2 z))^2 with z = 2.5758, the normal quantile of 0.995,
 * and c = (n + 1) / 2 - z sqrt(n / 4), rounded, 1 at least: McKean and Schrader, Communications in
 * Statistics B 13 (1984) 751-773. */
double etc_median_variance(const double *y, size_t n);

/* Returns the square of the standard error of the quantile p = `part`. The standard error is the
 * distance between the values at two positions, divided by the number of standard errors between
 * the positions. The positions are p (n - 1) - z s and p (n - 1) + z s, counted from 0, with s =
 * sqrt(n p (1 - p)) and z as above. They are rounded, and limited to the ends of y. */
double etc_quantile_variance(const double *y, size_t n, double part);

#endif
