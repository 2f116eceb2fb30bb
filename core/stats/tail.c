/* tail.c -- see tail.h */
#include "stats/tail.h"

#include "stats/distribution.h"
#include "stats/sort.h"
#include "stats/typical.h"

#include <math.h>

enum { LEAST_DUMPS = 3 };
static const double REACH = 3 * ETC_MAD_DEVIATION, LEAST_REACH = 0.05;

static double median_of(double *v, size_t n, double *other)
{
	etc_sort(v, n, other);
	return v[(n - 1) / 2] + (v[n / 2] - v[(n - 1) / 2]) / 2;
}

/* Sets `out` to the runs' times, each divided by the median of its dump. `room` and `other` are
 * working memory. */
static void relate(const struct etc_tail_group *g, double *out, double *room, double *other)
{
	for (size_t d = 0; d < g->dumps; d++) {
		size_t from = g->first[d], n = g->first[d + 1] - from;
		double median;

		memcpy(room, g->x + from, n * sizeof *room);
		median = median_of(room, n, other);
		for (size_t i = from; i < from + n; i++)
			out[i] = median > 0 ? g->x[i] / median : 1;
	}
}

struct counts {
	double slow;  /* number of groups of consecutive slow runs */
	double usual; /* number of runs that are not slow */
};

static struct counts count(const double *x, size_t n, double limit)
{
	struct counts c = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		if (x[i] <= limit)
			c.usual++;
		else if (i == 0 || x[i - 1] <= limit)
			c.slow++;
	}
	return c;
}

/* Returns the logarithm of the binomial coefficient n over k. */
static double log_choose(double n, double k)
{
	return etc_log_gamma(n + 1) - etc_log_gamma(k + 1) - etc_log_gamma(n - k + 1);
}

/* Returns p of Fisher's exact test: if the slow runs were divided at random between the two groups,
 * the probability of a division that is at most as likely as the observed one. */
static double fisher(struct counts a, struct counts b)
{
	double slow = a.slow + b.slow, of_a = a.slow + a.usual, of_b = b.slow + b.usual;
	double from = fmax(0, slow - of_b), to = fmin(slow, of_a), p = 0;
	double all = log_choose(of_a + of_b, slow);
	double seen = log_choose(of_a, a.slow) + log_choose(of_b, b.slow) - all;

	for (double k = from; k <= to; k++) {
		double at = log_choose(of_a, k) + log_choose(of_b, slow - k) - all;

		p += at <= seen + 1e-9 ? exp(at) : 0;
	}
	return fmin(p, 1);
}

/* Computes the fraction of slow runs of each dump, and the mean and variance of these
 * fractions. */
static void over_dumps(const struct etc_tail_group *g, const double *x, double limit, double *mean,
                       double *variance)
{
	double k = (double)g->dumps, sum = 0, squares = 0;

	for (size_t d = 0; d < g->dumps; d++) {
		struct counts c = count(x + g->first[d], g->first[d + 1] - g->first[d], limit);
		double part = c.slow / (c.slow + c.usual);

		sum += part;
		squares += part * part;
	}
	*mean = sum / k;
	*variance = fmax(0, squares - sum * sum / k) / (k - 1) / k;
}

static double welch(const struct etc_tail_group groups[2], double *const x[2], double limit)
{
	double mean[2], v[2], sum;

	for (int g = 0; g < 2; g++)
		over_dumps(&groups[g], x[g], limit, &mean[g], &v[g]);
	sum = v[0] + v[1];
	if (!(sum > 0))
		return mean[0] == mean[1] ? 1 : 0;
	return etc_student_two_sided((mean[1] - mean[0]) / sqrt(sum),
	                             sum * sum /
	                                     (v[0] * v[0] / (double)(groups[0].dumps - 1) +
	                                      v[1] * v[1] / (double)(groups[1].dumps - 1)));
}

/* Memory for the runs of both groups. */
struct room {
	/* times of the runs of group 0 and of group 1; the two arrays are adjacent in memory */
	double *x[2];
	double *all, *other;
	size_t n[2];
};

/* Returns the limit above which a run is slow. It is computed from the runs of both groups, which
 * are in r->x. */
static double limit_of(const struct room *r)
{
	size_t n = r->n[0] + r->n[1];
	double median;

	memcpy(r->all, r->x[0], n * sizeof *r->all);
	median = median_of(r->all, n, r->other);
	for (size_t i = 0; i < n; i++)
		r->all[i] = fabs(r->x[0][i] - median);
	return median + fmax(REACH * median_of(r->all, n, r->other), LEAST_REACH * median);
}

static double fisher_of(const struct etc_tail_group groups[2], const struct room *r, double limit)
{
	struct counts c[2] = { { 0, 0 }, { 0, 0 } };

	for (int g = 0; g < 2; g++)
		for (size_t d = 0; d < groups[g].dumps; d++) {
			size_t from = groups[g].first[d], to = groups[g].first[d + 1];
			struct counts of = count(r->x[g] + from, to - from, limit);

			c[g].slow += of.slow;
			c[g].usual += of.usual;
		}
	return fisher(c[0], c[1]);
}

static double fraction_above(const double *x, size_t n, double limit)
{
	size_t above = 0;

	for (size_t i = 0; i < n; i++)
		above += x[i] > limit;
	return (double)above / (double)n;
}

/* Returns the p of Fisher's test for the times themselves, not divided by the median of their dump.
 * Every slow run counts, even if it follows another slow run. */
static double p_of_times(const struct etc_tail_group groups[2], const struct room *r)
{
	struct counts c[2];
	double limit;

	for (int g = 0; g < 2; g++)
		memcpy(r->x[g], groups[g].x, r->n[g] * sizeof *r->x[g]);
	limit = limit_of(r);
	for (int g = 0; g < 2; g++) {
		double n = (double)r->n[g], slow = fraction_above(r->x[g], r->n[g], limit) * n;

		c[g] = (struct counts){ round(slow), n - round(slow) };
	}
	return fisher(c[0], c[1]);
}

enum etc_status etc_tails_compare(const struct etc_tail_group groups[2], struct etc_tails *out,
                                  struct etc_arena *scratch, struct etc_error *err)
{
	size_t m = groups[0].first[groups[0].dumps], n = groups[1].first[groups[1].dumps];
	double *x = etc_new(scratch, double, m + n), *all = etc_new(scratch, double, m + n);
	double *other = etc_new(scratch, double, m + n), limit, fisher_p;
	struct room r = { { x, NULL }, all, other, { m, n } };

	*out = (struct etc_tails){ .p = 1 };
	ETC_NEED(x && all && other, err);
	r.x[1] = x + m;
	if (m == 0 || n == 0)
		return ETC_OK;
	for (int g = 0; g < 2; g++)
		relate(&groups[g], r.x[g], all, other);
	limit = limit_of(&r);
	for (int g = 0; g < 2; g++)
		out->slow[g] = fraction_above(r.x[g], r.n[g], limit);
	fisher_p = fisher_of(groups, &r, limit);
	if (groups[0].dumps == 1 && groups[1].dumps == 1)
		out->p = fmax(fisher_p, p_of_times(groups, &r));
	else if (groups[0].dumps >= LEAST_DUMPS && groups[1].dumps >= LEAST_DUMPS)
		out->p = fmax(fisher_p, welch(groups, r.x, limit));
	return ETC_OK;
}
