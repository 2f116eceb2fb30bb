/* bootstrap.c -- see bootstrap.h
 *
 * There are two ways to draw (bootstrap.h). For a round that draws n runs one by one, the values of
 * WIDE rows are interleaved in memory, so that one pass over the values computes the sums of WIDE
 * rows. */
#include "stats/bootstrap.h"

#include "base/bisect.h"
#include "model/profile.h"
#include "stats/distribution.h"
#include "stats/estimate.h"
#include "stats/random.h"
#include "stats/select.h"
#include "stats/sort.h"
#include "stats/typical.h"

#include <math.h>

enum { WIDE = 8, SPIKES = 64 };

/* The runs drawn in a round, by their positions in the sorted order. If the typical run is
 * estimated, a drawn run counts only if it is typical among the drawn runs; otherwise all drawn
 * runs count. */
struct drawn {
	uint32_t *times;  /* for each position, how often it was drawn */
	uint32_t *places; /* the positions of the drawn runs that count, ascending */
	double *weights;
	size_t count;
};

/* Returns the position of the k-th smallest of the drawn runs, counted from 0. */
static size_t drawn_place(const struct drawn *d, size_t k)
{
	size_t i = 0;

	while (k >= d->times[i])
		k -= d->times[i++];
	return i;
}

/* Returns the sum of the two middle values of |2 t - m2|, where t is the time of a drawn run. In
 * ascending order, the middle values have the positions k = (n - 1) / 2 and n / 2, counted from 0.
 * They are found by walking outwards from `start`, the position of the upper middle run. */
static double drawn_deviations(const struct drawn *d, const double *time, size_t n, double m2,
                               size_t start, size_t k)
{
	size_t left = start, right = start, seen = 0, last = n / 2;
	double low = -1;

	for (;;) {
		double below = left > 0 ? m2 - 2 * time[left - 1] : HUGE_VAL;
		double above = right < n ? 2 * time[right] - m2 : HUGE_VAL;

		seen += below <= above ? d->times[--left] : d->times[right++];
		if (low < 0 && seen > k)
			low = fmin(below, above);
		if (seen > last)
			return low + fmin(below, above);
	}
}

/* Sets [*from, *to) to the positions of the typical runs among the `n` runs, which are sorted by
 * time. The runs in `d` decide which times are typical. */
static void drawn_typical(const struct drawn *d, const double *time, size_t n, size_t *from,
                          size_t *to)
{
	size_t high = drawn_place(d, n / 2), k = (n - 1) / 2;
	double m2 = time[drawn_place(d, k)] + time[high], reach;

	*from = 0;
	*to = n;
	if (n < ETC_TYPICAL_LEAST)
		return;
	reach = ETC_TYPICAL_REACH * drawn_deviations(d, time, n, m2, high, k);
	while (ETC_TYPICAL_UNIT * (m2 - 2 * time[*from]) > reach)
		++*from;
	while (ETC_TYPICAL_UNIT * (2 * time[*to - 1] - m2) > reach)
		--*to;
}

/* Draws n of n runs, with replacement, into `d`. If `time` is NULL, all drawn runs count; otherwise
 * only the typical ones do. Returns how many of the drawn runs count. */
static double draw(struct etc_random *r, uint32_t n, const double *time, struct drawn *d)
{
	size_t from = 0, to = n;
	double sum = 0;

	d->count = 0;
	memset(d->times, 0, n * sizeof *d->times);
	for (uint32_t i = 0; i < n; i++)
		d->times[etc_random_below(r, n)]++;
	if (time)
		drawn_typical(d, time, n, &from, &to);
	for (size_t i = from; i < to; i++) {
		d->places[d->count] = (uint32_t)i;
		d->weights[d->count] = d->times[i];
		d->count += d->times[i] > 0;
		sum += d->times[i];
	}
	return sum;
}

/* For each of WIDE rows, sets sum[r] to the sum of its values in those drawn runs that count
 * (struct drawn). In `beside`, the values of the rows at one position are adjacent. */
static void weigh(const struct drawn *d, const double *beside, double *sum)
{
	for (size_t r = 0; r < WIDE; r++)
		sum[r] = 0;
	for (size_t i = 0; i < d->count; i++) {
		const double *at = beside + (size_t)d->places[i] * WIDE;

		for (size_t r = 0; r < WIDE; r++)
			sum[r] += d->weights[i] * at[r];
	}
}

