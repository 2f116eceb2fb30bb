/* latency.h -- computes statistics of a list of latencies. */
#ifndef ETC_COMMANDS_PIPELINE_LATENCY_H
#define ETC_COMMANDS_PIPELINE_LATENCY_H

#include "base/arena.h"
#include "base/error.h"

/* A typical run (stats/typical.h) is computed for a process only if the process has at least this
 * many runs; otherwise the median is used. A unit (an experiment at one number of threads) needs at
 * least this many runs, too, because with 3 runs on each side no difference is significant. */
enum { ETC_LATENCY_FEWEST = 4 };

/* Statistics of times, in milliseconds. Percentiles are interpolated linearly (rank (n - 1) p,
 * numpy's default); the median is p50; stdev divides by n - 1. A value is NaN if n is too small for
 * it; cv_percent is also NaN if the mean is not positive. */
struct etc_latency {
	uint32_t n;
	double mean, median, min, max, p50, p90, p95, p99, stdev, cv_percent;
};

/* Computes the statistics of v[0 .. n), all finite. E0904. */
enum etc_status etc_latency_of(const double *v, uint32_t n, struct etc_arena *arena,
                               struct etc_latency *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
