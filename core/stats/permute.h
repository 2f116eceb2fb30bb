/* permute.h -- is one quantile of two samples, or their mean, the same? Over random divisions.
 *
 * If both come from one distribution, which values are A's is a matter of chance: p is the
 * part of divisions of all values into m and n in which these differ by as much
 * or more, (1 + hits) / (1 + rounds), never below 1 / (1 + rounds): Phipson and Smyth,
 * Statistical Applications in Genetics and Molecular Biology 9 (2010) article 39. Exact in
 * the sense that a true "no difference" gives p <= x in at most x of the cases. */
#ifndef ETC_STATS_PERMUTE_H
#define ETC_STATS_PERMUTE_H

#include "stats/compare.h"

/* a[0 .. m) and b[0 .. n) ascending, m, n > 0; options->stat the mean or a quantile.
 * Draws options->rounds divisions, of a quantile each only as far as it lies below the
 * largest value. Two-sided. 1 when there is no memory. */
double etc_permute(const double *a, size_t m, const double *b, size_t n,
                   const struct etc_compare_options *options, struct etc_arena *scratch);

#endif
