/* compare.h -- compares groups A and B: one rule for every row of `diff` and `check`.
 *
 * A change is significant when the p of the row, after Holm's correction over all rows of
 * the comparison, is below 1 - level, the row's interval excludes "no change", the difference
 * is not below the clock's resolution, and both groups have ETC_CAVEAT_RUNS runs. p and
 * interval are computed by:
 *
 * one dump each    Mann-Whitney over the runs and a BCa bootstrap of the runs. If the
 *   runs of a group are autocorrelated (ETC_CAVEAT_AUTOCORRELATED), p and interval are computed
 *   by Welch's t with the effective numbers of runs. For the typical run and the median, they are
 *   then widened until p is at least that of Mann-Whitney. The variance between processes is
 *   unknown: ETC_CAVEAT_ONE_DUMP.
 * several dumps    Welch's t over the dumps. The estimate's variance is the jackknife's
 *   over dumps, but at least the jackknife's over runs, and at least the variance of the
 *   dumps' own estimates. It is widened if the means of those estimates differ by less than
 *   90 % of the difference between the groups. Degrees of freedom by Satterthwaite. There is no
 *   bootstrap of dumps, because two to five dumps have too few different resamples (126 for
 *   five). With two dumps each the interval is wide. For a quantile, variance and
 *   interval are widened until p is at least the p over random divisions of all runs (permute.h).
 * one and several  the group of one dump gets the other group's variance between dumps:
 *   ETC_CAVEAT_BORROWED. So does a group of two dumps if the other group has
 *   ETC_COMPARE_RECORDINGS or more.
 *
 * A significant difference between recordings is attributed to the programs only if the
 * usual variance between processes cannot explain it:
 *
 * the base has ETC_COMPARE_RECORDINGS dumps  the variance was measured and is part of p.
 * the base has fewer  the variance is assumed: a recording's level has a relative standard
 *   deviation of `process_spread` or, with `at_least`, of the larger spread of the two groups'
 *   runs, if that is larger: noise that disturbs runs also shifts the level of whole
 *   recordings. `explained` is set if the change is significant, but within that variance
 *   (normal distribution of the ratio's logarithm).
 * the order is known, and each group has ETC_COMPARE_RECORDINGS dumps  a smooth drift
 *   over the order is fitted together with the step between the groups (order.h). p and
 *   intervals are those of the step: ETC_P_ORDER.
 *
 * If the variance is assumed, the groups may differ only because each process runs at one of two
 * speeds. That is possible if a dump has two speeds (BIMODAL), or if runs of one group have the
 * speed of the other (at least one run of the slower group, or two of the faster one). No change
 * is then claimed if the ratio of the two speeds, together with the assumed variance, explains it:
 * ETC_CAVEAT_SPEEDS.
 *
 * Difference and ratio are always those of the two estimates. An interval is extended to contain
 * them, and is not given if it reaches further than ten times the larger time. If half of the runs
 * of a group are equal, but not all runs, the clock is coarse: intervals of typical end-to-end
 * times, medians and quantiles that contain 0 are extended by the least difference between two
 * runs.
 *
 * If the runs within the dumps drift (Mann-Kendall over all dumps of a group, p < 0.01) by as much
 * as the difference, no change is claimed: ETC_CAVEAT_DROWNED. With ETC_P_ORDER, the drift over the
 * order of the dumps is examined instead: no change is claimed if this drift gives the difference
 * another sign, or makes it more than three times as large or as small.
 *
 * Estimates are over all runs of a group together, as `analyze` pools files. */
#ifndef ETC_STATS_COMPARE_H
#define ETC_STATS_COMPARE_H

#include "base/arena.h"
#include "base/error.h"
#include "stats/bootstrap.h"
#include "stats/examine.h"
#include "stats/rank.h"
#include "stats/samples.h"
#include "stats/shift.h"

enum {
	ETC_COMPARE_ROUNDS = 10000, /* number of bootstrap rounds */
	/* a group with fewer dumps than this cannot measure the variance between processes */
	ETC_COMPARE_RECORDINGS = 3
};

