/* compare_internal.h -- what compare.c and interval.c share: one row at work. */
#ifndef ETC_STATS_COMPARE_INTERNAL_H
#define ETC_STATS_COMPARE_INTERNAL_H

#include "stats/compare.h"
#include "stats/order.h"
#include "stats/runs.h"

/* One group: its runs and room for a row of them. */
struct etc_compare_half {
	struct etc_runs runs;
	double *x;            /* the row in file order */
	double *sorted;       /* the same, ascending */
	double *without;      /* the estimate without each run */
	double *rest, *other; /* room for n each */
	double **y;           /* of each row of the tile: its values at their places */
	double **replicates;  /* and its estimate in each round */
	double variance;      /* of the row's estimate */
	double by_runs;       /* the same, as far as runs explain it */
	double freedom;       /* how many independent differences the variance is made of */
};

struct etc_compare_work {
	const struct etc_compare_options *options;
	struct etc_compare_half half[2]; /* A, B */
	double *both;                    /* room for all rounds */
	uint64_t *keys;                  /* the same */
	double rank;                     /* etc_u_rank() */
	bool boot;                       /* replicates are there */
	struct etc_divisions divisions;  /* of the rows before */
	struct etc_arena *memory;        /* of the row */
	struct etc_error *err;
};

static inline bool etc_compare_brief(const struct etc_compare_work *w, size_t row)
{
	return w->options->brief && w->options->brief[row];
}

/* Fills intervals, p, p_method and the caveats of p of row `r` whose sides and U are
 * there; `i`: its place in the tile. E0904. */
enum etc_status etc_compare_infer(struct etc_compare_work *w, struct etc_comparison *c, size_t r,
                                  size_t i) ETC_MUST_CHECK;

/* between.c: are the groups in a known order, with dumps enough? */
bool etc_compare_in_order(const struct etc_compare_work *w);

/* The step from A's dumps to B's over that order, of logarithms where all are above 0. Both
 * halves know by_runs. E0904. */
enum etc_status etc_compare_step(struct etc_compare_work *w, struct etc_comparison *c,
                                 struct etc_step *out, bool *logarithms) ETC_MUST_CHECK;

/* What the difference says beyond the recordings; both halves have their variance, both sides
 * their drift. */
void etc_compare_between(struct etc_compare_work *w, struct etc_comparison *c);

#endif
