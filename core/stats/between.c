/* between.c -- decides whether a difference between recordings is a difference between the
 * programs; see stats/compare.h. */
#include "stats/compare_internal.h"
#include "stats/distribution.h"
#include "stats/estimate.h"
#include "stats/order.h"
#include "stats/typical.h"

#include "model/profile.h"

#include <math.h>

static const double DRIFT_CHANCE = 0.01;
/* The difference between the groups is computed with and without the drift over the order of the
 * dumps. If the two results are apart by more than SHIFTED times the smaller of them, no change is
 * claimed. */
static const double SHIFTED = 2;

/* ---- the variation between processes, if it was not measured ------------------------------ */

/* Returns the variance of a group's estimate, divided by the square of the estimate. */
static double relative(const struct etc_compare_half *h, const struct etc_comparison_side *side)
{
	return h->variance / (side->estimate * side->estimate);
}

static void assume_spread(struct etc_compare_work *w, struct etc_comparison *c)
{
	const struct etc_compare_half *a = &w->half[0], *b = &w->half[1];
	double s = w->options->process_spread, sum, wide, other, nearer;

	if (w->options->at_least)
		s = fmax(s, fmax(c->a.spread, c->b.spread));
	c->spread = s;
	c->caveats |= ETC_CAVEAT_ASSUMED;
	if (!(c->a.estimate > 0 && c->b.estimate > 0))
		return;
	sum = relative(a, &c->a) + relative(b, &c->b) +
	      s * s * (1 / (double)c->a.dumps + 1 / (double)c->b.dumps);
	other = 1 + c->other / c->a.estimate;
	wide = exp(etc_normal_quantile((1 + w->options->level) / 2) * sqrt(sum));
	c->process_interval =
		(struct etc_interval){ fmin(c->ratio, other) / wide, fmax(c->ratio, other) * wide,
		                       ETC_INTERVAL_ASSUMED, ETC_DEFINED };
	nearer = log(1 + etc_compare_nearer(c) / c->a.estimate);
	if (sum > 0)
		c->p_process = fmax(c->p, 2 * etc_normal_cdf(-fabs(nearer) / sqrt(sum)));
}

/* ---- a drift within the recordings ---------------------------------------------------------- */

/* Returns the drift over all dumps of a group, as a fraction of the estimate; 0 if the drift is not
 * significant. */
static double drift_of(const struct etc_comparison_side *side)
{
	const struct etc_examined *e = &side->examined;
	double z = fmax(0, fabs(e->rises) - 1) / sqrt(e->rises_variance);

	if (!(e->rises_variance > 0) || 2 * etc_normal_cdf(-z) >= DRIFT_CHANCE)
		return 0;
	return e->drift_inside;
}

/* Is the change significant, but dependent on the drift over the order of the dumps? The difference
 * is computed with and without this drift. The change is dependent if these two differences are
 * apart by more than SHIFTED times the smaller one. */
static bool is_shifted(const struct etc_compare_work *w, const struct etc_comparison *c)
{
	double with = fabs(c->difference), without = fabs(c->other);

	return c->p < 1 - w->options->level &&
	       fabs(c->difference - c->other) > SHIFTED * fmin(with, without);
}

static void find_drift(const struct etc_compare_work *w, struct etc_comparison *c)
{
	double a = drift_of(&c->a), b = drift_of(&c->b);

	c->drift = fabs(a) > fabs(b) ? a : b;
	if (c->p_method == ETC_P_ORDER
	            ? is_shifted(w, c)
	            : c->a.estimate > 0 && c->drift != 0 &&
	                      fabs(c->drift) >= fabs(c->difference) / c->a.estimate)
		c->caveats |= ETC_CAVEAT_DROWNED;
}

void etc_compare_between(struct etc_compare_work *w, struct etc_comparison *c)
{
	c->p_process = c->p;
	c->process_interval.why = ETC_UNDEFINED_NO_METHOD;
	if (c->a.dumps < ETC_COMPARE_RECORDINGS && w->options->process_spread > 0)
		assume_spread(w, c);
	find_drift(w, c);
}

/* ---- the order in which dumps were recorded ------------------------------------------- */

double etc_compare_nearer(const struct etc_comparison *c)
{
	if ((c->difference < 0) != (c->other < 0))
		return 0;
	return fabs(c->difference) < fabs(c->other) ? c->difference : c->other;
}

/* With fewer than ETC_TYPICAL_LEAST runs it is unknown which runs are typical. The median is then
 * used instead of the typical run, because in a mean, one slow run would count too much. */
double etc_compare_estimate_of(const struct etc_compare_work *w, struct etc_compare_half *h,
                               size_t d, bool only)
{
	uint8_t stat = w->options->stat;
	size_t n = only ? etc_runs_only(&h->runs, h->x, stat, d, h->rest, h->other)
	                : etc_runs_places(&h->runs, h->x, stat, d, h->rest, h->other);

	if (stat == ETC_STAT_TYPICAL && n < ETC_TYPICAL_LEAST)
		stat = ETC_STAT_MEDIAN;
	return etc_estimate(stat, h->other, h->rest, n);
}

/* Returns the part of the variance of one dump's estimate that comes from the variation between
 * runs. If `part` is set, it is divided by the square of the group's estimate. */
static double least_variance(const struct etc_compare_half *h,
                             const struct etc_comparison_side *side, bool part)
{
	double all = h->by_runs * (double)side->dumps;

	return part ? all / (side->estimate * side->estimate) : all;
}

bool etc_compare_in_order(const struct etc_compare_work *w)
{
	const struct etc_runs *a = &w->half[0].runs, *b = &w->half[1].runs;

	return a->places && b->places && a->dumps >= ETC_COMPARE_RECORDINGS &&
	       b->dumps >= ETC_COMPARE_RECORDINGS;
}

enum etc_status etc_compare_step(struct etc_compare_work *w, struct etc_comparison *c,
                                 struct etc_step *out, bool *logarithms)
{
	struct etc_compare_half *a = &w->half[0], *b = &w->half[1];
	size_t m = a->runs.dumps, n = m + b->runs.dumps;
	double *y = etc_new(w->memory, double, n), *t = etc_new(w->memory, double, n), least;
	bool *second = etc_new(w->memory, bool, n);

	ETC_NEED(y && t && second, w->err);
	*logarithms = true;
	for (size_t i = 0; i < n; i++) {
		struct etc_compare_half *h = i < m ? a : b;
		size_t d = i < m ? i : i - m;

		second[i] = i >= m;
		t[i] = h->runs.places[d];
		y[i] = etc_compare_estimate_of(w, h, d, true);
		*logarithms = *logarithms && y[i] > 0;
	}
	for (size_t i = 0; i < n && *logarithms; i++)
		y[i] = log(y[i]);
	least = ((double)m * least_variance(a, &c->a, *logarithms) +
	         (double)(n - m) * least_variance(b, &c->b, *logarithms)) /
	        (double)n;
	return etc_step_in_order(y, t, second, n, least, out, w->memory, w->err);
}