struct etc_compare_options {
	uint8_t stat; /* enum etc_stat: the statistic that is compared */
	double level; /* confidence of the intervals; default: 0.95 */
	/* number of bootstrap rounds; 0: no bootstrap; ETC_INTERVAL_NORMAL is used in its place */
	uint32_t rounds;
	uint64_t seed; /* seed of the random numbers; equal seeds give equal results */
	/* relative standard deviation between processes that is assumed if it was not measured;
	 * default: 0.05; 0: nothing is assumed, and `at_least` has no effect */
	double process_spread;
	/* if the spread of the runs is larger than process_spread, assume the spread of the runs
	 * instead; default: true */
	bool at_least;
	/* number of rows whose tails are compared: the first `tails` rows; the others have no
	 * tail_p */
	size_t tails;
	/* clock resolution per row, in the unit of the samples; NULL: unknown */
	const double *resolution;
	/* For each row: true if only p, significance and the estimates are computed, and, if p < 1
	 * - level, the interval of the difference. In such a row, shift, drift, dip and the
	 * interval of the ratio are ETC_UNDEFINED_NO_METHOD. NULL: every row is computed
	 * completely. */
	const bool *brief;
};

/* Returns the default options: the typical run, level 95 %, 10,000 rounds, seed 1, and an assumed
 * standard deviation of 5 % between processes (process_spread). `tails` and `resolution` are not
 * set. */
struct etc_compare_options etc_compare_defaults(void);

/* The results of one group for a row. */
struct etc_comparison_side {
	size_t dumps, runs;
	double estimate; /* estimate of the chosen statistic */
	double typical, median, p95, max;
	/* 1.4826 times the median absolute deviation of the runs, divided by their median. 0 in
	 * three cases: there are fewer than four runs; the median is 0; or the base has
	 * ETC_COMPARE_RECORDINGS dumps, so that the spread is not needed. */
	double spread;
	/* Results over the dumps of the group. `lag1`, `dip_p` and `gap` are from the dump in which
	 * they are worst. `drift` and `drift_p` are from the dump with the least `drift_p` among
	 * those with the caveat DRIFT. `effective`, `rises` and `rises_variance` are sums over the
	 * dumps, `drift_inside` is a mean. `caveats` are those of all dumps together, and those of
	 * the group. */
	struct etc_examined examined;
	/* enum etc_undefined: the reason why there are no results; if it is set, only the numbers
	 * of dumps and runs are valid */
	uint8_t why;
};

/* The test that gives `p`. Mann-Whitney does not test means or quantiles above the median (p90
 * ...): their p comes from random divisions of all runs (permute.h), or from Welch's t. */
enum etc_p_method {
	ETC_P_NONE,
	ETC_P_RUNS, /* Mann-Whitney over the runs: `p` is that of `u` */
	/* p over random divisions of all runs into groups of these sizes, for quantiles; for few
	 * runs with ties, Mann-Whitney's p over all divisions */
	ETC_P_PERMUTATION,
	/* Welch's t over the runs. The number of runs that it uses for a group is the effective
	 * one (etc_examined.effective) */
	ETC_P_EFFECTIVE,
	ETC_P_DUMPS, /* Welch's t over one estimate per dump */
	/* Student's t of the difference between the groups, which is fitted together with a
	 * drift over the order of the dumps (stats/order.h) */
	ETC_P_ORDER,
};

