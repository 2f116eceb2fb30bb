/* latency.c -- computes statistics of latencies; see latency.h */
#include "commands/pipeline/latency.h"

#include <math.h>

#include "stats/sort.h"

static double percentile(const double *sorted, uint32_t n, double p)
{
	double rank = (n - 1) * p;
	uint32_t low = (uint32_t)rank;
	double part = rank - low;

	if (low + 1 >= n)
		return sorted[n - 1];
	return sorted[low] + (sorted[low + 1] - sorted[low]) * part;
}

static double deviation(const double *v, uint32_t n, double mean)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return n > 1 ? sqrt(sum / (n - 1)) : NAN;
}

enum etc_status etc_latency_of(const double *v, uint32_t n, struct etc_arena *arena,
                               struct etc_latency *out, struct etc_error *err)
{
	double *sorted = etc_new(arena, double, n), *scratch = etc_new(arena, double, n);
	double sum = 0;

	*out = (struct etc_latency){ n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	ETC_NEED(sorted && scratch, err);
	if (n == 0)
		return ETC_OK;
	memcpy(sorted, v, n * sizeof *v);
	etc_sort(sorted, n, scratch);
	for (uint32_t i = 0; i < n; i++)
		sum += v[i];
	out->mean = sum / n;
	out->min = sorted[0];
	out->max = sorted[n - 1];
	out->p50 = out->median = percentile(sorted, n, 0.5);
	out->p90 = percentile(sorted, n, 0.90);
	out->p95 = percentile(sorted, n, 0.95);
	out->p99 = percentile(sorted, n, 0.99);
	out->stdev = deviation(v, n, out->mean);
	if (out->mean > 0)
		out->cv_percent = out->stdev / out->mean * 100;
	return ETC_OK;
}
