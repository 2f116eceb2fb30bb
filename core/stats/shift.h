/* shift.h -- the shift between two samples: Hodges-Lehmann estimator.
 *
 * The estimate is the median of all m * n differences b - a. The two ends of the interval are
 * differences, too: their ranks are equally far from the lowest and the highest rank. Sources:
 * Hodges and Lehmann (1963); for the interval, Moses (Hollander, Wolfe and Chicken,
 * "Nonparametric Statistical Methods", 4.3). Differences are not stored: the sorted samples define
 * a matrix with sorted rows and columns, in which the differences below a number are counted in
 * O(m + n). */
#ifndef ETC_STATS_SHIFT_H
#define ETC_STATS_SHIFT_H

#include "stats/defined.h"

struct etc_shift {
	/* estimated shift of b relative to a; positive if the values of b are larger */
	double shift;
	double low, high; /* ends of the interval; both are 0 if there is none */
	uint8_t why;      /* enum etc_undefined */
	/* enum etc_undefined: why there is no interval. ETC_UNDEFINED_FEW: no rank gives an
	 * interval of the requested confidence */
	uint8_t no_interval;
};

/* Returns the Hodges-Lehmann estimate of the shift from a to b, and its interval. Both arrays must
 * be sorted and finite; `k` is the rank of the interval's ends, from etc_u_rank(). */
struct etc_shift etc_hodges_lehmann(const double *a, size_t m, const double *b, size_t n, double k);

#endif