/* Computes the estimate of each row in each round, drawing n runs per round. */
static enum etc_status draw_runs(const struct etc_bootstrap *plan, const double *const *y,
                                 size_t rows, size_t n, double *out, struct etc_arena *scratch,
                                 struct etc_error *err)
{
	const double *time = plan->stat == ETC_STAT_TYPICAL ? plan->time : NULL;
	size_t groups = (rows + WIDE - 1) / WIDE;
	double *beside = etc_new(scratch, double, groups *n *WIDE);
	struct drawn d = { etc_new(scratch, uint32_t, n), etc_new(scratch, uint32_t, n),
		           etc_new(scratch, double, n), 0 };
	struct etc_random random;

	ETC_NEED(beside && d.times && d.places && d.weights, err);
	for (size_t r = 0; r < rows; r++)
		for (size_t i = 0; i < n; i++)
			beside[(r / WIDE * n + i) * WIDE + r % WIDE] = y[r][i] - y[r][0];
	etc_random_seed(&random, plan->seed, plan->stream);
	for (uint32_t k = 0; k < plan->rounds; k++) {
		double count = draw(&random, (uint32_t)n, time, &d);

		for (size_t g = 0; g < groups; g++) {
			double sum[WIDE];

			weigh(&d, beside + g * n * WIDE, sum);
			for (size_t r = g * WIDE; r < rows && r < (g + 1) * WIDE; r++)
				out[r * plan->rounds + k] = y[r][0] + sum[r % WIDE] / count;
		}
	}
	return ETC_OK;
}

/* A range of runs in the sorted order. Its ends are order statistics of the drawn runs, as
 * fractions of the number of runs (0 to 1). */
struct stretch {
	double from, to;
};

/* Draws two order statistics of n uniform numbers: number `first`, counted from 1, and number
 * `first` + `next`. They are partial sums of n + 1 exponential variates, divided by the sum of
 * all. */
static struct stretch draw_stretch(struct etc_random *r, double first, double next, double n)
{
	double a = etc_random_gamma(r, first), b = next > 0 ? etc_random_gamma(r, next) : 0;
	double total = a + b + etc_random_gamma(r, n + 1 - first - next);

	return (struct stretch){ a / total, (a + b) / total };
}

static size_t place(double part, size_t n)
{
	size_t i = (size_t)(part * (double)n);

	return i < n ? i : n - 1;
}

static void draw_quantiles(const struct etc_bootstrap *plan, const double *const *y, size_t rows,
                           size_t n, double *out)
{
	double at = etc_estimate_part(plan->stat) * (double)(n - 1), first = floor(at) + 1;
	double share = at - floor(at);
	struct etc_random random;

	etc_random_seed(&random, plan->seed, plan->stream);
	for (uint32_t k = 0; k < plan->rounds; k++) {
		struct stretch s = draw_stretch(&random, first, 1, (double)n);
		size_t low = place(s.from, n), high = share > 0 ? place(s.to, n) : low;

		for (size_t r = 0; r < rows; r++)
			out[r * plan->rounds + k] = y[r][low] + (y[r][high] - y[r][low]) * share;
	}
}

/* Sums over the values before a position: their number, and the sums of the values, of their
 * squares and of their cubes. */
struct running {
	double count, one, two, three;
};

/* The values of one row. Spikes are outliers so large that one alone visibly moves the mean
 * (find_spikes()). They are drawn one by one. Only the sum of the other values is drawn, as one
 * random number whose mean, variance and skewness are computed from `sums`. */
struct row {
	const double *y;
	size_t n;
	double origin;
	/* n + 1 entries: the sums over the values before each position, without the spikes */
	struct running *sums;
	size_t spikes;
	/* positions of the spikes, which are extreme outliers (find_spikes()), ascending */
	uint32_t at[SPIKES];
};

static void sum_up(struct row *w)
{
	struct running s = { 0 };

	for (size_t i = 0, k = 0; i < w->n; i++) {
		double x = w->y[i] - w->origin;

		w->sums[i] = s;
		if (k < w->spikes && w->at[k] == i) {
			k++;
			continue;
		}
		s.count++;
		s.one += x;
		s.two += x * x;
		s.three += x * x * x;
	}
	w->sums[w->n] = s;
}

/* Finds the spikes of a row: values that are farther from the mean than a quarter of the standard
 * deviation of a sum of w->n values. Without the spikes found so far, this deviation is smaller, so
 * the search is repeated until it finds no more spikes. */
static void find_spikes(struct row *w)
{
	size_t before;

	w->spikes = 0;
	do {
		const struct running *all;
		double mean, far;

		before = w->spikes;
		sum_up(w);
		all = &w->sums[w->n];
		mean = all->one / all->count;
		far = (all->two / all->count - mean * mean) * (double)w->n / 16;
		w->spikes = 0;
		for (size_t i = 0; i < w->n && w->spikes < SPIKES; i++) {
			double x = w->y[i] - w->origin - mean;

			if (x * x > far)
				w->at[w->spikes++] = (uint32_t)i;
		}
	} while (w->spikes > before && w->spikes < SPIKES);
	sum_up(w);
}

