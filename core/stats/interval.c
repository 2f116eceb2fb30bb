/* interval.c -- computes the p-value and the intervals of a row, as stats/compare.h defines them.
 *
 * Three methods: bootstrap and Mann-Whitney (one dump each, independent runs), Welch's t
 * over runs (no bootstrap, or autocorrelated runs), and Welch's t over dumps. */
#include "stats/compare_internal.h"
#include "stats/distribution.h"
#include "stats/estimate.h"
#include "stats/permute.h"

#include "model/profile.h"

#include <math.h>

/* If both groups together have more than DIVIDED runs (DIVIDED_MEANS for the mean), the p-value
 * comes from Welch's t-test, because random divisions of so many runs take long. For the same
 * reason doubt_quantile() does nothing if more than DRAWN runs are beyond a quantile. */
enum { DIVIDED = 20000, DIVIDED_MEANS = 1000, DRAWN = 2000, FEW = ETC_COMPARE_RECORDINGS };
static const double MOST = 0.9;
/* If half of an interval is longer than WIDEST times the larger one of the two compared times, the
 * interval is of no use, and is not given. */
static const double WIDEST = 10;

/* Returns the factor by which autocorrelation of the runs increases the variance; 1 if the group is
 * not AUTOCORRELATED. The number of effective runs is reduced by 1, because the variance is
 * computed from deviations from the mean of the same runs. */
static double inflation(const struct etc_comparison_side *side)
{
	double effective = side->examined.effective;

	if (!(side->examined.caveats & ETC_CAVEAT_AUTOCORRELATED))
		return 1;
	return (double)side->runs / fmax(effective - 1, 0.5);
}

/* Computes the variance of the estimate from the variation between runs. */
static void vary_by_runs(const struct etc_compare_work *w, struct etc_compare_half *h,
                         const struct etc_comparison_side *side)
{
	h->variance = h->by_runs = 0;
	h->freedom = fmax(side->examined.effective - 1, 1);
	if (side->runs < 2)
		return;
	h->variance = w->options->stat == ETC_STAT_MEDIAN
	                      ? etc_median_variance(h->sorted, side->runs)
	              : etc_estimate_least(w->options->stat)
	                      ? etc_quantile_variance(h->sorted, side->runs,
	                                              etc_estimate_part(w->options->stat))
	                      : etc_jackknife_variance(h->without, side->runs);
	h->variance *= inflation(side);
	h->by_runs = h->variance;
}

/* Returns the sum of the squared deviations of the estimates from their mean, and sets `*mean` to
 * this mean. There is one estimate for each dump: from the runs of this dump alone if `only` is
 * true, else from the runs of all other dumps (jackknife). Uses Welford's algorithm. */
static double squares_of(const struct etc_compare_work *w, struct etc_compare_half *h, bool only,
                         double *mean)
{
	double sum = 0;

	*mean = 0;
	for (size_t d = 0; d < h->runs.dumps; d++) {
		double e = etc_compare_estimate_of(w, h, d, only), step = e - *mean;

		*mean += step / (double)(d + 1);
		sum += step * (e - *mean);
	}
	return sum;
}

/* Computes the variance of the estimate by the jackknife over dumps. The result is at least the
 * variance over runs, because few dumps may agree by chance, and at least the variance of the
 * dumps' own estimates. */
static void vary_by_dumps(const struct etc_compare_work *w, struct etc_compare_half *h,
                          const struct etc_comparison_side *side)
{
	double k = (double)h->runs.dumps, mean, own;

	vary_by_runs(w, h, side);
	own = squares_of(w, h, true, &h->own);
	if (h->runs.dumps < 2)
		return;
	h->freedom = k - 1;
	h->variance = fmax(h->variance, (k - 1) / k * squares_of(w, h, false, &mean));
	h->variance = fmax(h->variance, own / (k - 1) / k);
}

/* Used if the group `few` has too few dumps to show a variance between them. Raises the variance of
 * the estimate of `few` to the value that follows from the variance between the dumps of the other
 * group, `several`. Both groups then have the degrees of freedom of `several`. */
static void borrow(struct etc_compare_half *few, const struct etc_compare_half *several)
{
	few->variance = fmax(few->variance, several->variance * (double)several->runs.dumps /
	                                            (double)few->runs.dumps);
	few->freedom = several->freedom;
}

/* Returns Satterthwaite's degrees of freedom for the difference of the two groups. */
static double freedom_of(const struct etc_compare_work *w)
{
	const struct etc_compare_half *a = &w->half[0], *b = &w->half[1];
	double sum = a->variance + b->variance;

	return sum * sum /
	       (a->variance * a->variance / a->freedom + b->variance * b->variance / b->freedom);
}

