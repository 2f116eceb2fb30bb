/* compare_speeds.c -- decides whether two speeds of the runs explain the difference between
 * recordings; see stats/compare.h. */
#include "stats/compare_internal.h"
#include "stats/estimate.h"
#include "stats/typical.h"

#include "base/bisect.h"

#include <math.h>

/* The two levels (speeds) are the medians of the groups. The range of a level reaches from it in
 * both directions by REACH times the spread of its group (etc_comparison_side.spread), or by NEAR
 * times the distance between the levels if that is more. A run is at a level if it is in the
 * level's range, and nearer to this level than to the other. If the two ranges overlap, two speeds
 * do not explain the difference. */
static const double REACH = 2, NEAR = 0.25;
/* How many runs of a group must be at the level of the other group. One run of the slower group at
 * the faster level suffices, because noise only adds time. Two runs of the faster group must be at
 * the slower level, because a single one may just have been disturbed. */
enum { FAST_VISITS = 1, SLOW_VISITS = 2 };
/* The distance between the levels must be at least this fraction of the difference between the
 * groups' estimates (etc_comparison.difference). */
static const double LEVELS = 0.5;

/* Returns how many of n ascending values are below `limit`. */
static size_t below(const double *v, size_t n, double limit)
{
	size_t at;

	ETC_BISECT(at, n, v[at] >= limit);
	return at;
}

static size_t between(const double *v, size_t n, double low, double high)
{
	size_t to = below(v, n, high), from = below(v, n, low);

	return to > from ? to - from : 0;
}

/* Do some runs of one group take as long as the median run of the other group? Sets `speeds` to the
 * two medians. */
static bool are_visited(const struct etc_compare_work *w, const struct etc_comparison *c,
                        double speeds[2])
{
	const bool slower = c->difference > 0;
	const struct etc_comparison_side *fast = slower ? &c->a : &c->b,
					 *slow = slower ? &c->b : &c->a;
	double low = fast->median, high = slow->median, middle = sqrt(low * high);
	double near = NEAR * (high - low);
	double above = low + fmax(REACH * fast->spread * low, near);
	double reach = fmax(REACH * slow->spread * high, near);

	if (!(low > 0) || high - low < LEVELS * fabs(c->difference) || above > high - reach)
		return false;
	speeds[0] = low;
	speeds[1] = high;
	return between(w->half[slower].sorted, slow->runs, 2 * low - above, fmin(above, middle)) >=
	               FAST_VISITS ||
	       between(w->half[!slower].sorted, fast->runs, fmax(high - reach, middle),
	               high + reach) >= SLOW_VISITS;
}

/* Do the two speeds of one group explain the difference between the groups? They do if the interval
 * of the ratio of the groups' times, which includes the assumed spread between processes, overlaps
 * the range from speeds[0] / speeds[1] to speeds[1] / speeds[0]. If `both` is set, each group must
 * have two speeds. Sets `speeds` to the speeds of the group in which they are farther apart. */
static bool are_modes(const struct etc_comparison *c, bool both, double speeds[2])
{
	const double *a = c->a.examined.speeds, *b = c->b.examined.speeds;
	const double *of = b[1] * a[0] > a[1] * b[0] || !(a[0] > 0) ? b : a;

	if (!(of[0] > 0) || (both && !(a[0] > 0 && b[0] > 0)))
		return false;
	speeds[0] = of[0];
	speeds[1] = of[1];
	return c->process_interval.low <= of[1] / of[0] &&
	       c->process_interval.high >= of[0] / of[1];
}

void etc_compare_speeds(const struct etc_compare_work *w, struct etc_comparison *c)
{
	double speeds[2], chance = 1 - w->options->level;
	/* For a high quantile, slow runs in one group are the finding, so they do not explain
	 * it. */
	bool tail = etc_estimate_least(w->options->stat) > 0;

	if (c->process_interval.why != ETC_DEFINED || c->p >= chance ||
	    !(are_modes(c, tail, speeds) ||
	      (!tail && c->p_process < chance && are_visited(w, c, speeds))))
		return;
	c->caveats |= ETC_CAVEAT_SPEEDS;
	for (int g = 0; g < 2; g++) {
		size_t n = g ? c->b.runs : c->a.runs;

		c->speeds[g] = speeds[g];
		c->slower[g] = n - below(w->half[g].sorted, n, sqrt(speeds[0] * speeds[1]));
	}
}
