/* examine.c -- see examine.h */
#include "stats/examine.h"

#include "base/bisect.h"
#include "stats/dip.h"
#include "stats/sort.h"
#include "stats/trend.h"

#include <math.h>
#include <string.h>

enum { CONDENSED = 200, DIP_RUNS = 10, GAP_RUNS = 16, GAP_SIDE = 4, GAP_PART = 10 };

static const double CHANCE = 0.01;
/* exceeded by a standard normal variate with a probability of 1 % */
static const double ONE_IN_100 = 2.326;
static const double DRIFT_COUNTS = 0.01;
/* In the gap test, a gap must be this many times as wide as each of the two groups beside it. With
 * this limit, the test finds a gap by mistake in less than 0.1 % of samples of 16 or more normal,
 * lognormal, uniform or exponential values, and in 0.3 % of samples of normal values of which a
 * third are in an exponential tail. */
static const double GAP_TIMES = 2;

static double median_sorted(const double *v, size_t n)
{
	return v[(n - 1) / 2] + (v[n / 2] - v[(n - 1) / 2]) / 2;
}

/* Returns the median of v[0 .. n); `copy` has room for 2 n numbers. */
static double median_of(const double *v, size_t n, double *copy)
{
	memcpy(copy, v, n * sizeof *v);
	etc_sort(copy, n, copy + n);
	return median_sorted(copy, n);
}

static enum etc_status examine_drift(const double *v, const double *sorted, size_t n,
                                     struct etc_examined *out, struct etc_arena *scratch,
                                     struct etc_error *err)
{
	double means[CONDENSED], median, start, *copy;
	struct etc_mann_kendall trend;
	struct etc_theil_slope line;
	size_t width, count, quarter = (n + 3) / 4;

	if (n < 3 || sorted[0] == sorted[n - 1])
		return ETC_OK;
	count = etc_condense(v, n, CONDENSED, means, &width);
	median = median_sorted(sorted, n);
	ETC_TRY(etc_mann_kendall(means, count, &trend, scratch, err));
	ETC_TRY(etc_theil_slope(means, count, &line, scratch, err));
	copy = etc_new(scratch, double, 2 * quarter);
	ETC_NEED(copy, err);
	start = median_of(v, quarter, copy);
	if (trend.why != ETC_DEFINED || line.why != ETC_DEFINED || !(median > 0) || !(start > 0))
		return ETC_OK;
	out->drift_p = trend.p;
	out->drift = median_of(v + n - quarter, quarter, copy) / start - 1;
	out->drift_inside = line.slope * (double)(count - 1) / median;
	out->rises = trend.s;
	out->rises_variance = trend.variance;
	if (trend.p < CHANCE && fabs(out->drift) >= DRIFT_COUNTS)
		out->caveats |= ETC_CAVEAT_DRIFT;
	return ETC_OK;
}

static void examine_neighbours(const double *v, size_t n, struct etc_examined *out)
{
	struct etc_autocorrelation r = etc_autocorrelation(v, n);

	if (r.why != ETC_DEFINED)
		return;
	out->lag1 = r.lag1;
	if (r.lag1 * sqrt((double)n) <= ONE_IN_100)
		return;
	out->caveats |= ETC_CAVEAT_AUTOCORRELATED;
	out->effective = r.effective;
}

static double least_gap(const double *sorted, size_t n)
{
	double least = 0;

	for (size_t i = 1; i < n; i++) {
		double gap = sorted[i] - sorted[i - 1];

		if (gap > 0 && (least == 0 || gap < least))
			least = gap;
	}
	return least;
}

/* Copies `sorted` to `out`, but spreads equal values evenly over one tick around their value. */
static void spread(const double *sorted, size_t n, double tick, double *out)
{
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && sorted[j] == sorted[i];)
			j++;
		for (size_t k = i; k < j; k++)
			out[k] = sorted[k] +
			         tick * (((double)(k - i) + 0.5) / (double)(j - i) - 0.5);
	}
}

