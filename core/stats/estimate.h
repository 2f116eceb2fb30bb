/* estimate.h -- the number that stands for many runs, and how it depends on each.
 *
 * Runs have places 0 … n - 1: by time for the typical run and the mean (equal
 * times in file order, stats/typical.h), by the row's own value for the median.
 * `y` holds the row's value at each place, `time` the run's. The same rule as --stat:
 *
 *   typical  mean of y over the places whose time is near the median (stats/typical.h)
 *   mean     mean of y
 *   median   of y, the mean of the two middle ones if n is even
 *   p90 …    of y, by linear interpolation between its neighbours: Hyndman and Fan's
 *            type 7 (The American Statistician 50 (1996) 361-365), numpy.percentile */
#ifndef ETC_STATS_ESTIMATE_H
#define ETC_STATS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of the values that is at or below `stat`: 0.5 for the median, 0.9 for p90; 0
 * for what is no quantile. */
double etc_estimate_part(uint8_t stat);

/* Runs that its quantile needs to be more than the largest value: 10 for p90, 20, 100; 0
 * for all others. */
size_t etc_estimate_least(uint8_t stat);

/* Has `stat` (enum etc_stat) an interval? Not the minimum, not the total. */
bool etc_estimate_known(uint8_t stat);

/* n > 0; etc_estimate_known(stat). `time` is of the typical run alone. */
double etc_estimate(uint8_t stat, const double *time, const double *y, size_t n);

/* out[i] is the estimate without the run at place i; n > 1. `sums` has room for n.
 * O(n log n). */
void etc_estimate_without(uint8_t stat, const double *time, const double *y, size_t n, double *out,
                          double *sums);

/* The jackknife's squared standard error, (n - 1) / n * sum (out_i - mean)^2: Efron
 * and Tibshirani, "An Introduction to the Bootstrap" (1993), 11.5. n > 1. */
double etc_jackknife_variance(const double *without, size_t n);

/* The squared standard error of the median of y[0 .. n), ascending, for which the
 * jackknife does not work: ((y_(n - c + 1) - y_(c)) / (2 z))^2 with z = 2.5758, the normal
 * quantile of 0.995, and c = (n + 1) / 2 - z sqrt(n / 4), rounded, 1 at least: McKean and
 * Schrader, Communications in Statistics B 13 (1984) 751-773. */
double etc_median_variance(const double *y, size_t n);

/* The same of any quantile: the distance between the values at n p - z s and n p + z s, s =
 * sqrt(n p (1 - p)), over as many standard errors as lie between their places after rounding
 * and at the ends of y. */
double etc_quantile_variance(const double *y, size_t n, double part);

#endif
