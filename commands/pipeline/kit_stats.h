/* kit_stats.h -- the arithmetic of Arm's profiling kit: computes what numpy, pandas and scipy
 * compute for a list of latencies. Additions are made in the same order, so that tables equal the
 * kit's to the last digit.
 *
 * etcore's own verdicts use core/stats instead, because the kit's outlier fences and ratios ignore
 * dependence between runs, drift and chance. */
#ifndef ETC_COMMANDS_PIPELINE_KIT_STATS_H
#define ETC_COMMANDS_PIPELINE_KIT_STATS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "inspector/numpy.h"

/* A sum with compensation of rounding errors, as in pandas' groupby. Must be zeroed first. */
struct etc_kit_group {
	double sum, lost;
	size_t count;
};
void etc_kit_group_add(struct etc_kit_group *g, double v);

/* Appends `v` as Python's repr() writes it; a nan is written as "nan". */
void etc_kit_put_real(struct etc_text *out, double v);

/* Returns 100 * part / all; 0 if `all` is not positive. */
static inline double etc_kit_percent(double part, double all)
{
	return all > 0 ? part / all * 100 : 0;
}

/* Parses a decimal number as pandas.read_csv does, which differs from strtod(): digits after the
 * 17th (counting leading zeros) are ignored, and the exponent is applied with one more rounding. */
double etc_kit_read(struct etc_str digits);

/* The result of the kit's function calculate_robust_statistics. A value that is undefined, such as
 * the deviation of a single number, is nan. */
struct etc_kit_robust {
	size_t count;
	/* cv: coefficient of variation in percent; 0 if `mean` is not positive */
	double mean, median, sd, cv, min, max;
	double p50, p75, p90, p95, p99;
	/* the fences: first quartile minus, and third quartile plus, 1.5 interquartile ranges */
	double lower, upper;
	double trimmed_5, trimmed_10;
	/* number of values inside of the fences (`lower` and `upper`); the values outside are
	 * outliers */
	size_t clean_count;
	double clean_mean, clean_median, clean_sd, clean_cv;
};

/* Computes the statistics of v[0 .. n); n must be positive. E0904. */
enum etc_status etc_kit_robust_of(const double *v, size_t n, struct etc_arena *arena,
                                  struct etc_kit_robust *out, struct etc_error *err) ETC_MUST_CHECK;

/* The result of the kit's function compare_configurations, for the baseline `a` and the candidate
 * `b`. */
struct etc_kit_speedup {
	double median, trimmed; /* quotients of the values of a and b: a / b; 0 if the value of b is
				 * not positive */
	bool a_varies_more;
	/* coefficient of variation of `a`, divided by that of `b`; 0 if that of `b` is not
	 * positive */
	double cv_ratio;
};
struct etc_kit_speedup etc_kit_speedup_of(const struct etc_kit_robust *a,
                                          const struct etc_kit_robust *b);

#endif