/* Makes Hartigan's dip test after spreading equal values over a tick. */
static enum etc_status examine_dip(const double *sorted, size_t n, double tick,
                                   struct etc_examined *out, struct etc_arena *scratch,
                                   struct etc_error *err)
{
	double *even = etc_new(scratch, double, n), *other = etc_new(scratch, double, n);
	struct etc_dip dip;
	bool ascending = true;

	ETC_NEED(even && other, err);
	spread(sorted, n, tick, even);
	/* If the tick is longer than the distance between two different values, the copies of these
	 * values in `even` may overlap, and so be out of order. Sort them again. */
	for (size_t i = 1; i < n; i++)
		ascending = ascending && even[i - 1] <= even[i];
	if (!ascending)
		etc_sort(even, n, other);
	ETC_TRY(etc_dip_test(even, n, &dip, scratch, err));
	if (dip.why != ETC_DEFINED)
		return ETC_OK;
	out->dip_p = dip.p;
	if (dip.p < CHANCE)
		out->caveats |= ETC_CAVEAT_BIMODAL;
	return ETC_OK;
}

/* Finds the widest gap that divides the runs into two groups which are far apart (see
 * etc_examine()). */
static void examine_gap(const double *sorted, size_t n, double tick, struct etc_examined *out)
{
	double widest = 0;
	size_t side = n / GAP_PART > GAP_SIDE ? n / GAP_PART : GAP_SIDE;

	for (size_t i = side; n >= GAP_RUNS && i + side <= n; i++) {
		double gap = sorted[i] - sorted[i - 1];
		double low = sorted[i - 1] - sorted[0], high = sorted[n - 1] - sorted[i];

		if (gap <= widest || gap <= GAP_TIMES * (fmax(low, high) + tick))
			continue;
		widest = gap;
		out->below = i;
		out->above = n - i;
	}
	if (widest == 0 || !(sorted[out->below - 1] > 0))
		return;
	out->gap = widest / sorted[out->below - 1];
	out->caveats |= ETC_CAVEAT_BIMODAL;
}

/* Sets out->speeds to the medians of the faster and of the slower runs. If the values have a
 * gap, the gap divides the runs; otherwise the middle between their 10th and 90th percentile
 * does. */
static void find_speeds(const double *sorted, size_t n, struct etc_examined *out)
{
	double middle = (sorted[n / 10] + sorted[n - 1 - n / 10]) / 2;
	size_t from = out->below;

	if (out->gap == 0) {
		ETC_BISECT(from, n, sorted[from] > middle);
	}
	if (from == 0 || from == n)
		return;
	out->speeds[0] = median_sorted(sorted, from);
	out->speeds[1] = median_sorted(sorted + from, n - from);
}

static enum etc_status examine_modes(const double *sorted, size_t n, double resolution,
                                     struct etc_examined *out, struct etc_arena *scratch,
                                     struct etc_error *err)
{
	if (n < DIP_RUNS || sorted[0] == sorted[n - 1])
		return ETC_OK;
	if (!(resolution > 0))
		resolution = least_gap(sorted, n);
	examine_gap(sorted, n, resolution, out);
	ETC_TRY(examine_dip(sorted, n, resolution, out, scratch, err));
	if (out->caveats & ETC_CAVEAT_BIMODAL)
		find_speeds(sorted, n, out);
	return ETC_OK;
}

enum etc_status etc_examine(const double *v, const double *sorted, size_t n, double resolution,
                            unsigned parts, struct etc_examined *out, struct etc_arena *scratch,
                            struct etc_error *err)
{
	*out = (struct etc_examined){ .effective = (double)n, .drift_p = 1, .dip_p = 1 };
	if (n < 3 || sorted[0] == sorted[n - 1])
		return ETC_OK;
	if (parts & ETC_EXAMINE_NEIGHBOURS)
		examine_neighbours(v, n, out);
	if (!(parts & ETC_EXAMINE_REST))
		return ETC_OK;
	ETC_TRY(examine_drift(v, sorted, n, out, scratch, err));
	return examine_modes(sorted, n, resolution, out, scratch, err);
}
