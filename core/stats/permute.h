/* permute.h -- permutation test for a difference of one quantile, or the mean, of two
 * samples.
 *
 * If both samples come from one distribution, the assignment of values to A and B is
 * random: p is the fraction of divisions of all values into m and n in which the
 * statistic differs by as much or more, computed as (1 + hits) / (1 + rounds), so never
 * below 1 / (1 + rounds): Phipson and Smyth, Statistical Applications in Genetics and
 * Molecular Biology 9 (2010) article 39. Exact: without a difference, P(p <= x) <= x. */
#ifndef ETC_STATS_PERMUTE_H
#define ETC_STATS_PERMUTE_H

#include "stats/compare.h"

/* Returns the two-sided p of the difference between the samples a[0 .. m) and b[0 .. n). Both are
 * ascending, and m and n are above 0. options->stat is the mean or a quantile. Draws
 * options->rounds divisions; for a quantile, it draws only which sample the values from the top
 * down to the quantile belong to. Returns 1 if out of memory. */
double etc_permute(const double *a, size_t m, const double *b, size_t n,
                   const struct etc_compare_options *options, struct etc_arena *scratch);

#endif
