/* kit_stats.c -- computes the kit's statistics; see kit_stats.h
 *
 * The arithmetic is that of numpy 2.4 (pairwise_sum; percentile with method linear; std with ddof
 * 1), pandas 3.1 (group_sum, precise_xstrtod) and scipy 1.17 (trim_mean). */
#include "commands/pipeline/kit_stats.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_DIGITS = 17, LARGEST_POWER = 308 };

void etc_kit_group_add(struct etc_kit_group *g, double v)
{
	double y, t;

	if (isnan(v))
		return;
	y = v - g->lost;
	t = g->sum + y;
	g->lost = t - g->sum - y;
	if (isnan(g->lost))
		g->lost = 0;
	g->sum = t;
	g->count++;
}

/* ---- parsing numbers ----------------------------------------------------------- */

/* Returns the double that is nearest to 10^n; n is at most 308. */
static double power_of_ten(int n)
{
	static const double small[] = { 1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
		                        1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
	char text[8] = "1e";

	if (n < 16)
		return small[n];
	text[2] = (char)('0' + n / 100);
	text[3] = (char)('0' + n / 10 % 10);
	text[4] = (char)('0' + n % 10);
	return strtod(text, NULL);
}

static bool is_digit(struct etc_str s, size_t at)
{
	return at < s.len && s.ptr[at] >= '0' && s.ptr[at] <= '9';
}

static int exponent_of(struct etc_str s, size_t at)
{
	bool negative = at < s.len && s.ptr[at] == '-';
	int e = 0;

	if (at < s.len && (s.ptr[at] == '-' || s.ptr[at] == '+'))
		at++;
	for (; is_digit(s, at) && e < 10000; at++)
		e = e * 10 + (s.ptr[at] - '0');
	return negative ? -e : e;
}

double etc_kit_read(struct etc_str s)
{
	size_t at = s.len && (s.ptr[0] == '-' || s.ptr[0] == '+');
	bool negative = s.len && s.ptr[0] == '-';
	int digits = 0, exponent = 0;
	double v = 0;

	for (; is_digit(s, at); at++) {
		if (digits < MOST_DIGITS) {
			v = v * 10 + (s.ptr[at] - '0');
			digits++;
		} else {
			exponent++;
		}
	}
	if (at < s.len && s.ptr[at] == '.')
		for (at++; is_digit(s, at); at++)
			if (digits < MOST_DIGITS) {
				v = v * 10 + (s.ptr[at] - '0');
				digits++;
				exponent--;
			}
	if (!digits)
		return NAN;
	if (at < s.len && (s.ptr[at] == 'e' || s.ptr[at] == 'E'))
		exponent += exponent_of(s, at + 1);
	if (exponent > LARGEST_POWER)
		v = v > 0 ? HUGE_VAL : 0;
	else if (exponent > 0)
		v *= power_of_ten(exponent);
	else if (exponent < -2 * LARGEST_POWER)
		v = 0;
	else if (exponent < -LARGEST_POWER)
		v = v / power_of_ten(-LARGEST_POWER - exponent) / power_of_ten(LARGEST_POWER);
	else
		v /= power_of_ten(-exponent);
	return negative ? -v : v;
}

/* ---- statistics ---------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns numpy.percentile(v, 100 q) with method linear; the values must be sorted. */
static double quantile(const double *sorted, size_t n, double q)
{
	double at = (double)(n - 1) * q, part, a, b;
	size_t low = (size_t)at;

	if (low + 1 >= n)
		return sorted[n - 1];
	part = at - (double)low;
	a = sorted[low];
	b = sorted[low + 1];
	return part >= 0.5 ? b - (b - a) * (1 - part) : a + (b - a) * part;
}

static double median(const double *sorted, size_t n)
{
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* Returns numpy.std with ddof 1; nan for a single value. */
static double deviation(const double *v, size_t n, double mean, double *scratch)
{
	for (size_t i = 0; i < n; i++)
		scratch[i] = (v[i] - mean) * (v[i] - mean);
	return n > 1 ? sqrt(etc_insp_sum(scratch, n) / (double)(n - 1)) : NAN;
}

/* Returns scipy.stats.trim_mean: the mean without the fraction `share` of the values at either end.
 * The values must be sorted. */
static double trimmed(const double *sorted, size_t n, double share)
{
	size_t cut = (size_t)(share * (double)n);

	return etc_insp_sum(sorted + cut, n - 2 * cut) / (double)(n - 2 * cut);
}

/* Computes the statistics of v[0 .. n), the values that are not outliers, in the order of
 * measurement. Afterwards `v` is sorted. If n is 0, uses the statistics of all values. */
static void of_clean(double *v, size_t n, double *scratch, struct etc_kit_robust *out)
{
	out->clean_count = n;
	if (!n) {
		out->clean_mean = out->mean;
		out->clean_median = out->median;
		out->clean_sd = out->sd;
		out->clean_cv = out->cv;
		return;
	}
	out->clean_mean = etc_insp_mean(v, n);
	out->clean_sd = deviation(v, n, out->clean_mean, scratch);
	out->clean_cv = etc_kit_percent(out->clean_sd, out->clean_mean);
	qsort(v, n, sizeof *v, ascending);
	out->clean_median = median(v, n);
}

enum etc_status etc_kit_robust_of(const double *v, size_t n, struct etc_arena *arena,
                                  struct etc_kit_robust *out, struct etc_error *err)
{
	double *sorted = etc_new(arena, double, n), *scratch = etc_new(arena, double, n), q1, q3;
	size_t clean = 0;

	ETC_NEED(sorted && scratch, err);
	memcpy(sorted, v, n * sizeof *v);
	qsort(sorted, n, sizeof *v, ascending);
	*out = (struct etc_kit_robust){
		.count = n,
		.mean = etc_insp_mean(v, n),
		.median = median(sorted, n),
		.min = sorted[0],
		.max = sorted[n - 1],
		.p50 = quantile(sorted, n, 0.5),
		.p75 = quantile(sorted, n, 0.75),
		.p90 = quantile(sorted, n, 0.9),
		.p95 = quantile(sorted, n, 0.95),
		.p99 = quantile(sorted, n, 0.99),
		.trimmed_5 = trimmed(sorted, n, 0.05),
		.trimmed_10 = trimmed(sorted, n, 0.1),
	};
	out->sd = deviation(v, n, out->mean, scratch);
	out->cv = etc_kit_percent(out->sd, out->mean);
	q1 = quantile(sorted, n, 0.25);
	q3 = quantile(sorted, n, 0.75);
	out->lower = q1 - 1.5 * (q3 - q1);
	out->upper = q3 + 1.5 * (q3 - q1);
	for (size_t i = 0; i < n; i++)
		if (v[i] >= out->lower && v[i] <= out->upper)
			sorted[clean++] = v[i];
	of_clean(sorted, clean, scratch, out);
	return ETC_OK;
}

struct etc_kit_speedup etc_kit_speedup_of(const struct etc_kit_robust *a,
                                          const struct etc_kit_robust *b)
{
	return (struct etc_kit_speedup){
		.median = b->clean_median > 0 ? a->clean_median / b->clean_median : 0,
		.trimmed = b->trimmed_5 > 0 ? a->trimmed_5 / b->trimmed_5 : 0,
		.a_varies_more = a->clean_cv > b->clean_cv,
		.cv_ratio = b->clean_cv > 0 ? a->clean_cv / b->clean_cv : 0,
	};
}
