/* compare_internal.h -- private to compare.c, interval.c and between.c: the working memory for
 * comparing one row of two groups. */
#ifndef ETC_STATS_COMPARE_INTERNAL_H
#define ETC_STATS_COMPARE_INTERNAL_H

#include "stats/compare.h"
#include "stats/order.h"
#include "stats/runs.h"

/* One group: its runs and working memory for a row. */
struct etc_compare_half {
	struct etc_runs runs;
	double *x;      /* values of the row, in file order */
	double *sorted; /* values of the row, ascending */
	/* for each run: the row's estimate if this run is left out */
	double *without;
	double *rest, *other; /* working memory: a number for each run, in each array */
	/* for each of the rows that are processed together (the tile): its values by position
	 * (estimate.h) */
	double **y;
	double **replicates; /* for each row of the tile: its estimate in each bootstrap round */
	double variance;     /* variance of the row's estimate */
	/* the part of `variance` that comes from the variation between runs */
	double by_runs;
	double own;     /* mean of the dumps' own estimates, if there are several dumps */
	double freedom; /* degrees of freedom of `variance` */
};

struct etc_compare_work {
	const struct etc_compare_options *options;
	struct etc_compare_half half[2]; /* A, B */
	double *both;                    /* working memory: a number for each round */
	uint64_t *keys; /* working memory: a key (sort.h) for each round of the bootstrap */
	double rank;    /* result of etc_u_rank() */
	bool boot;      /* the bootstrap is used, so `replicates` are set */
	struct etc_divisions divisions; /* tables that are kept from row to row */
	struct etc_arena *memory;       /* memory that is used for the current row only */
	struct etc_error *err;
};

static inline bool etc_compare_brief(const struct etc_compare_work *w, size_t row)
{
	return w->options->brief && w->options->brief[row];
}

/* Computes intervals, p and p_method of row `r`, and the caveats about p, and writes them to `c`.
 * The sides and U in `c` were computed before. `i` is the row's position in the tile (the rows
 * that are processed together). E0904. */
enum etc_status etc_compare_infer(struct etc_compare_work *w, struct etc_comparison *c, size_t r,
                                  size_t i) ETC_MUST_CHECK;

/* between.c: returns c->difference or c->other, whichever is nearer to 0; 0 if their signs
 * differ. */
double etc_compare_nearer(const struct etc_comparison *c);

/* between.c: returns the row's estimate. If `only` is true, it is from the runs of dump `d`;
 * otherwise from the runs of all other dumps. */
double etc_compare_estimate_of(const struct etc_compare_work *w, struct etc_compare_half *h,
                               size_t d, bool only);

/* between.c: is the order of recording known, and does each group have enough dumps to use it? */
bool etc_compare_in_order(const struct etc_compare_work *w);

/* Computes the step from A's dumps to B's, apart from a drift over the order of recording
 * (order.h). If the estimates of all dumps are positive, the step is that of their logarithms, and
 * `*logarithms` is set. `by_runs` of both halves must be set. E0904. */
enum etc_status etc_compare_step(struct etc_compare_work *w, struct etc_comparison *c,
                                 struct etc_step *out, bool *logarithms) ETC_MUST_CHECK;

/* Decides whether the difference exceeds the variation between recordings. In w->half[], `variance`
 * must be set; in c->a and c->b, `drift` must be set. */
void etc_compare_between(struct etc_compare_work *w, struct etc_comparison *c);

/* compare_speeds.c: decides whether two speeds of the runs explain the difference. Called after
 * etc_compare_between(), whose results it uses. */
void etc_compare_speeds(const struct etc_compare_work *w, struct etc_comparison *c);

#endif
