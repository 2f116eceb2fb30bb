/* estimate.c -- see estimate.h */
#include "stats/estimate.h"

#include "model/profile.h"

#include <math.h>

bool etc_estimate_known(uint8_t stat)
{
	return stat == ETC_STAT_TYPICAL || stat == ETC_STAT_MEAN || etc_estimate_part(stat) > 0;
}

double etc_estimate_part(uint8_t stat)
{
	switch (stat) {
	case ETC_STAT_MEDIAN:
		return 0.5;
	case ETC_STAT_P90:
		return 0.9;
	case ETC_STAT_P95:
		return 0.95;
	case ETC_STAT_P99:
		return 0.99;
	default:
		return 0;
	}
}

size_t etc_estimate_least(uint8_t stat)
{
	return stat == ETC_STAT_P90   ? 10
	       : stat == ETC_STAT_P95 ? 20
	       : stat == ETC_STAT_P99 ? 100
	                              : 0;
}

static bool is_quantile(uint8_t stat)
{
	return stat >= ETC_STAT_P90 && stat <= ETC_STAT_P99;
}

/* Of n values, those at the place and at the one behind it, and how far it is between. */
static double between(double part, size_t n, size_t *low)
{
	double at = part * (double)(n - 1);

	*low = (size_t)at < n - 1 ? (size_t)at : n - 1;
	return at - (double)*low;
}

/* The places [*from, *to) over which `n` runs are averaged. */
static void middle(uint8_t stat, size_t n, size_t *from, size_t *to)
{
	size_t cut = stat == ETC_STAT_TYPICAL ? n / 4 : stat == ETC_STAT_MEDIAN ? (n - 1) / 2 : 0;

	*from = cut;
	*to = n - cut;
}

/* Around `origin`, so that a sum of large numbers keeps its small differences. */
static double sum_of(const double *y, size_t from, size_t to, double origin)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += y[i] - origin;
	return sum;
}

double etc_estimate(uint8_t stat, const double *y, size_t n)
{
	size_t from, to;

	if (is_quantile(stat)) {
		double share = between(etc_estimate_part(stat), n, &from);

		return share > 0 ? y[from] + share * (y[from + 1] - y[from]) : y[from];
	}
	middle(stat, n, &from, &to);
	return y[from] + sum_of(y, from, to, y[from]) / (double)(to - from);
}

/* Leaving out a place moves those behind it down by one. */
static void quantile_without(double part, const double *y, size_t n, double *out)
{
	size_t low;
	double share = between(part, n - 1, &low);

	for (size_t i = 0; i < n; i++) {
		double a = y[low + (low >= i)], b = share > 0 ? y[low + 1 + (low + 1 >= i)] : a;

		out[i] = a + share * (b - a);
	}
}

void etc_estimate_without(uint8_t stat, const double *y, size_t n, double *out)
{
	size_t from, to;
	double origin, below, inside, above, count;

	if (is_quantile(stat)) {
		quantile_without(etc_estimate_part(stat), y, n, out);
		return;
	}
	/* Of the n - 1 that are left, `from` … `to` - 1 are averaged; each place at or
	 * after the one left out moves up by one. */
	middle(stat, n - 1, &from, &to);
	origin = y[from];
	count = (double)(to - from);
	below = sum_of(y, from + 1, to + 1, origin) / count;
	above = sum_of(y, from, to, origin) / count;
	inside = sum_of(y, from, to + 1, origin);
	for (size_t i = 0; i < n; i++)
		out[i] = origin + (i < from ? below
		                   : i > to ? above
		                            : (inside - (y[i] - origin)) / count);
}

double etc_jackknife_variance(const double *without, size_t n)
{
	double mean = 0, sum = 0, count = (double)n;

	for (size_t i = 0; i < n; i++)
		mean += (without[i] - without[0]) / count;
	mean += without[0];
	for (size_t i = 0; i < n; i++)
		sum += (without[i] - mean) * (without[i] - mean);
	return (count - 1) / count * sum;
}

double etc_median_variance(const double *y, size_t n)
{
	const double z = 2.5758293035489004;
	double c = floor(((double)n + 1) / 2 - z * sqrt((double)n / 4) + 0.5);
	size_t at = c < 1 ? 0 : (size_t)c - 1;
	double error = (y[n - 1 - at] - y[at]) / (2 * z);

	return error * error;
}

double etc_quantile_variance(const double *y, size_t n, double part)
{
	const double z = 2.5758293035489004;
	double at = part * (double)(n - 1), s = sqrt((double)n * part * (1 - part));
	double low = floor(at - z * s + 0.5), high = floor(at + z * s + 0.5), error;

	low = low > 0 ? low : 0;
	high = high < (double)(n - 1) ? high : (double)(n - 1);
	if (!(high > low))
		return 0;
	error = (y[(size_t)high] - y[(size_t)low]) / ((high - low) / s);
	return error * error;
}