/* Returns the sums over the values before the position `part` * n; `part` is from 0 to 1. If `part`
 * * n is not a whole number, the value at that position is added in proportion. */
static struct running sums_to(const struct row *w, double part)
{
	size_t i = place(part, w->n);
	struct running s = w->sums[i], next = w->sums[i + 1];
	double share = part * (double)w->n - (double)i;

	return (struct running){ s.count + share * (next.count - s.count),
		                 s.one + share * (next.one - s.one),
		                 s.two + share * (next.two - s.two),
		                 s.three + share * (next.three - s.three) };
}

/* Returns a random sum: the sum of `count` values that are drawn from a range. It is computed from
 * `z`, a standard normal variate. `a` and `b` are the sums up to the start and up to the end of the
 * range. */
static double sum_drawn(struct running a, struct running b, double count, double z)
{
	double width = b.count - a.count;
	double mean = (b.one - a.one) / width, square = (b.two - a.two) / width;
	double cube = (b.three - a.three) / width;
	double variance = square - mean * mean;
	double third = cube - 3 * mean * square + 2 * mean * mean * mean;
	double skew;

	if (!(variance > 0) || !(width > 0) || !(count > 0))
		return width > 0 ? mean * count : 0;
	skew = third / (variance * sqrt(variance)) / (6 * sqrt(count));
	/* Beyond 1/8 the Cornish-Fisher map of z is no longer monotonic. */
	skew = skew > 0.125 ? 0.125 : skew < -0.125 ? -0.125 : skew;
	return mean * count + sqrt(variance * count) * (z + skew * (z * z - 1));
}

/* Of `*count` values that are to be drawn from the range `s`, draws those that are spikes
 * (struct row). Subtracts the number of spikes from `*count`, and returns the sum of the spikes.
 * The number of other values between two spikes is geometrically distributed. */
static double draw_spikes(struct etc_random *r, const struct row *w, struct stretch s,
                          double *count)
{
	/* The ends of the range are fractions of n and not exact, so a deviation of 1e-6 positions
	 * is tolerated. */
	double from = floor(s.from * (double)w->n + 1e-6), to = s.to * (double)w->n - 1e-6;
	size_t first = 0, last;
	double left = *count, sum = 0, miss;

	while (first < w->spikes && w->at[first] < from)
		first++;
	for (last = first; last < w->spikes && w->at[last] <= to;)
		last++;
	if (last == first)
		return 0;
	miss = log1p(-(double)(last - first) / ((s.to - s.from) * (double)w->n));
	for (;;) {
		left -= 1 + floor(log(etc_random_unit(r)) / miss);
		if (left < 0)
			return sum;
		sum += w->y[w->at[first + etc_random_below(r, (uint32_t)(last - first))]] -
		       w->origin;
		*count -= 1;
	}
}

/* One range of runs in a round. The round draws `count` values of each row from this range: not one
 * by one, but their sum, from a normal distribution. `z` is the standard normal variate for this,
 * the same for all rows. */
struct part {
	struct stretch places;
	double count, z;
};

enum { PARTS = 5 };

static void draw_row(const struct etc_bootstrap *plan, struct row *w, const struct part *parts,
                     size_t of_round, double *out)
{
	struct etc_random random;

	etc_random_seed(&random, plan->seed, plan->stream + 2);
	w->origin = etc_estimate(plan->stat, plan->time, w->y, w->n);
	find_spikes(w);
	for (uint32_t k = 0; k < plan->rounds; k++) {
		double sum = 0, count = 0;

		for (size_t i = 0; i < of_round; i++) {
			const struct part *p = &parts[k * of_round + i];
			double left = p->count;

			if (!(left > 0))
				continue;
			count += left;
			sum += draw_spikes(&random, w, p->places, &left);
			sum += sum_drawn(sums_to(w, p->places.from), sums_to(w, p->places.to), left,
			                 p->z);
		}
		out[k] = w->origin + sum / count;
	}
}

/* Returns the fraction of all runs whose time is below `t`; with `equal`, whose time is at most
 * `t`. */
static double below(const double *time, size_t n, double t, bool equal)
{
	size_t at;

	ETC_BISECT(at, n, equal ? time[at] > t : time[at] >= t);
	return (double)at / (double)n;
}

