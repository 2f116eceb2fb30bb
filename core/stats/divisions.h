/* divisions.h -- counts how often each rank sum occurs among all divisions of some values into two
 * samples.
 *
 * The shift algorithm of Streitberg and Roehmel (1986) is applied separately to the lower and to
 * the upper half of the values; the two tables of counts are combined for the sum that is needed.
 * Counts depend only on which values are tied. Rows of a table often have the same ties, so two
 * tables are kept: that of the last row with ties, and that for values without ties. */
#ifndef ETC_STATS_DIVISIONS_H
#define ETC_STATS_DIVISIONS_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

/* The most values of both samples together. The limit keeps all counts exact in doubles: C(50, 25)
 * < 2^53. */
enum { ETC_DIVISIONS = 50, ETC_DIVISIONS_HALF = ETC_DIVISIONS / 2 };

/* The lower or the upper half of the values. The table `ways` has, for each i and each sum, the
 * number of ways to choose i of the `count` ranks so that they add up to this sum. */
struct etc_division_half {
	uint32_t count;                         /* number of ranks */
	uint32_t most;                          /* the largest i for which ways are counted */
	uint32_t least[ETC_DIVISIONS_HALF + 1]; /* least[i]: the least sum of i ranks */
	/* number of integers from the least sum of i ranks to the largest one */
	uint32_t range[ETC_DIVISIONS_HALF + 1];
	/* ways[i][k]: in how many ways i of the ranks can be chosen so that their sum is least[i] +
	 * k */
	double *ways[ETC_DIVISIONS_HALF + 1];
};

struct etc_division_table {
	uint32_t m, total;
	uint16_t ranks[ETC_DIVISIONS]; /* doubled midranks of all values, ascending */
	/* in `high`, ways[i][k] is instead the number of ways to choose i ranks whose sum is at
	 * most least[i] + k */
	struct etc_division_half low, high;
	double all; /* C(total, m) */
	/* p for each sum of the ranks of the first sample; 0: not computed yet */
	double p[ETC_DIVISIONS * (ETC_DIVISIONS + 1) + 1];
	double *room;
	size_t size;
};

/* Tables that are kept from row to row. Initialise all members with zeros, except `arena`. */
struct etc_divisions {
	struct etc_arena *arena; /* must outlive this struct */
	struct etc_division_table untied, tied;
};

/* Computes the two-sided p of Mann-Whitney's U over all divisions of the values of two sorted
 * samples. p is twice the smaller tail, so it may exceed 1. m and n are above 0, m + n <=
 * ETC_DIVISIONS. E0904. */
enum etc_status etc_divisions_p(struct etc_divisions *d, const double *a, size_t m, const double *b,
                                size_t n, double *p, struct etc_error *err) ETC_MUST_CHECK;

#endif
