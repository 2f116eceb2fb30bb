/* trend.c -- see trend.h */
#include "stats/trend.h"

#include "stats/distribution.h"
#include "stats/select.h"
#include "stats/sort.h"

#include <math.h>
#include <stdbool.h>

enum {
	/* etc_theil_slope() accepts at most this many values, because it stores the slopes of all
	 * pairs */
	SLOPES_OF = 2000,
	/* the autocorrelation of a series of more than CONDENSED values is first computed over at
	 * most this many lags; if values are still correlated at the last of these lags, the
	 * autocorrelation is computed from means instead */
	LAGS = 64,
	/* a series of more than CONDENSED values is then replaced by at most this many means, each
	 * of consecutive values */
	CONDENSED = 512,
};

/* Sorts v[0 .. n) by merging, and returns the number of inversions: pairs v[i] > v[j] with i <
 * j. */
static double falling(double *v, size_t n, double *other)
{
	double *from = v, *to = other, count = 0;

	for (size_t width = 1; width < n; width *= 2) {
		double *swap = from;

		for (size_t low = 0; low < n; low += 2 * width) {
			size_t middle = n - low > width ? low + width : n;
			size_t high = n - low > 2 * width ? low + 2 * width : n;
			size_t a = low, b = middle;

			for (size_t i = low; i < high; i++)
				if (a < middle && (b >= high || from[a] <= from[b])) {
					to[i] = from[a++];
				} else {
					count += (double)(middle - a);
					to[i] = from[b++];
				}
		}
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof *v);
	return count;
}

enum etc_status etc_mann_kendall(const double *v, size_t n, struct etc_mann_kendall *out,
                                 struct etc_arena *scratch, struct etc_error *err)
{
	double *sorted = etc_new(scratch, double, n), *other = etc_new(scratch, double, n);
	double count = (double)n, fall, tied_pairs = 0, tie_term = 0;

	*out = (struct etc_mann_kendall){ .p = 1 };
	ETC_NEED(sorted && other, err);
	out->why = (uint8_t)etc_samples_check(v, n);
	if (out->why == ETC_DEFINED && n < 3)
		out->why = ETC_UNDEFINED_FEW;
	if (out->why != ETC_DEFINED)
		return ETC_OK;
	memcpy(sorted, v, n * sizeof *v);
	fall = falling(sorted, n, other);
	for (size_t i = 0, j; i < n; i = j) {
		double t;

		for (j = i + 1; j < n && sorted[j] == sorted[i];)
			j++;
		t = (double)(j - i);
		tied_pairs += t * (t - 1) / 2;
		tie_term += t * (t - 1) * (2 * t + 5);
	}
	out->s = count * (count - 1) / 2 - tied_pairs - 2 * fall;
	out->variance = (count * (count - 1) * (2 * count + 5) - tie_term) / 18;
	if (!(out->variance > 0)) {
		out->why = ETC_UNDEFINED_CONSTANT;
		return ETC_OK;
	}
	out->z = (out->s > 0 ? out->s - 1 : out->s < 0 ? out->s + 1 : 0) / sqrt(out->variance);
	out->p = 2 * etc_normal_cdf(-fabs(out->z));
	return ETC_OK;
}

static double median_of(uint64_t *keys, size_t n)
{
	double low = etc_sort_number(etc_select(keys, n, (n - 1) / 2, NULL));
	double high = n % 2 ? low : etc_sort_number(etc_select(keys, n, n / 2, NULL));

	return low + (high - low) / 2;
}

enum etc_status etc_theil_slope(const double *v, size_t n, struct etc_theil_slope *out,
                                struct etc_arena *scratch, struct etc_error *err)
{
	size_t count = 0;
	uint64_t *keys;

