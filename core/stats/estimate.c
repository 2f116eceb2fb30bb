/* estimate.c -- see estimate.h */
#include "stats/estimate.h"

#include "base/bisect.h"
#include "model/profile.h"
#include "stats/typical.h"

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

/* Finds the quantile `part` (0 to 1) among n sorted values. It lies between two neighbouring
 * values. Sets `*low` to the position of the lower one, and returns the fraction of the way from
 * there to the upper one. */
static double between(double part, size_t n, size_t *low)
{
	double at = part * (double)(n - 1);

	*low = (size_t)at < n - 1 ? (size_t)at : n - 1;
	return at - (double)*low;
}

/* n ascending times: those in `v`, except the one at index `skip`. If `skip` is SIZE_MAX, none is
 * left out. */
struct times {
	const double *v;
	size_t n, skip;
};

static double time_at(const struct times *t, size_t i)
{
	return t->v[i + (i >= t->skip)];
}

static double twice_median(const struct times *t)
{
	return time_at(t, (t->n - 1) / 2) + time_at(t, t->n / 2);
}

/* Returns the k-th smallest, from 0, of |2 t - m2| over the times t; m2 is twice their median. The
 * k + 1 times with the smallest of these values are adjacent. */
static double deviation(const struct times *t, double m2, size_t k)
{
	size_t low;
	double out;

	ETC_BISECT(low, t->n - 1 - k, time_at(t, low) + time_at(t, low + k) >= m2);
	out = fmax(m2 - 2 * time_at(t, low), 2 * time_at(t, low + k) - m2);
	return low == 0 ? out
	                : fmin(out, fmax(m2 - 2 * time_at(t, low - 1),
	                                 2 * time_at(t, low - 1 + k) - m2));
}

static bool passes(double d, double reach, bool above)
{
	return above ? d > reach : d >= reach;
}

/* Returns the index of the first time t for which ETC_TYPICAL_UNIT * (2 t - m2) is at least
 * `reach`; with `above`, for which it is greater than `reach`. */
static size_t first(const struct times *t, double m2, double reach, bool above)
{
	size_t at;

	ETC_BISECT(at, t->n, passes(ETC_TYPICAL_UNIT * (2 * time_at(t, at) - m2), reach, above));
	return at;
}

static void near_median(const struct times *t, size_t *from, size_t *to)
{
	double m2, reach;

	*from = 0;
	*to = t->n;
	if (t->n < ETC_TYPICAL_LEAST)
		return;
	m2 = twice_median(t);
	reach = ETC_TYPICAL_REACH * (deviation(t, m2, (t->n - 1) / 2) + deviation(t, m2, t->n / 2));
	*from = first(t, m2, -reach, false);
	*to = first(t, m2, reach, true);
}

/* Sets [*from, *to) to the range of positions whose values the statistic `stat` averages. */
static void middle(uint8_t stat, const struct times *t, size_t *from, size_t *to)
{
	size_t cut = stat == ETC_STAT_MEDIAN ? (t->n - 1) / 2 : 0;

	if (stat == ETC_STAT_TYPICAL) {
		near_median(t, from, to);
		return;
	}
	*from = cut;
	*to = t->n - cut;
}

/* Returns the sum of the differences y - origin. The sum of the values themselves would lose small
 * differences between large numbers. */
static double sum_of(const double *y, size_t from, size_t to, double origin)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += y[i] - origin;
	return sum;
}

double etc_estimate(uint8_t stat, const double *time, const double *y, size_t n)
{
	size_t from, to;

	if (is_quantile(stat)) {
		double share = between(etc_estimate_part(stat), n, &from);

		return share > 0 ? y[from] + share * (y[from + 1] - y[from]) : y[from];
	}
	middle(stat, &(struct times){ time, n, SIZE_MAX }, &from, &to);
	return y[from] + sum_of(y, from, to, y[from]) / (double)(to - from);
}

/* Sets out[i] to the quantile of all values but the one at position i. Without that value, all
 * later values move down by one position. */
static void quantile_without(double part, const double *y, size_t n, double *out)
{
	size_t low;
	double share = between(part, n - 1, &low);

	for (size_t i = 0; i < n; i++) {
		double a = y[low + (low >= i)], b = share > 0 ? y[low + 1 + (low + 1 >= i)] : a;

		out[i] = a + share * (b - a);
	}
}

void etc_estimate_without(uint8_t stat, const double *time, const double *y, size_t n, double *out,
                          double *sums)
{
	double origin = y[(n - 1) / 2], sum = 0;

	if (is_quantile(stat)) {
		quantile_without(etc_estimate_part(stat), y, n, out);
		return;
	}
	for (size_t i = 0; i < n; i++)
		sums[i] = sum += y[i] - origin;
	for (size_t i = 0; i < n; i++) {
		size_t from, to, begin, last;

		middle(stat, &(struct times){ time, n - 1, i }, &from, &to);
		begin = from + (from >= i);
		last = to - 1 + (to - 1 >= i);
		sum = sums[last] - (begin > 0 ? sums[begin - 1] : 0);
		sum -= begin < i && i < last ? y[i] - origin : 0;
		out[i] = origin + sum / (double)(to - from);
	}
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
