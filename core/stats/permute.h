/* permute.h -- permutation test for a difference of one quantile, or of the mean, between two
 * samples.
 *
 * If both samples come from one distribution, the assignment of values to A and B is random. So p
 * is the fraction of the divisions of all values into m and n values in which the statistic differs
 * by at least as much as observed. It is computed from random divisions as (1 + hits) / (1 +
 * rounds), so it is never below 1 / (1 + rounds): Phipson and Smyth, Statistical Applications in
 * Genetics and Molecular Biology 9 (2010) article 39. The test is exact: if there is no difference,
 * P(p <= x) <= x. */
#ifndef ETC_STATS_PERMUTE_H
#define ETC_STATS_PERMUTE_H

#include "stats/compare.h"

/* Returns the two-sided p of the difference between the samples a[0 .. m) and b[0 .. n). Both
 * are ascending, and m and n are above 0. options->stat is the mean or a quantile. Draws
 * options->rounds divisions of all values into two samples. For a quantile, draws only to
 * which sample each of the largest values belongs, down to the quantile. Returns 1 if out of
 * memory. */
double etc_permute(const double *a, size_t m, const double *b, size_t n,
                   const struct etc_compare_options *options, struct etc_arena *scratch);

#endif
