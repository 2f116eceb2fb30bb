/* estimate.h -- the number that stands for many runs, and how it depends on each.
 *
 * Runs have places 0 … n - 1: by time for the typical run and the mean (equal
 * times in file order, stats/typical.h), by the row's own value for the median.
 * `y` holds the row's value at each place. The same rule as --stat:
 *
 *   typical  mean of y over the places n / 4 … n - n / 4 - 1
 *   mean     mean of y
 *   median   of y, the mean of the two middle ones if n is even */
#ifndef ETC_STATS_ESTIMATE_H
#define ETC_STATS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Has `stat` (enum etc_stat) an interval? Not the minimum, not the total. */
bool etc_estimate_known(uint8_t stat);

/* n > 0; etc_estimate_known(stat). */
double etc_estimate(uint8_t stat, const double *y, size_t n);

/* out[i] is the estimate without the run at place i; n > 1. O(n). */
void etc_estimate_without(uint8_t stat, const double *y, size_t n, double *out);

/* The jackknife's squared standard error, (n - 1) / n * sum (out_i - mean)^2: Efron
 * and Tibshirani, "An Introduction to the Bootstrap" (1993), 11.5. n > 1. */
double etc_jackknife_variance(const double *without, size_t n);

/* The squared standard error of the median of y[0 .. n), ascending, for which the
 * jackknife does not work: ((y_(n - c + 1) - y_(c)) / (2 z))^2 with z = 2.5758, the normal
 * quantile of 0.995, and c = (n + 1) / 2 - z sqrt(n / 4), rounded, 1 at least: McKean and
 * Schrader, Communications in Statistics B 13 (1984) 751-773. */
double etc_median_variance(const double *y, size_t n);

#endif