/* The runs whose times are within some distance of the drawn median. */
struct sides {
	double from, to; /* first and last position of these runs, as fractions of n */
	double left;  /* of the runs before the median, the fraction within the distance from it */
	double right; /* of the runs after the median, the fraction within the distance from it */
};

static struct sides within(const double *time, size_t n, struct stretch median, double m, double d)
{
	struct sides s = { below(time, n, m - d, false), below(time, n, m + d, true), 0, 0 };

	s.from = s.from < median.from ? s.from : median.from;
	s.to = s.to > median.to ? s.to : median.to;
	s.left = (median.from - s.from) / median.from;
	s.right = (s.to - median.to) / (1 - median.to);
	return s;
}

/* Returns the distance from the drawn median within which the fraction `part` of the drawn runs
 * lies. */
static double reach_of(const double *time, size_t n, struct stretch median, double m, double part)
{
	double low = 0, high = fmax(m - time[0], time[n - 1] - m);
	struct sides s = within(time, n, median, m, 0);

	if (s.left + s.right >= 2 * part)
		return 0;
	while (low < high) {
		double mid = low + (high - low) / 2;

		if (mid <= low || mid >= high)
			break;
		s = within(time, n, median, m, mid);
		if (s.left + s.right >= 2 * part)
			high = mid;
		else
			low = mid;
	}
	return high;
}

/* Draws a count from a normal distribution with this mean and variance, rounded, and limited to 0
 * and `most`. */
static double vary(struct etc_random *r, double mean, double variance, double most)
{
	double out = floor(mean + etc_random_normal(r) * sqrt(variance) + 0.5);

	return out < 0 ? 0 : out > most ? most : out;
}

/* Draws the five ranges of a round. Two are on each side of the median: one up to the median
 * absolute deviation, and one from there to the limit of the typical runs. The fifth is the median
 * itself. */
static void draw_typical(struct etc_random *r, const double *time, size_t n, struct part *parts)
{
	/* largest distance of a typical run from the median, as a multiple of the median absolute
	 * deviation of the runs' times */
	const double reach = 2.0 * ETC_TYPICAL_REACH / ETC_TYPICAL_UNIT;
	double half = floor(((double)n - 1) / 2), near, far, left, right, part, more;
	struct stretch median = draw_stretch(r, half + 1, n % 2 ? 0 : 1, (double)n);
	double m = (time[place(median.from, n)] + time[place(median.to, n)]) / 2, d;
	struct sides in = within(time, n, median, m, reach_of(time, n, median, m, 0.5)), out;

	/* Half of the runs are within the median absolute deviation of the median (with a coarse
	 * clock, more than half). How many drawn runs are within this distance varies from round to
	 * round, and so does the median absolute deviation of the drawn runs. */
	near = in.left * (1 - in.left) + in.right * (1 - in.right);
	part = 0.5 + etc_random_normal(r) * sqrt(near / (4 * half));
	d = reach_of(time, n, median, m, part);
	in = within(time, n, median, m, d);
	out = within(time, n, median, m, d * reach);
	near = in.left * (1 - in.left);
	far = in.right * (1 - in.right);
	more = 1 - 2 * part;
	part = near + far > 0 ? near / (near + far) : 0.5;
	left = vary(r, half * (in.left + more * part), half * near * (1 - part), half);
	right = floor(half * (in.left + in.right + more) + 0.5) - left;
	right = fmin(half, fmax(0, right));
	parts[0].places = (struct stretch){ in.from, median.from };
	parts[0].count = left;
	parts[1].places = (struct stretch){ median.to, in.to };
	parts[1].count = right;
	near = in.from > 0 ? (in.from - out.from) / in.from : 0;
	far = in.to < 1 ? (out.to - in.to) / (1 - in.to) : 0;
	parts[2].places = (struct stretch){ out.from, in.from };
	parts[2].count =
		vary(r, (half - left) * near, (half - left) * near * (1 - near), half - left);
	parts[3].places = (struct stretch){ in.to, out.to };
	parts[3].count =
		vary(r, (half - right) * far, (half - right) * far * (1 - far), half - right);
	parts[4].places = (struct stretch){ median.from, median.to + 1 / (double)n };
	parts[4].count = n % 2 ? 1 : 2;
}

/* Computes the mean of each row in each round, over the typical runs or over all, as plan->stat
 * says. Draws only the quantities that determine the mean. */
static enum etc_status draw_means(const struct etc_bootstrap *plan, const double *const *y,
                                  size_t rows, size_t n, double *out, struct etc_arena *scratch,
                                  struct etc_error *err)
{
	size_t of_round = plan->stat == ETC_STAT_TYPICAL ? PARTS : 1;
	struct part *parts = etc_new(scratch, struct part, plan->rounds * of_round);
	struct row row = { .n = n, .sums = etc_new(scratch, struct running, n + 1) };
	struct etc_random random;

