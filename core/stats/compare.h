/* compare.h -- A against B: one rule for every row of `diff` and `check`.
 *
 * A change is significant when the p of the row, after Holm's correction over all
 * rows asked together, is below 1 - level, its interval does not hold "no change",
 * it is not below the clock's resolution, and both groups have
 * ETC_CAVEAT_RUNS runs. What p and interval rest on:
 *
 *   one dump each    Mann-Whitney over the runs and a BCa bootstrap of the runs. If the
 *                    runs of one depend on each other (ETC_CAVEAT_AUTOCORRELATED),
 *                    Welch's t with the effective numbers of runs instead. What
 *                    differs from process to process is unknown: ETC_CAVEAT_ONE_DUMP.
 *   several dumps    Welch's t over the dumps: the estimate's variance is the
 *                    jackknife's, leaving out a dump at a time, and at least that of
 *                    leaving out a run at a time; degrees of freedom by
 *                    Satterthwaite. Two to five dumps have too few different
 *                    resamples for a bootstrap of dumps (126 of five), so there is
 *                    none; t is honest about them: with two each it is wide. A quantile
 *                    is to be as unlikely over random divisions of all runs
 *                    (permute.h): its variance and interval are widened until p is that.
 *   one and several  the group of one is given the other's variance between dumps,
 *                    ETC_CAVEAT_BORROWED.
 *
 * A difference between recordings is one between programs only where what processes differ
 * by anyway cannot explain it:
 *
 *   the base has ETC_COMPARE_RECORDINGS dumps   that was measured: p is all
 *   it has fewer     it is assumed: a recording's level has a relative standard deviation of
 *                    `process_spread`. `explained`: the change is significant, but within
 *                    what that explains (a normal distribution of the ratio's logarithm)
 *   the order is known, and ETC_COMPARE_RECORDINGS dumps of each
 *                    a smooth drift over the order is fitted beside the step (order.h);
 *                    difference, ratio, p and intervals are those of the step: ETC_P_ORDER
 *
 * Where the runs inside the dumps drift (Mann-Kendall over all dumps of a group, p < 0.01)
 * by as much as the difference, ETC_CAVEAT_DROWNED, there is no claim either.
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
	ETC_COMPARE_ROUNDS = 10000, /* of the bootstrap */
	ETC_COMPARE_RECORDINGS = 3  /* dumps of a group that measure what processes differ by */
};

struct etc_compare_options {
	uint8_t stat;             /* enum etc_stat: what estimate, difference and ratio are of */
	double level;             /* confidence of the intervals; 0.95 */
	uint32_t rounds;          /* ETC_COMPARE_ROUNDS; 0: ETC_INTERVAL_NORMAL instead */
	uint64_t seed;            /* equal seeds, equal answers */
	double process_spread;    /* assumed where it is not measured; 0.05; 0: none */
	size_t tails;             /* so many first rows have their tails compared */
	const double *resolution; /* per row, in the unit of the samples; NULL: unknown */
	const bool *brief;        /* per row; NULL: none. Of a brief row only what its p and
	                           * significance rest on, the estimates, and the difference's
	                           * interval if p < 1 - level: no shift, drift, dip, nor the
	                           * interval of the ratio, which are _NO_METHOD */
};

/* typical run, 95 %, 10,000 rounds, seed 1, 5 % between processes, no tails, no resolution. */
struct etc_compare_options etc_compare_defaults(void);

/* One group's side of a row. */
struct etc_comparison_side {
	size_t dumps, runs;
	double estimate; /* of the chosen statistic */
	double typical, mean, median, p95, max;
	struct etc_examined examined; /* the worst of its dumps; effective runs are their sum */
	uint8_t why;                  /* enum etc_undefined: only dumps and runs are known */
};

/* What `p` is the p of. The mean and quantiles beyond the median (p90 …) are not what Mann-Whitney
 * asks for: their p is that of their own difference over random divisions of all runs
 * (permute.h), or Welch's t. */
enum etc_p_method {
	ETC_P_NONE,
	ETC_P_RUNS,        /* Mann-Whitney over the runs, u.p */
	ETC_P_PERMUTATION, /* over divisions of all runs: Mann-Whitney, few runs with ties; quantiles */
	ETC_P_EFFECTIVE, /* Welch's t with the effective numbers of runs */
	ETC_P_DUMPS,     /* Welch's t over the dumps */
	ETC_P_ORDER,     /* Student's t of the step, over the order of the dumps */
};

/* A row of B against the same row of A. */
struct etc_comparison {
	struct etc_comparison_side a, b;
	double difference; /* b.estimate - a.estimate */
	double ratio;      /* b.estimate / a.estimate; 0 unless ratio_why is ETC_DEFINED */
	struct etc_interval difference_interval, ratio_interval;
	struct etc_mann_whitney u; /* over all runs, as scipy; u.p knows nothing of dumps */
	double p;                  /* two-sided; what significance rests on; 1 without a method */
	double p_adjusted;         /* Holm, over the rows of one etc_compare_adjust */
	double cliffs_delta;       /* over all runs: positive if B is slower */
	struct etc_shift shift;    /* Hodges-Lehmann over all runs, B - A */
	uint32_t caveats;          /* enum etc_caveat, of both sides and the row */
	double spread;             /* between processes, if it was assumed; 0: measured */
	double p_process;          /* p with that spread; p, where it was measured */
	double p_process_adjusted;
	struct etc_interval process_interval; /* of the ratio, with that spread; or undefined */
	double drift;      /* inside the dumps of the group that drifts more; 0: none */
	double tail_p;     /* of the parts of slow runs (tail.h); 1: not asked */
	double slow[2];    /* these parts, of A and B */
	uint8_t p_method;  /* enum etc_p_method */
	uint8_t why;       /* enum etc_undefined: there is no comparison */
	uint8_t ratio_why; /* enum etc_undefined: _ZERO when a is 0 */
	bool significant;  /* see above; false until etc_compare_adjust */
	bool explained;    /* significant, but the assumed spread explains as much */
};

/* Compares `rows` rows; out[r] of row r. Only memory can fail: a row that cannot be
 * compared says why. The scratch arena keeps what was built. E0904. */
enum etc_status etc_compare(const struct etc_sample_group *a, const struct etc_sample_group *b,
                            size_t rows, const struct etc_compare_options *options,
                            struct etc_comparison *out, struct etc_arena *scratch,
                            struct etc_error *err) ETC_MUST_CHECK;

/* Significant, and what processes differ by does not explain it, nor a drift inside them. */
bool etc_compare_claims(const struct etc_comparison *row);

/* Fills p_adjusted, significant and explained of rows that are looked at together; rows may come
 * from several etc_compare. Rows without a p do not count. E0904. */
enum etc_status etc_compare_adjust(struct etc_comparison *rows, size_t n, double level,
                                   struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* The same of rows that do not lie together. */
enum etc_status etc_compare_adjust_at(struct etc_comparison *const *rows, size_t n, double level,
                                      struct etc_arena *scratch,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* The gate of `check`: is B certainly slower (etc_compare_claims), and by more than `limit` (0.05: five
 * per cent) of A? */
bool etc_compare_regressed(const struct etc_comparison *row, double limit);

#endif