/* Returns the interval from `low` to `high`, extended so that it contains B - A, the difference of
 * the estimates. Times are not negative, so the difference is at least -A, and the interval does
 * not go below -A. Exception: if B is 0, the difference is -A, and as uncertain as A. If the
 * interval is too wide (WIDEST), it has no ends, and `why` is ETC_UNDEFINED_FEW. */
static struct etc_interval around(const struct etc_comparison *c, double low, double high,
                                  uint8_t method)
{
	double a = c->a.estimate, b = c->b.estimate;
	struct etc_interval out = { fmin(low, c->difference), fmax(high, c->difference), method,
		                    ETC_DEFINED };

	if (a >= 0 && b > 0)
		out.low = fmax(out.low, -a);
	if (high - low > 2 * WIDEST * fmax(fabs(a), fabs(b)))
		return (struct etc_interval){ .method = method, .why = ETC_UNDEFINED_FEW };
	return out;
}

/* Computes the interval of the ratio: the interval of the difference, divided by the base time. So
 * if one of the intervals excludes "no change", the other one does, too. */
static void follow_difference(struct etc_comparison *c, bool brief)
{
	const struct etc_interval *i = &c->difference_interval;
	double base = c->a.estimate;

	c->ratio_interval = (struct etc_interval){
		.method = i->method,
		.why = brief                         ? ETC_UNDEFINED_NO_METHOD
		       : c->ratio_why != ETC_DEFINED ? c->ratio_why
		                                     : i->why,
	};
	if (c->ratio_interval.why != ETC_DEFINED)
		return;
	c->ratio_interval.low = fmax(1 + i->low / base, 0);
	c->ratio_interval.high = 1 + i->high / base;
}

/* Computes the intervals of difference and ratio by Welch's t with `df` degrees of freedom, and p
 * by the same test unless `p_method` is ETC_P_NONE. */
static void by_student(struct etc_compare_work *w, struct etc_comparison *c, bool brief, double df,
                       uint8_t method, uint8_t p_method)
{
	double sum = w->half[0].variance + w->half[1].variance, t, by;

	if (!(sum > 0)) {
		c->difference_interval =
			around(c, c->difference, c->difference, ETC_INTERVAL_CONSTANT);
		c->ratio_interval = (struct etc_interval){ c->ratio, c->ratio,
			                                   ETC_INTERVAL_CONSTANT, c->ratio_why };
		return;
	}
	if (p_method != ETC_P_NONE) {
		c->p = etc_student_two_sided(etc_compare_nearer(c) / sqrt(sum), df);
		c->p_method = p_method;
	}
	if (brief && c->p >= 1 - w->options->level)
		return;
	t = etc_student_quantile((1 + w->options->level) / 2, df);
	by = t * sqrt(sum);
	c->difference_interval = around(c, fmin(c->difference, c->other) - by,
	                                fmax(c->difference, c->other) + by, method);
	follow_difference(c, brief);
}

static void widen(struct etc_compare_work *w, double by)
{
	if (by > 1) {
		w->half[0].variance *= by * by;
		w->half[1].variance *= by * by;
	}
}

/* Compares the groups by the means of their dumps' own estimates. Sets c->other to the difference
 * between these means, scaled to A's estimate, if it has another sign than c->difference, or is
 * less than MOST times c->difference.
 *
 * The reason is that recordings may have different levels, such as two speeds of the machine. The
 * typical run, or the median, of all runs then has the level of the majority of recordings. So two
 * groups with nearly the same share of slow recordings may differ by the whole distance between the
 * levels. A high quantile has the level of the slowest recordings, and a larger group has more of
 * these recordings. */
static void doubt_most(const struct etc_compare_work *w, struct etc_comparison *c)
{
	double a = w->half[0].own, b = w->half[1].own;
	double own = a > 0 ? c->a.estimate * (b / a - 1) : b - a;

	if (c->difference != 0 && own / c->difference < MOST)
		c->other = own;
}

/* Widens variance and interval of a quantile until the p-value that follows from them is at least
 * that of a permutation test of all runs. One slow run more or less may move a quantile far, which
 * Student's t does not take into account. */
static void doubt_quantile(struct etc_compare_work *w, struct etc_comparison *c, double df)
{
	struct etc_compare_half *a = &w->half[0], *b = &w->half[1];
	double sum = a->variance + b->variance, t = fabs(etc_compare_nearer(c)) / sqrt(sum), p;
	double part = etc_estimate_part(w->options->stat);

	if (!(part > 0) || !(sum > 0) || w->options->rounds == 0 ||
	    (1 - part) * (double)(c->a.runs + c->b.runs) > DRAWN ||
	    etc_student_two_sided(t, df) >= 1 - w->options->level)
		return;
	p = etc_permute(a->sorted, c->a.runs, b->sorted, c->b.runs, w->options, w->memory);
	widen(w, t / fmax(etc_student_quantile(1 - p / 2, df), 0.01));
}