	ETC_NEED(parts && row.sums, err);
	etc_random_seed(&random, plan->seed, plan->stream);
	for (uint32_t k = 0; k < plan->rounds; k++) {
		struct part *p = parts + k * of_round;

		if (of_round == PARTS)
			draw_typical(&random, plan->time, n, p);
		else
			*p = (struct part){ { 0, 1 }, (double)n, 0 };
		for (size_t i = 0; i < of_round; i++)
			p[i].z = etc_random_normal(&random);
	}
	for (size_t r = 0; r < rows; r++) {
		row.y = y[r];
		draw_row(plan, &row, parts, of_round, out + r * plan->rounds);
	}
	return ETC_OK;
}

enum etc_status etc_bootstrap_rows(const struct etc_bootstrap *plan, const double *const *y,
                                   size_t rows, size_t n, double *out, struct etc_arena *scratch,
                                   struct etc_error *err)
{
	if (etc_estimate_part(plan->stat) > 0) {
		draw_quantiles(plan, y, rows, n, out);
		return ETC_OK;
	}
	if (n > ETC_BOOTSTRAP_DRAWN)
		return draw_means(plan, y, rows, n, out, scratch, err);
	return draw_runs(plan, y, rows, n, out, scratch, err);
}

double etc_acceleration(const double *without1, size_t n1, const double *without2, size_t n2)
{
	const double *without[2] = { without1, without2 };
	const size_t sizes[2] = { n1, n2 };
	double cubes = 0, squares = 0;

	for (int s = 0; s < 2; s++) {
		double n = (double)sizes[s], mean = 0;

		for (size_t i = 0; i < sizes[s]; i++)
			mean += without[s][i] / n;
		for (size_t i = 0; i < sizes[s]; i++) {
			double u = (n - 1) * (mean - without[s][i]) / n;

			squares += u * u;
			cubes += u * u * u;
		}
	}
	return squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
}

/* Returns the quantile `part` (0 to 1) as numpy.percentile does with method linear. */
static double quantile(uint64_t *keys, size_t n, double part)
{
	double at = part * (double)(n - 1);
	size_t i = (size_t)at;
	double low = etc_sort_number(etc_select(keys, n, i, NULL)), high;

	if (i + 1 >= n)
		return low;
	high = etc_sort_number(etc_select(keys, n, i + 1, NULL));
	return low + (at - (double)i) * (high - low);
}

/* Returns the fraction of the replicates that is below one end of a BCa interval: the lower end if
 * `z` is negative, else the upper end. The fraction is rounded, because C libraries differ in the
 * last bits of log and erfc; without rounding, the intervals would differ, too. */
static double adjusted(double bias, double acceleration, double z)
{
	double sum = bias + z, below = 1 - acceleration * sum;

	if (!(below > 0)) /* the formula of BCa needs a positive denominator */
		return sum > 0 ? 1 : 0;
	return ldexp(nearbyint(ldexp(etc_normal_cdf(bias + sum / below), 44)), -44);
}

struct etc_interval etc_bca(const double *replicates, size_t rounds, double estimate,
                            double acceleration, double level, uint64_t *scratch)
{
	struct etc_interval out = { 0 };
	size_t less = 0, equal = 0, first = 0;
	double bias, z = etc_normal_quantile((1 + level) / 2);

	if (rounds == 0) {
		out.why = ETC_UNDEFINED_EMPTY;
		return out;
	}
	for (size_t i = 0; i < rounds; i++) {
		less += replicates[i] < estimate;
		equal += replicates[i] == estimate;
		first += replicates[i] == replicates[0];
		scratch[i] = etc_sort_key(replicates[i]);
	}
	out.method = ETC_INTERVAL_BCA;
	if (first == rounds) {
		out.method = ETC_INTERVAL_CONSTANT;
		out.low = out.high = replicates[0];
		return out;
	}
	bias = etc_normal_quantile(((double)less + (double)equal / 2) / (double)rounds);
	if (!isfinite(bias)) { /* all replicates lie on one side of the estimate, so the bias is
	                        * unknown */
		out.method = ETC_INTERVAL_NONE;
		out.why = ETC_UNDEFINED_FEW;
		return out;
	}
	out.low = quantile(scratch, rounds, adjusted(bias, acceleration, -z));
	out.high = quantile(scratch, rounds, adjusted(bias, acceleration, z));
	return out;
}
