/* latency.h -- statistics of a list of latencies. */
#ifndef ETC_COMMANDS_PIPELINE_LATENCY_H
#define ETC_COMMANDS_PIPELINE_LATENCY_H

#include "base/arena.h"
#include "base/error.h"

/* The fewest runs of a process for which a typical run is computed (stats/typical.h). If a process
 * has fewer runs, their median is used instead. A unit needs at least this many runs, too, since a
 * difference between 3 runs and 3 runs is never significant. */
enum { ETC_LATENCY_FEWEST = 4 };

/* Statistics of times, in milliseconds. Percentiles are linearly interpolated (rank (n - 1) p,
 * numpy's default); the median is p50; stdev divides by n - 1. NaN if n is too small, and
 * cv_percent also if the mean is not positive. */
struct etc_latency {
	uint32_t n;
	double mean, median, min, max, p50, p90, p95, p99, stdev, cv_percent;
};

/* Computes the statistics of v[0 .. n), all finite. E0904. */
enum etc_status etc_latency_of(const double *v, uint32_t n, struct etc_arena *arena,
                               struct etc_latency *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
