/* rank.h -- ranks, ties, Mann-Whitney's U and Cliff's delta of two samples.
 *
 * A sample is here, as in statistics, a set of numbers. All functions take samples of finite
 * numbers in ascending order (sort.h). */
#ifndef ETC_STATS_RANK_H
#define ETC_STATS_RANK_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/defined.h"
#include "stats/divisions.h"

/* Counts how the values of two samples compare, over all m * n pairs. */
struct etc_pairs {
	/* number of pairs with b < a, b == a and b > a; exact below 2^53 */
	double less, equal, greater;
	/* sum of t^3 - t over all groups of t equal values of both samples together */
	double tie_term;
};

/* Counts the pairs (struct etc_pairs). Both samples must be sorted in ascending order. Takes O(m +
 * n) time. */
struct etc_pairs etc_pairs(const double *a, size_t m, const double *b, size_t n);

/* The method by which Mann-Whitney's p is computed. */
enum etc_u_method {
	/* as scipy's default: exact if a sample has <= 8 values and there are no ties */
	ETC_U_AUTO,
	ETC_U_EXACT, /* all C(m + n, m) orders of untied values, counted as integers */
	/* approximation by the normal distribution: variance corrected for ties, continuity
	 * correction 1/2 */
	ETC_U_ASYMPTOTIC,
	ETC_U_PERMUTATION, /* all C(m + n, m) divisions of the actual values, with ties */
};

struct etc_mann_whitney {
	/* U of sample b: number of pairs with b > a, plus half of the number of equal pairs */
	double u;
	double p;       /* two-sided */
	uint8_t method; /* enum etc_u_method: the method that gave p */
	uint8_t why;    /* enum etc_undefined */
};

/* Computes the test of Mann and Whitney (1947). ETC_U_EXACT uses Harding's generating function,
 * Applied Statistics 33 (1984) 1-6; ETC_U_PERMUTATION uses the shift algorithm of Streitberg and
 * Roehmel (1986). ETC_U_AUTO, _EXACT and _ASYMPTOTIC equal scipy.stats.mannwhitneyu(b, a,
 * method=...); ETC_U_PERMUTATION equals scipy's PermutationMethod over all divisions.
 *
 * ETC_U_ASYMPTOTIC is used instead of ETC_U_EXACT if there are ties or the counts exceed 127 bits,
 * and instead of ETC_U_PERMUTATION if there are more than ETC_DIVISIONS values; out->method is the
 * method that was used. p is 1 if all values are equal (as in scipy). `memory` keeps tables between
 * rows, or is NULL. E0904. */
enum etc_status etc_mann_whitney(const double *a, size_t m, const double *b, size_t n,
                                 enum etc_u_method method, struct etc_mann_whitney *out,
                                 struct etc_divisions *memory, struct etc_arena *scratch,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Computes the rank `*k` of the ends of the interval of the shift (shift.h): they are the k-th
 * smallest and the k-th largest difference. k is the largest number with P(U <= k - 1) <= alpha /
 * 2, assuming no ties; 0 if there is none. This is exact for up to 50 values in each sample, or up
 * to 8 in one sample; otherwise k is floor(m n / 2 + z sqrt(m n (m + n + 1) / 12)), where z is the
 * normal quantile of alpha / 2. m, n > 0. E0904. */
enum etc_status etc_u_rank(size_t m, size_t n, double alpha, double *k, struct etc_arena *scratch,
                           struct etc_error *err) ETC_MUST_CHECK;

#endif