/* The result for a row: group B compared with group A. */
struct etc_comparison {
	struct etc_comparison_side a, b;
	double difference; /* b.estimate - a.estimate */
	/* Another estimate of the difference, from the estimates of single dumps. With ETC_P_ORDER,
	 * it is the difference without the drift over the order of recording. With ETC_P_DUMPS, it
	 * is the difference between the groups' means of these estimates, but only if it has
	 * another sign than `difference` or is less than 90 % of it. In all other cases it equals
	 * `difference`. */
	double other;
	double ratio; /* b.estimate / a.estimate; 0 unless ratio_why is ETC_DEFINED */
	struct etc_interval difference_interval, ratio_interval;
	/* the test over all runs, without regard to dumps; its result equals scipy's */
	struct etc_mann_whitney u;
	double p; /* two-sided; decides significance; 1 if no test applies */
	/* p after Holm's correction over the rows passed to etc_compare_adjust() */
	double p_adjusted;
	double cliffs_delta;    /* over all runs: positive if B is slower */
	struct etc_shift shift; /* estimate of B - A by Hodges and Lehmann, over all runs */
	/* enum etc_caveat: caveats of both sides and of the comparison */
	uint32_t caveats;
	/* assumed standard deviation of the times of different processes, as a fraction of their
	 * mean; 0: none is assumed */
	double spread;
	/* p that takes the assumed variance between processes into account; equal to `p` if none is
	 * assumed */
	double p_process;
	double p_process_adjusted;
	/* the ratio's interval that belongs to p_process; may be undefined */
	struct etc_interval process_interval;
	/* the longest time by which a coarse clock may make the difference of B and A appear
	 * smaller or larger than it is; 0: none is known */
	double hidden;
	double drift; /* drift within the dumps, of the group that drifts more; 0: none */
	/* p of the test whether the groups have different fractions of slow runs (tail.h); 1: not
	 * tested */
	double tail_p;
	double slow[2]; /* fractions of slow runs in A and B */
	/* with ETC_CAVEAT_SPEEDS: the time of a run at the faster speed, and at the slower speed */
	double speeds[2];
	/* with ETC_CAVEAT_SPEEDS: numbers of runs of A and of B whose time is at least the
	 * geometric mean of the two times in `speeds` */
	size_t slower[2];
	uint8_t p_method; /* enum etc_p_method */
	/* enum etc_undefined: the reason why the rows were not compared; 0: they were compared */
	uint8_t why;
	uint8_t ratio_why; /* why there is no ratio; ETC_UNDEFINED_ZERO: A's estimate is 0 */
	/* as defined at the top of this file; false until etc_compare_adjust() sets it */
	bool significant;
	bool explained; /* significant, but within the assumed variance between processes */
};

/* Compares `rows` rows; out[r] is the result of row r. If a row cannot be compared, its `why` is
 * set; out of memory is the only error. The results point into the scratch arena. E0904. */
enum etc_status etc_compare(const struct etc_sample_group *a, const struct etc_sample_group *b,
                            size_t rows, const struct etc_compare_options *options,
                            struct etc_comparison *out, struct etc_arena *scratch,
                            struct etc_error *err) ETC_MUST_CHECK;

/* May the interval of the difference be shown? Not if it excludes 0 although no significant change
 * is claimed. This can happen, because the claim uses Holm's correction and a rank test, and the
 * interval uses neither. */
bool etc_compare_tells_interval(const struct etc_comparison *row);

/* Is a change claimed? It must be significant, and explained neither by the variance between
 * processes, nor by a drift (ETC_CAVEAT_DROWNED), nor by two speeds of the runs. */
bool etc_compare_claims(const struct etc_comparison *row);

/* Sets p_adjusted, significant and explained of all rows for which Holm's correction is made
 * together. The rows may come from several calls of etc_compare(). Rows without a p are left out.
 * E0904. */
enum etc_status etc_compare_adjust(struct etc_comparison *rows, size_t n, double level,
                                   struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_compare_adjust(), for rows that are not adjacent in memory. */
enum etc_status etc_compare_adjust_at(struct etc_comparison *const *rows, size_t n, double level,
                                      struct etc_arena *scratch,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* Returns the ratio B / A. With ETC_P_ORDER, returns the smaller of two ratios: the measured one,
 * and the one without the drift over the order of the dumps. */
double etc_compare_least_ratio(const struct etc_comparison *row);

/* The criterion of `check`: a change is claimed (etc_compare_claims()), and B is slower than A by
 * more than the fraction `limit` (0.05: 5 %), both with and without the drift over the order of the
 * dumps. */
bool etc_compare_regressed(const struct etc_comparison *row, double limit);

#endif
