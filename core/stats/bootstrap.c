/* bootstrap.c -- see bootstrap.h
 *
 * Rows are taken WIDE at a time, their values place by place beside each other,
 * so that what a round drew is used for all of them while it is at hand. */
#include "stats/bootstrap.h"

#include "model/profile.h"
#include "stats/distribution.h"
#include "stats/estimate.h"
#include "stats/random.h"

#include <math.h>

enum { WIDE = 8 };

/* How often each place was drawn; then how often it counts, after the cuts. */
static void draw_weights(struct etc_random *r, uint32_t n, uint32_t cut, uint32_t *times,
                         double *weight)
{
	uint32_t seen = 0;

	memset(times, 0, n * sizeof *times);
	for (uint32_t i = 0; i < n; i++)
		times[etc_random_below(r, n)]++;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t from = seen > cut ? seen : cut, to = seen + times[i];

		to = to < n - cut ? to : n - cut;
		weight[i] = to > from ? to - from : 0;
		seen += times[i];
	}
}

/* Rounds that draw all n runs, for at most WIDE rows. */
static enum etc_status draw_runs(const struct etc_bootstrap *plan, const double *const *y,
                                 size_t rows, size_t n, double *out, struct etc_arena *scratch,
                                 struct etc_error *err)
{
	uint32_t cut = (uint32_t)(plan->stat == ETC_STAT_TYPICAL ? n / 4 : 0);
	uint32_t *times = etc_new(scratch, uint32_t, n);
	double *weight = etc_new(scratch, double, n), *beside = etc_new(scratch, double, n *WIDE);
	double count = (double)(n - 2 * cut);
	struct etc_random random;

	if (!times || !weight || !beside)
		return etc_fail(err, E0904, "%zu runs", n);
	for (size_t r = 0; r < rows; r++)
		for (size_t i = 0; i < n; i++)
			beside[i * WIDE + r] = y[r][i] - y[r][0];
	etc_random_seed(&random, plan->seed, plan->stream);
	for (uint32_t k = 0; k < plan->rounds; k++) {
		double sum[WIDE] = { 0 };

		draw_weights(&random, (uint32_t)n, cut, times, weight);
		for (size_t i = 0; i < n; i++)
			for (size_t r = 0; r < WIDE; r++)
				sum[r] += weight[i] * beside[i * WIDE + r];
		for (size_t r = 0; r < rows; r++)
			out[r * plan->rounds + k] = y[r][0] + sum[r] / count;
	}
	return ETC_OK;
}

/* Two order statistics, the first and the last of those that count, as parts of 1. */
struct stretch {
	double from, to;
};

/* The first-th and the next + first-th smallest of n uniform numbers are partial
 * sums of n + 1 exponential ones over their total. */
static struct stretch draw_stretch(struct etc_random *r, double first, double next, double n)
{
	double a = etc_random_gamma(r, first), b = etc_random_gamma(r, next);
	double total = a + b + etc_random_gamma(r, n + 1 - first - next);

	return (struct stretch){ a / total, (a + b) / total };
}

static size_t place(double part, size_t n)
{
	size_t i = (size_t)(part * (double)n);

	return i < n ? i : n - 1;
}

static void draw_medians(const struct etc_bootstrap *plan, const double *const *y, size_t rows,
                         size_t n, double *out)
{
	struct etc_random random;
	double half = (double)((n + 1) / 2);

	etc_random_seed(&random, plan->seed, plan->stream);
	for (uint32_t k = 0; k < plan->rounds; k++) {
		struct stretch s = draw_stretch(&random, half, 1, (double)n);
		size_t low = place(s.from, n), high = n % 2 ? low : place(s.to, n);

		for (size_t r = 0; r < rows; r++)
			out[r * plan->rounds + k] = y[r][low] + (y[r][high] - y[r][low]) / 2;
	}
}

/* Running sums of a row's values, their squares and cubes, around their mean. */
struct running {
	double one, two, three;
};

static struct running add(struct running s, double x, double part)
{
	return (struct running){ s.one + part * x, s.two + part * x * x,
		                 s.three + part * x * x * x };
}

static void run_sums(const double *y, size_t n, double origin, struct running *sums)
{
	sums[0] = (struct running){ 0 };
	for (size_t i = 0; i < n; i++)
		sums[i + 1] = add(sums[i], y[i] - origin, 1);
}

/* The sums up to `part` of all places, the last one by its share. */
static struct running sums_to(const struct running *sums, const double *y, size_t n, double origin,
                              double part)
{
	size_t i = place(part, n);

	return add(sums[i], y[i] - origin, part * (double)n - (double)i);
}

/* The mean of `count` values drawn from places of the stretch. */
static double mean_drawn(struct running a, struct running b, double width, double count, double z)
{
	double mean = (b.one - a.one) / width, square = (b.two - a.two) / width;
	double cube = (b.three - a.three) / width;
	double variance = square - mean * mean;
	double third = cube - 3 * mean * square + 2 * mean * mean * mean;
	double skew;

	if (!(variance > 0))
		return mean;
	skew = third / (variance * sqrt(variance)) / (6 * sqrt(count));
	/* Beyond 1/8 the map of z would fold over. */
	skew = skew > 0.125 ? 0.125 : skew < -0.125 ? -0.125 : skew;
	return mean + sqrt(variance / count) * (z + skew * (z * z - 1));
}

