/* change_points.h -- when did the level of a series change?
 *
 * PELT (Killick, Fearnhead and Eckley, "Optimal detection of changepoints with a linear
 * computational cost", JASA 107 (2012) 1590-1598) finds the division into segments with the least
 * cost. The cost is the sum of squares around the segments' means, plus a penalty for each segment.
 *
 * The penalty is ETC_CHANGE_PENALTY * w * log n, where w is the long-run variance of a series whose
 * values resemble the ones before (AR(1)). It follows from rho, the correlation of neighbouring
 * values: rho is (s2 / s1)^2 - 1, where s1 and s2 are robust standard deviations of the differences
 * between values that are one and two steps apart (Chakar, Lebarbier, Levy-Leduc and Robin, "A
 * robust approach for estimating change-points in the mean of an AR(1) process", Bernoulli 23
 * (2017) 1408-1447).
 *
 * Before the series is divided, single values far from their neighbours are moved towards them
 * (Hampel's filter). */
#ifndef ETC_STATS_CHANGE_POINTS_H
#define ETC_STATS_CHANGE_POINTS_H

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

enum {
	/* least number of values of a segment while the series is divided; afterwards its ends are
	 * moved to where the level changes */
	ETC_CHANGE_LEAST = 5,
	ETC_CHANGE_FEW = 10, /* a shorter series has no change points */
	/* largest number of values: the caller divides a longer series, because the time is
	 * quadratic if the level never changes */
	ETC_CHANGE_MOST = 20000
};
#define ETC_CHANGE_PENALTY 6.0

/* Finds the change points of v[0 .. n), which are finite and in the order of time; n <=
 * ETC_CHANGE_MOST. Sets at[0 .. *count) to the first index of each segment except the first
 * segment, ascending; `at` has room for n. `least` is the least standard deviation assumed for the
 * noise. E0904. */
enum etc_status etc_change_points(const double *v, size_t n, double least, size_t *at,
                                  size_t *count, struct etc_arena *scratch,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