static void by_dumps(struct etc_compare_work *w, struct etc_comparison *c, bool brief)
{
	struct etc_compare_half *a = &w->half[0], *b = &w->half[1];
	bool few_a = a->runs.dumps < 2 || (a->runs.dumps < FEW && b->runs.dumps >= FEW);
	bool few_b = b->runs.dumps < 2 || (b->runs.dumps < FEW && a->runs.dumps >= FEW);
	double df;

	if (few_a || few_b) {
		c->caveats |= ETC_CAVEAT_BORROWED;
		borrow(few_a ? a : b, few_a ? b : a);
		df = few_a ? b->freedom : a->freedom;
	} else {
		df = freedom_of(w);
	}
	doubt_most(w, c);
	doubt_quantile(w, c, df);
	by_student(w, c, brief, df, ETC_INTERVAL_DUMPS, ETC_P_DUMPS);
}

/* Sets c->other, p and the intervals from `step`, the difference between the groups after a smooth
 * drift over the order of recording is removed (order.h). c->other is this difference in the unit
 * of the estimates. If `logarithms` is true, the step was fitted to the logarithms of the
 * estimates, so it is the logarithm of the ratio B / A. */
static void by_step(struct etc_compare_work *w, struct etc_comparison *c, bool brief,
                    const struct etc_step *step, bool logarithms)
{
	double base = c->a.estimate, by, low, high;

	c->other = logarithms ? base * (exp(step->size) - 1) : step->size;
	c->caveats |= ETC_CAVEAT_ORDERED;
	c->p = step->variance > 0
	               ? etc_student_two_sided(step->size / sqrt(step->variance), step->freedom)
	               : step->size == 0;
	c->p_method = ETC_P_ORDER;
	if (brief && c->p >= 1 - w->options->level)
		return;
	by = etc_student_quantile((1 + w->options->level) / 2, step->freedom) *
	     sqrt(step->variance);
	low = logarithms ? base * (exp(step->size - by) - 1) : step->size - by;
	high = logarithms ? base * (exp(step->size + by) - 1) : step->size + by;
	c->difference_interval = around(c, low, high, ETC_INTERVAL_ORDER);
	follow_difference(c, brief);
}

static enum etc_status between_dumps(struct etc_compare_work *w, struct etc_comparison *c,
                                     bool brief)
{
	struct etc_step step = { .why = ETC_UNDEFINED_FEW };
	bool logarithms = false;

	vary_by_dumps(w, &w->half[0], &c->a);
	vary_by_dumps(w, &w->half[1], &c->b);
	if (etc_compare_in_order(w))
		ETC_TRY(etc_compare_step(w, c, &step, &logarithms));
	if (step.why == ETC_DEFINED)
		by_step(w, c, brief, &step, logarithms);
	else
		by_dumps(w, c, brief);
	return ETC_OK;
}

/* Computes the p-value of the Mann-Whitney test. If there are few values and some are tied, the
 * p-value is exact: all ways to divide the values into two groups of the same sizes are counted. */
static enum etc_status p_of_runs(struct etc_compare_work *w, struct etc_comparison *c)
{
	const struct etc_compare_half *a = &w->half[0], *b = &w->half[1];
	size_t m = a->runs.n, n = b->runs.n;
	struct etc_mann_whitney u = c->u;
	double least = 2;

	for (size_t i = 1; i <= m && least > 1e-9; i++)
		least *= (double)i / (double)(n + i);
	if (least > 1 - w->options->level)
		c->caveats |= ETC_CAVEAT_NO_CHANCE;
	if (u.method == ETC_U_ASYMPTOTIC && m + n <= ETC_DIVISIONS)
		ETC_TRY(etc_mann_whitney(a->sorted, m, b->sorted, n, ETC_U_PERMUTATION, &u,
		                         &w->divisions, w->memory, w->err));
	c->p = u.p;
	c->p_method = u.method == ETC_U_PERMUTATION ? ETC_P_PERMUTATION : ETC_P_RUNS;
	return ETC_OK;
}

static struct etc_interval bca_of(struct etc_compare_work *w, double estimate, double acceleration)
{
	return etc_bca(w->both, w->options->rounds, estimate, acceleration, w->options->level,
	               w->keys);
}