static enum etc_status draw_moments(const struct etc_bootstrap *plan, const double *y, size_t n,
                                    const struct stretch *stretches, const double *z, double *out,
                                    struct running *sums)
{
	double cut = (double)(plan->stat == ETC_STAT_TYPICAL ? n / 4 : 0);
	double origin = etc_estimate(plan->stat, y, n), count = (double)n - 2 * cut;

	run_sums(y, n, origin, sums);
	for (uint32_t k = 0; k < plan->rounds; k++) {
		struct stretch s = stretches[k];
		struct running a = sums_to(sums, y, n, origin, s.from);
		struct running b = sums_to(sums, y, n, origin, s.to);

		out[k] = origin + mean_drawn(a, b, (s.to - s.from) * (double)n, count, z[k]);
	}
	return ETC_OK;
}

/* Rounds that draw what decides the mean over the middle. */
static enum etc_status draw_means(const struct etc_bootstrap *plan, const double *const *y,
                                  size_t rows, size_t n, double *out, struct etc_arena *scratch,
                                  struct etc_error *err)
{
	size_t cut = plan->stat == ETC_STAT_TYPICAL ? n / 4 : 0;
	struct stretch *stretches = etc_new(scratch, struct stretch, plan->rounds);
	double *z = etc_new(scratch, double, plan->rounds);
	struct running *sums = etc_new(scratch, struct running, n + 1);
	struct etc_random random;

	if (!stretches || !z || !sums)
		return etc_fail(err, E0904, "%zu runs", n);
	etc_random_seed(&random, plan->seed, plan->stream);
	for (uint32_t k = 0; k < plan->rounds; k++) {
		stretches[k] = cut ? draw_stretch(&random, (double)cut, (double)(n - 2 * cut + 1),
		                                  (double)n)
		                   : (struct stretch){ 0, 1 };
		z[k] = etc_random_normal(&random);
	}
	for (size_t r = 0; r < rows; r++)
		ETC_TRY(draw_moments(plan, y[r], n, stretches, z, out + r * plan->rounds, sums));
	return ETC_OK;
}

enum etc_status etc_bootstrap_rows(const struct etc_bootstrap *plan, const double *const *y,
                                   size_t rows, size_t n, double *out, struct etc_arena *scratch,
                                   struct etc_error *err)
{
	if (plan->stat == ETC_STAT_MEDIAN) {
		draw_medians(plan, y, rows, n, out);
		return ETC_OK;
	}
	if (n > ETC_BOOTSTRAP_DRAWN)
		return draw_means(plan, y, rows, n, out, scratch, err);
	for (size_t r = 0; r < rows; r += WIDE)
		ETC_TRY(draw_runs(plan, y + r, rows - r < WIDE ? rows - r : WIDE, n,
		                  out + r * plan->rounds, scratch, err));
	return ETC_OK;
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

/* numpy.percentile of sorted values, linear, `part` of 1. */
static double quantile(const double *v, size_t n, double part)
{
	double at = part * (double)(n - 1);
	size_t i = (size_t)at;

	return i + 1 < n ? v[i] + (at - (double)i) * (v[i + 1] - v[i]) : v[n - 1];
}

static double adjusted(double bias, double acceleration, double z)
{
	double sum = bias + z, below = 1 - acceleration * sum;

	if (!(below > 0)) /* the correction has no meaning so far out */
		return sum > 0 ? 1 : 0;
	return etc_normal_cdf(bias + sum / below);
}

struct etc_interval etc_bca(const double *replicates, size_t rounds, double estimate,
                            double acceleration, double level)
{
	struct etc_interval out = { 0 };
	size_t less = 0, equal = 0;
	double bias, z = etc_normal_quantile((1 + level) / 2);

	if (rounds == 0) {
		out.why = ETC_UNDEFINED_EMPTY;
		return out;
	}
	for (size_t i = 0; i < rounds; i++) {
		less += replicates[i] < estimate;
		equal += replicates[i] == estimate;
	}
	out.method = ETC_INTERVAL_BCA;
	if (replicates[0] == replicates[rounds - 1]) {
		out.method = ETC_INTERVAL_CONSTANT;
		out.low = out.high = replicates[0];
		return out;
	}
	bias = etc_normal_quantile(((double)less + (double)equal / 2) / (double)rounds);
	if (!isfinite(bias)) { /* all replicates lie on one side: no bias can be told */
		out.method = ETC_INTERVAL_NONE;
		out.why = ETC_UNDEFINED_FEW;
		return out;
	}
	out.low = quantile(replicates, rounds, adjusted(bias, acceleration, -z));
	out.high = quantile(replicates, rounds, adjusted(bias, acceleration, z));
	return out;
}