	*out = (struct etc_theil_slope){ .why = (uint8_t)etc_samples_check(v, n) };
	if (out->why == ETC_DEFINED && n < 2)
		out->why = ETC_UNDEFINED_FEW;
	if (out->why == ETC_DEFINED && n > SLOPES_OF)
		out->why = ETC_UNDEFINED_NO_METHOD;
	if (out->why != ETC_DEFINED)
		return ETC_OK;
	keys = etc_new(scratch, uint64_t, n * (n - 1) / 2);
	ETC_NEED(keys, err);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			keys[count++] = etc_sort_key((v[j] - v[i]) / (double)(j - i));
	out->slope = median_of(keys, count);
	return ETC_OK;
}

size_t etc_condense(const double *v, size_t n, size_t most, double *out, size_t *width)
{
	size_t count;

	*width = n <= most ? 1 : (n + most - 1) / most;
	count = n / *width;
	for (size_t i = 0; i < count; i++) {
		double sum = 0, first = v[i * *width];

		for (size_t j = 0; j < *width; j++)
			sum += v[i * *width + j] - first;
		out[i] = first + sum / (double)*width;
	}
	return count;
}

static double lag_product(const double *v, size_t n, double mean, size_t lag)
{
	double sum = 0;

	for (size_t i = 0; i + lag < n; i++)
		sum += (v[i] - mean) * (v[i + lag] - mean);
	return sum;
}

static double mean_of(const double *v, size_t n)
{
	double mean = 0;

	for (size_t i = 0; i < n; i++)
		mean += (v[i] - v[0]) / (double)n;
	return v[0] + mean;
}

/* Returns the autocorrelation time: 1 + 2 * sum of r_k over the initial positive sequence, but at
 * least 1. Uses at most `lags` lags. Sets `*ended` to whether the sequence ended within these
 * lags. */
static double time_of(const double *v, size_t n, double mean, size_t lags, bool *ended)
{
	double squares = lag_product(v, n, mean, 0);
	/* the first pair of the sequence: r_0 and r_1 */
	double sum = 1 + lag_product(v, n, mean, 1) / squares;

	*ended = true;
	for (size_t lag = 2; lag + 1 < n; lag += 2) {
		double pair = lag_product(v, n, mean, lag) + lag_product(v, n, mean, lag + 1);

		if (!(pair > 0))
			break;
		*ended = lag < lags;
		if (!*ended)
			break;
		sum += pair / squares;
	}
	return 2 * sum - 1 > 1 ? 2 * sum - 1 : 1;
}

/* Returns the autocorrelation time of a long series, computed from the variance of means of
 * consecutive values. */
static double time_of_means(const double *v, size_t n, double mean)
{
	double means[CONDENSED], squares = lag_product(v, n, mean, 0) / (double)n, own;
	size_t width, m = etc_condense(v, n, CONDENSED, means, &width);
	bool ended;

	mean = mean_of(means, m);
	own = lag_product(means, m, mean, 0) / (double)m;
	return own > 0 ? own * time_of(means, m, mean, SIZE_MAX, &ended) * (double)width / squares
	               : 1;
}

struct etc_autocorrelation etc_autocorrelation(const double *v, size_t n)
{
	struct etc_autocorrelation out = { .effective = (double)n };
	double mean, squares, time, one;
	bool ended;

	out.why = (uint8_t)etc_samples_check(v, n);
	if (out.why == ETC_DEFINED && n < 4)
		out.why = ETC_UNDEFINED_FEW;
	if (out.why != ETC_DEFINED)
		return out;
	mean = mean_of(v, n);
	squares = lag_product(v, n, mean, 0);
	if (!(squares > 0)) {
		out.why = ETC_UNDEFINED_CONSTANT;
		return out;
	}
	out.lag1 = lag_product(v, n, mean, 1) / squares;
	time = time_of(v, n, mean, n > CONDENSED ? LAGS : SIZE_MAX, &ended);
	if (!ended)
		time = time_of_means(v, n, mean);
	out.effective = (double)n / (time > 1 ? time : 1);
	one = out.lag1 + (1 + 4 * out.lag1) / (double)n;
	if (one > 0)
		out.effective = fmin(out.effective, (double)n * fmax(1 - one, 0) / (1 + one));
	out.effective = out.effective < 1 ? 1 : out.effective;
	return out;
}
