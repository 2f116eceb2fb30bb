/* divisions.h -- the sums of ranks of all divisions of some values into two samples.
 *
 * Streitberg and Roehmel's shift algorithm (1986), with the values halved: what a
 * division takes of the lower half and of the upper half is counted by itself, and
 * the two are put together for the sum that is asked for. The counts depend on the
 * ties alone, not on the values, and rows of a table are often tied alike: those of
 * the last row are kept, and those without ties. */
#ifndef ETC_STATS_DIVISIONS_H
#define ETC_STATS_DIVISIONS_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

/* Values in all, at most: C(50, 25) < 2^53 is exact in doubles. */
enum { ETC_DIVISIONS = 50, ETC_DIVISIONS_HALF = ETC_DIVISIONS / 2 };

/* How many choices of i of the `count` values have which sum of ranks. */
struct etc_division_half {
	uint32_t count, most;                   /* i goes to `most` */
	uint32_t least[ETC_DIVISIONS_HALF + 1]; /* the least sum of i */
	uint32_t range[ETC_DIVISIONS_HALF + 1]; /* the largest less the least, plus 1 */
	double *ways[ETC_DIVISIONS_HALF + 1];   /* of each sum from the least */
};

struct etc_division_table {
	uint32_t m, total;
	uint16_t ranks[ETC_DIVISIONS];      /* doubled midranks of all values, ascending */
	struct etc_division_half low, high; /* ways of `high` are running sums */
	double all;                         /* C(total, m) */
	/* p of each sum of ranks that was asked for; 0: was not. */
	double p[ETC_DIVISIONS * (ETC_DIVISIONS + 1) + 1];
	double *room;
	size_t size;
};

/* What is remembered from row to row. All zero but the arena: nothing yet. */
struct etc_divisions {
	struct etc_arena *arena; /* must outlive it */
	struct etc_division_table untied, tied;
};

/* The two-sided p of Mann-Whitney's U over all divisions of the values of two sorted
 * samples: twice the smaller tail; may exceed 1. 0 < m, n; m + n <= ETC_DIVISIONS. E0904. */
enum etc_status etc_divisions_p(struct etc_divisions *d, const double *a, size_t m, const double *b,
                                size_t n, double *p, struct etc_error *err) ETC_MUST_CHECK;

#endif
