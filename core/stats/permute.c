/* permute.c -- see permute.h */
#include "stats/permute.h"

#include <math.h>

#include "stats/estimate.h"
#include "stats/random.h"

enum { STREAM = 7 }; /* stream of random numbers; the bootstrap uses others */

/* State of a search for a quantile of some values. The values are passed to take() in descending
 * order. */
struct seeker {
	/* The quantile is interpolated between two neighbouring values. `high` is the number of
	 * values greater than the upper one of the two, `low` the number of values greater than the
	 * lower one. */
	size_t high, low;
	/* position of the quantile between the two neighbouring values: 0 is the lower one, 1 the
	 * upper one */
	double share;
	size_t seen;
	double above, below;
};

static struct seeker seek(double part, size_t n)
{
	double at = part * (double)(n - 1);
	size_t low = (size_t)at;

	return (struct seeker){ .high = low + 1 < n ? n - 2 - low : 0,
		                .low = n - 1 - low,
		                .share = at - (double)low };
}

static void take(struct seeker *s, double v)
{
	if (s->seen == s->high)
		s->above = v;
	if (s->seen == s->low)
		s->below = v;
	s->seen++;
}

static double found(const struct seeker *s)
{
	return s->share > 0 ? s->below + s->share * (s->above - s->below) : s->below;
}

/* Divides `all`, which is ascending, at random into samples of m and n values. Returns the absolute
 * difference of their quantiles. */
static double divide(struct etc_random *r, const double *all, struct seeker a, size_t m,
                     struct seeker b, size_t n)
{
	size_t left = m;

	for (size_t i = m + n; a.seen <= a.low || b.seen <= b.low; i--) {
		bool of_a = etc_random_below(r, (uint32_t)i) < left;

		left -= of_a;
		take(of_a ? &a : &b, all[i - 1]);
	}
	return fabs(found(&b) - found(&a));
}

static void merge(const double *a, size_t m, const double *b, size_t n, double *to)
{
	for (size_t i = 0, k = 0; i < m || k < n;)
		*to++ = k == n || (i < m && a[i] <= b[k]) ? a[i++] : b[k++];
}

/* Divides `all` at random into samples of m and n values. Returns the absolute difference of their
 * means. `sum` is the sum of all values, so only the smaller sample is drawn; its values are moved
 * to the front of the array. */
static double divide_means(struct etc_random *r, double *all, double sum, size_t m, size_t n)
{
	size_t few = m < n ? m : n, many = m + n - few;
	double of_few = 0;

	for (size_t i = 0; i < few; i++) {
		size_t at = i + etc_random_below(r, (uint32_t)(m + n - i));
		double v = all[at];

		all[at] = all[i];
		all[i] = v;
		of_few += v;
	}
	return fabs(of_few / (double)few - (sum - of_few) / (double)many);
}

double etc_permute(const double *a, size_t m, const double *b, size_t n,
                   const struct etc_compare_options *options, struct etc_arena *scratch)
{
	double part = etc_estimate_part(options->stat), sum = 0;
	double *all = etc_new(scratch, double, m + n);
	double seen = fabs(etc_estimate(options->stat, NULL, b, n) -
	                   etc_estimate(options->stat, NULL, a, m));
	uint32_t hits = 0;
	struct etc_random random;

	if (!all)
		return 1;
	merge(a, m, b, n, all);
	/* Lower the limit a little, so that a difference that is smaller only because of rounding
	 * counts as equal. */
	seen -= 1e-12 * fabs(all[m + n - 1]);
	for (size_t i = 0; i < m + n; i++)
		sum += all[i];
	etc_random_seed(&random, options->seed, STREAM);
	for (uint32_t k = 0; k < options->rounds; k++)
		hits += (part > 0 ? divide(&random, all, seek(part, m), m, seek(part, n), n)
		                  : divide_means(&random, all, sum, m, n)) >= seen;
	return (1.0 + hits) / (1.0 + options->rounds);
}
