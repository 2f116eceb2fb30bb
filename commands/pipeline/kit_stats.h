/* kit_stats.h -- the arithmetic of Arm's profiling kit: the results of numpy, pandas and
 * scipy for a list of latencies, with the same order of additions, so that tables equal
 * the kit's to the last digit.
 *
 * `etcore` itself decides with core/stats: the kit's outlier fences and ratios ignore
 * dependence, drift and chance. */
#ifndef ETC_COMMANDS_PIPELINE_KIT_STATS_H
#define ETC_COMMANDS_PIPELINE_KIT_STATS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "inspector/numpy.h"

/* A compensated sum, as in pandas' groupby. Initially zeroed. */
struct etc_kit_group {
	double sum, lost;
	size_t count;
};
void etc_kit_group_add(struct etc_kit_group *g, double v);

/* Appends `v` as Python's repr() writes it; "nan" for nan. */
void etc_kit_put_real(struct etc_text *out, double v);

/* 100 * part / all; 0 unless `all` is positive. */
static inline double etc_kit_percent(double part, double all)
{
	return all > 0 ? part / all * 100 : 0;
}

/* Parses a decimal number as pandas.read_csv does: digits after the 17th (including leading zeros)
 * are ignored, and applying the exponent rounds the number once more. */
double etc_kit_read(struct etc_str digits);

/* The result of the kit's function calculate_robust_statistics. Undefined values, such as the
 * deviation of a single number, are nan. */
struct etc_kit_robust {
	size_t count;
	/* cv: coefficient of variation in percent; 0 unless `mean` is positive */
	double mean, median, sd, cv, min, max;
	double p50, p75, p90, p95, p99;
	double lower, upper; /* fences: 1.5 interquartile ranges from the quartiles */
	double trimmed_5, trimmed_10;
	size_t clean_count; /* number of values inside of the fences; other values are outliers */
	double clean_mean, clean_median, clean_sd, clean_cv;
};

/* Computes the statistics of v[0 .. n), n > 0. E0904. */
enum etc_status etc_kit_robust_of(const double *v, size_t n, struct etc_arena *arena,
                                  struct etc_kit_robust *out, struct etc_error *err) ETC_MUST_CHECK;

/* The result of the kit's function compare_configurations for the baseline `a` and the candidate
 * `b`. */
struct etc_kit_speedup {
	double median, trimmed; /* a / b; 0 unless b is positive */
	bool a_varies_more;
	double cv_ratio; /* 0 unless b's cv is positive */
};
struct etc_kit_speedup etc_kit_speedup_of(const struct etc_kit_robust *a,
                                          const struct etc_kit_robust *b);

#endif