static void bootstrap_difference(struct etc_compare_work *w, struct etc_comparison *c, size_t i)
{
	struct etc_compare_half *a = &w->half[0], *b = &w->half[1];

	for (uint32_t k = 0; k < w->options->rounds; k++)
		w->both[k] = b->replicates[i][k] - a->replicates[i][k];
	/* The estimates of group A get a negative sign, because the difference is B - A. */
	for (size_t k = 0; k < c->a.runs; k++)
		a->rest[k] = -a->without[k];
	c->difference_interval = bca_of(
		w, c->difference, etc_acceleration(a->rest, c->a.runs, b->without, c->b.runs));
	if (b->sorted[0] >= 0 && c->b.estimate > 0)
		c->difference_interval.low = fmax(c->difference_interval.low, -c->a.estimate);
}

static void bootstrap_ratio(struct etc_compare_work *w, struct etc_comparison *c, size_t i)
{
	struct etc_compare_half *a = &w->half[0], *b = &w->half[1];

	c->ratio_interval.why = ETC_UNDEFINED_ZERO;
	if (c->ratio_why != ETC_DEFINED)
		return;
	for (uint32_t k = 0; k < w->options->rounds; k++) {
		if (!(a->replicates[i][k] > 0))
			return;
		w->both[k] = b->replicates[i][k] / a->replicates[i][k];
	}
	for (size_t k = 0; k < c->a.runs; k++) {
		if (!(a->without[k] > 0))
			return;
		a->rest[k] = c->b.estimate / a->without[k];
	}
	for (size_t k = 0; k < c->b.runs; k++)
		b->rest[k] = b->without[k] / c->a.estimate;
	c->ratio_interval =
		bca_of(w, c->ratio, etc_acceleration(a->rest, c->a.runs, b->rest, c->b.runs));
}

/* Widens variance and interval of the typical run or the median until the p-value that follows from
 * them is at least that of the Mann-Whitney test. This matters if the runs have two speeds: chance
 * then decides which of the speeds the typical run has, and the jackknife's variance does not
 * include this uncertainty. */
static void doubt_typical(struct etc_compare_work *w, const struct etc_comparison *c)
{
	double df = freedom_of(w), sum = w->half[0].variance + w->half[1].variance;

	if (sum > 0)
		widen(w, fabs(c->difference) / sqrt(sum) /
		                 fmax(etc_student_quantile(1 - c->p / 2, df), 0.01));
}

static void by_runs(struct etc_compare_work *w, struct etc_comparison *c, bool brief, size_t i)
{
	bool depend = inflation(&c->a) > 1 || inflation(&c->b) > 1;
	bool mean = w->options->stat == ETC_STAT_MEAN;
	/* for the mean and for p90 to p99, p is that of a test of the statistic itself, not
	 * Mann-Whitney's */
	bool own = mean || etc_estimate_least(w->options->stat) > 0;

	vary_by_runs(w, &w->half[0], &c->a);
	vary_by_runs(w, &w->half[1], &c->b);
	if (depend || !w->boot ||
	    (own && c->a.runs + c->b.runs > (mean ? DIVIDED_MEANS : DIVIDED))) {
		if (depend && !own)
			doubt_typical(w, c);
		by_student(w, c, brief, freedom_of(w),
		           depend ? ETC_INTERVAL_EFFECTIVE : ETC_INTERVAL_NORMAL,
		           depend || own ? ETC_P_EFFECTIVE : ETC_P_NONE);
		return;
	}
	if (own) {
		c->p = etc_permute(w->half[0].sorted, c->a.runs, w->half[1].sorted, c->b.runs,
		                   w->options, w->memory);
		c->p_method = ETC_P_PERMUTATION;
	}
	bootstrap_difference(w, c, i);
	if (!brief)
		bootstrap_ratio(w, c, i);
}

enum etc_status etc_compare_infer(struct etc_compare_work *w, struct etc_comparison *c, size_t r,
                                  size_t i)
{
	bool brief = etc_compare_brief(w, r);
	uint8_t why =
		etc_estimate_known(w->options->stat) ? ETC_UNDEFINED_FEW : ETC_UNDEFINED_NO_METHOD;

	c->difference_interval = c->ratio_interval = (struct etc_interval){ .why = why };
	if (brief)
		c->ratio_interval.why = ETC_UNDEFINED_NO_METHOD;
	if (c->a.dumps < 2 && c->b.dumps < 2)
		c->caveats |= ETC_CAVEAT_ONE_DUMP;
	w->half[0].variance = w->half[1].variance = 0;
	if (why == ETC_UNDEFINED_NO_METHOD)
		return ETC_OK;
	ETC_TRY(p_of_runs(w, c));
	if (c->a.dumps > 1 || c->b.dumps > 1)
		return between_dumps(w, c, brief);
	if (c->a.runs > 1 && c->b.runs > 1)
		by_runs(w, c, brief, i);
	return ETC_OK;
}
