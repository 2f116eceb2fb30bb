/* change_points.c -- see change_points.h */
#include "stats/change_points.h"
#include "stats/select.h"
#include "stats/sort.h"
#include "stats/typical.h"

#include <math.h>

/* A value is compared with the median of WINDOW values: itself and AROUND neighbours on each side;
 * near the ends, the first or last WINDOW values of the series. */
enum { AROUND = 2, WINDOW = 2 * AROUND + 1 };
static const double FAR = 3; /* standard deviations */
/* the standard deviation of a normal distribution, divided by the root mean square of those 90 % of
 * its values that are nearest to 0 */
static const double TRIMMED = 1.27;
static const double RHO_MOST = 0.8;

struct noise {
	double deviation; /* standard deviation of the values of one level */
	double long_run;  /* variance of the mean of n successive values, times n, for large n */
};

/* Returns a robust standard deviation of the differences v[i + lag] - v[i]: the larger one of two
 * estimates. The first is made from the median absolute difference. Changes of level and outliers
 * hardly affect it, but it is too small if about half of the differences are small, as on a machine
 * with two speeds. The second is the root mean square of the 90 % of the differences that are
 * nearest to 0; it is not too small in this case. */
static double deviation_of(const double *v, size_t n, size_t lag, uint64_t *room)
{
	size_t m = n - lag, keep = m - m / 10;
	double median, sum = 0;

	for (size_t i = 0; i < m; i++)
		room[i] = etc_sort_key(fabs(v[i + lag] - v[i]));
	median = etc_sort_number(etc_select(room, m, m / 2, NULL));
	etc_select(room, m, keep - 1, NULL);
	for (size_t i = 0; i < keep; i++)
		sum += etc_sort_number(room[i]) * etc_sort_number(room[i]);
	return fmax(ETC_MAD_DEVIATION * median, TRIMMED * sqrt(sum / (double)keep));
}

static struct noise noise_of(const double *v, size_t n, double least, uint64_t *room)
{
	double one = deviation_of(v, n, 1, room), two = deviation_of(v, n, 2, room), rho = 0;
	struct noise out;

	if (one > 0)
		rho = fmin(fmax(two / one * (two / one) - 1, 0), RHO_MOST);
	out.deviation = fmax(one / sqrt(2 * (1 - rho)), least);
	out.long_run = out.deviation * out.deviation * (1 + rho) / (1 - rho);
	return out;
}

/* Copies `v` to `out`. Each value is limited to a distance of FAR times `deviation` from the
 * median of the values around it. */
static void filter(const double *v, size_t n, double deviation, double *out)
{
	uint64_t room[WINDOW];

	for (size_t i = 0; i < n; i++) {
		size_t to = i + AROUND < n ? i + AROUND + 1 : n,
		       from = to < WINDOW ? 0 : to - WINDOW;
		double median;

		/* v has at least WINDOW values, because etc_change_points() filters only series of
		 * ETC_CHANGE_FEW values or more */
		to = from + WINDOW;
		for (size_t k = from; k < to; k++)
			room[k - from] = etc_sort_key(v[k]);
		median = etc_sort_number(etc_select(room, to - from, (to - from) / 2, NULL));
		out[i] = fmin(fmax(v[i], median - FAR * deviation), median + FAR * deviation);
	}
}

struct sums {
	/* one[i]: sum of the first i values; two[i]: sum of the squares of the first i values */
	double *one, *two;
};

static double cost(const struct sums *s, size_t from, size_t to)
{
	double sum = s->one[to] - s->one[from];

	return s->two[to] - s->two[from] - sum * sum / (double)(to - from);
}

/* Divides the first t values into segments, for each t, so that the cost is least. Sets least[t] to
 * this cost, and last[t] to the index at which the last segment begins. `open` is working memory
 * for n + 1 indices. */
static void divide(const struct sums *s, size_t n, double penalty, double *least, size_t *last,
                   size_t *open)
{
	size_t count = 0, kept;

	least[0] = -penalty;
	for (size_t t = ETC_CHANGE_LEAST; t <= n; t++) {
		size_t begin = t - ETC_CHANGE_LEAST;

		if (begin == 0 || begin >= ETC_CHANGE_LEAST)
			open[count++] = begin;
		least[t] = INFINITY;
		for (size_t i = 0; i < count; i++) {
			double all = least[open[i]] + cost(s, open[i], t) + penalty;

			if (all < least[t]) {
				least[t] = all;
				last[t] = open[i];
			}
		}
		kept = 0;
		for (size_t i = 0; i < count; i++)
			if (least[open[i]] + cost(s, open[i], t) <= least[t])
				open[kept++] = open[i];
		count = kept;
	}
}

/* Moves each of the `found` boundaries by up to AROUND values, to the index at which the segments
 * before and after it fit best. This is needed because a segment has at least ETC_CHANGE_LEAST
 * values: if a level is shorter, the segment also has values of the next level. Levels of up to
 * AROUND values do not occur, because filter() removes them as outliers. */
static void settle(const struct sums *s, size_t n, size_t *at, size_t found)
{
	for (size_t i = 0; i < found; i++) {
		size_t from = i ? at[i - 1] : 0, to = i + 1 < found ? at[i + 1] : n, was = at[i];
		double least = INFINITY;

		for (size_t t = was - AROUND; t <= was + AROUND; t++) {
			double all = t > from + AROUND && t + AROUND < to
			                     ? cost(s, from, t) + cost(s, t, to)
			                     : INFINITY;

			if (all < least) {
				least = all;
				at[i] = t;
			}
		}
	}
}

enum etc_status etc_change_points(const double *v, size_t n, double least, size_t *at,
                                  size_t *count, struct etc_arena *scratch, struct etc_error *err)
{
	struct sums s = { etc_new(scratch, double, n + 1), etc_new(scratch, double, n + 1) };
	double *near = etc_new(scratch, double, n), *best = etc_new(scratch, double, n + 1);
	size_t *last = etc_new(scratch, size_t, n + 1), *open = etc_new(scratch, size_t, n + 1),
	       found = 0;
	uint64_t *room = etc_new(scratch, uint64_t, n);
	struct noise noise;

	*count = 0;
	ETC_NEED(s.one && s.two && near && best && last && open && room, err);
	if (n < ETC_CHANGE_FEW)
		return ETC_OK;
	noise = noise_of(v, n, least, room);
	filter(v, n, noise.deviation, near);
	for (size_t i = 0; i < n; i++) {
		double x = near[i] - near[0];

		s.one[i + 1] = s.one[i] + x;
		s.two[i + 1] = s.two[i] + x * x;
	}
	divide(&s, n, ETC_CHANGE_PENALTY * noise.long_run * log((double)n), best, last, open);
	for (size_t t = last[n]; t > 0; t = last[t])
		at[found++] = t;
	for (size_t i = 0; i < found / 2; i++) {
		size_t other = at[i];

		at[i] = at[found - 1 - i];
		at[found - 1 - i] = other;
	}
	settle(&s, n, at, found);
	*count = found;
	return ETC_OK;
}
