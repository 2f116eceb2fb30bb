/* growth.c -- see growth.h */
#include "stats/growth.h"

#include "stats/distribution.h"
#include "stats/select.h"
#include "stats/sort.h"
#include "stats/trend.h"

#include <math.h>

enum { BLOCKS = 24, MEANS = 12, BLOCKS_LEAST = 8, SLOPES_MOST = 1 << 20, GENERATIONS_LEAST = 3 };
static const double tail = 0.975; /* quantile at the upper end of a 95 % interval */

/* The runs of each generation are divided into blocks of consecutive runs. The arrays have the
 * blocks of all generations, one generation after the other. */
struct blocks {
	double *x, *median, *mean, *residual;
	/* index of the first block of each generation; a last entry has the number of all blocks */
	size_t *first;
	size_t count, generations;
};

static double median_of(const double *v, size_t n, uint64_t *keys)
{
	double low, high;

	for (size_t i = 0; i < n; i++)
		keys[i] = etc_sort_key(v[i]);
	low = etc_sort_number(etc_select(keys, n, (n - 1) / 2, NULL));
	high = n % 2 ? low : etc_sort_number(etc_select(keys, n, n / 2, NULL));
	return low + (high - low) / 2;
}

static double mean_of(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i] - v[0];
	return v[0] + sum / (double)n;
}

static size_t run_count(const struct etc_growth_runs *runs)
{
	return runs->first[runs->generations];
}

static enum etc_status cut(const struct etc_growth_runs *runs, size_t most_blocks, struct blocks *b,
                           struct etc_arena *scratch, struct etc_error *err)
{
	size_t n = run_count(runs), most = most_blocks * runs->generations;
	uint64_t *keys = etc_new(scratch, uint64_t, n);

	*b = (struct blocks){
		.x = etc_new(scratch, double, most),
		.median = etc_new(scratch, double, most),
		.mean = etc_new(scratch, double, most),
		.residual = etc_new(scratch, double, most),
		.first = etc_new(scratch, size_t, runs->generations + 1),
		.generations = runs->generations,
	};
	ETC_NEED(keys && b->x && b->median && b->mean && b->residual && b->first, err);
	for (size_t g = 0; g < runs->generations; g++) {
		size_t from = runs->first[g], of = runs->first[g + 1] - from;
		size_t count = of < most_blocks ? of : most_blocks;

		b->first[g] = b->count;
		for (size_t i = 0; i < count; i++, b->count++) {
			size_t at = from + of * i / count, len = from + of * (i + 1) / count - at;

			b->x[b->count] = mean_of(runs->position + at, len);
			b->mean[b->count] = mean_of(runs->y + at, len);
			b->median[b->count] = median_of(runs->y + at, len, keys);
		}
	}
	b->first[runs->generations] = b->count;
	return ETC_OK;
}

/* Sets the residuals to what remains of `v` after two subtractions. First, the slope times the
 * position is subtracted. Then, in each generation, the median of its blocks is subtracted, or, if
 * `median` is false, their mean. */
static void subtract(struct blocks *b, const double *v, double slope, bool median, uint64_t *keys)
{
	for (size_t g = 0; g < b->generations; g++) {
		size_t from = b->first[g], n = b->first[g + 1] - from;
		double level;

		for (size_t i = from; i < from + n; i++)
			b->residual[i] = v[i] - slope * b->x[i];
		if (n == 0)
			continue;
		level = median ? median_of(b->residual + from, n, keys)
		               : mean_of(b->residual + from, n);
		for (size_t i = from; i < from + n; i++)
			b->residual[i] -= level;
	}
}

/* Replaces numbers by their ranks; equal numbers get their mean rank. */
static void rank_all(double *v, size_t n, uint32_t *order)
{
	for (size_t i = 0, j; i < n; i = j) {
		double value = v[order[i]];

		for (j = i + 1; j < n && v[order[j]] == value;)
			j++;
		for (size_t k = i; k < j; k++)
			v[order[k]] = (double)(i + j - 1) / 2;
	}
}

static double effective(const double *v, size_t n)
{
	struct etc_autocorrelation a = etc_autocorrelation(v, n);

	return a.why == ETC_DEFINED ? a.effective : (double)n;
}

static double student(double effective_count, double fitted)
{
	return etc_student_quantile(tail, fmax(effective_count - fitted, 2));
}

static uint8_t check(const struct etc_growth_runs *runs)
{
	size_t n = run_count(runs);
	uint8_t why = (uint8_t)etc_samples_check(runs->y, n);

	return why == ETC_DEFINED ? (uint8_t)etc_samples_check(runs->position, n) : why;
}

/* Computes the slope between each two blocks of the same generation, and writes it to `keys` as
 * a key for sorting. Sets `*variance` to the variance of Kendall's S. Returns the number of
 * slopes. */
static size_t list_slopes(const struct blocks *b, uint64_t *keys, double *variance)
{
	size_t count = 0;

	*variance = 0;
	for (size_t g = 0; g < b->generations; g++) {
		size_t to = b->first[g + 1];
		double m = (double)(to - b->first[g]);

		*variance += m * (m - 1) * (2 * m + 5) / 18;
		for (size_t i = b->first[g]; i < to; i++)
			for (size_t j = i + 1; j < to; j++)
				if (b->x[j] > b->x[i])
					keys[count++] = etc_sort_key((b->median[j] - b->median[i]) /
					                             (b->x[j] - b->x[i]));
	}
	return count;
}

static size_t pair_count(const struct blocks *b)
{
	size_t pairs = 0;

	for (size_t g = 0; g < b->generations; g++) {
		size_t m = b->first[g + 1] - b->first[g];

		pairs += m * (m > 0 ? m - 1 : 0) / 2;
	}
	return pairs;
}

/* Computes Sen's interval from the sorted slopes. */
static void bounds(uint64_t *keys, size_t count, double half, struct etc_growth_interval *out)
{
	double low = floor(((double)count - half) / 2);

	out->low = -HUGE_VAL;
	out->high = HUGE_VAL;
	if (!(low >= 0))
		return;
	out->low = etc_sort_number(etc_select(keys, count, (size_t)low, NULL));
	out->high = etc_sort_number(etc_select(keys, count, count - 1 - (size_t)low, NULL));
}

enum etc_status etc_growth_within(const struct etc_growth_runs *runs,
                                  struct etc_growth_interval *out, struct etc_arena *scratch,
                                  struct etc_error *err)
{
	size_t count, room;
	double variance, independent;
	uint64_t *keys;
	uint32_t *order;
	struct blocks b;

	*out = (struct etc_growth_interval){ .why = check(runs) };
	if (out->why != ETC_DEFINED)
		return ETC_OK;
	ETC_TRY(cut(runs, BLOCKS, &b, scratch, err));
	count = pair_count(&b);
	if (count > SLOPES_MOST)
		out->why = ETC_UNDEFINED_NO_METHOD;
	if (b.count < BLOCKS_LEAST || count < b.count)
		out->why = ETC_UNDEFINED_FEW;
	if (out->why != ETC_DEFINED)
		return ETC_OK;
	room = count > b.count ? count : b.count;
	keys = etc_new(scratch, uint64_t, room);
	order = etc_new(scratch, uint32_t, b.count * 2);
	ETC_NEED(keys && order, err);
	count = list_slopes(&b, keys, &variance);
	if (count == 0) {
		out->why = ETC_UNDEFINED_FEW;
		return ETC_OK;
	}
	out->value = etc_sort_number(etc_select(keys, count, count / 2, NULL));
	if (count % 2 == 0) {
		double below = etc_sort_number(etc_select(keys, count, count / 2 - 1, NULL));

		out->value = below + (out->value - below) / 2;
	}
	subtract(&b, b.median, out->value, true, keys);
	etc_sort_order(b.residual, b.count, order, order + b.count);
	rank_all(b.residual, b.count, order);
	independent = effective(b.residual, b.count);
	(void)list_slopes(&b, keys, &variance);
	bounds(keys, count,
	       student(independent, 2) * sqrt(variance * (double)b.count / independent) + 1, out);
	return ETC_OK;
}

/* Returns the least-squares slope of y over x with its 95 % interval, by Student's t with n - 2
 * degrees of freedom. n > 2. */
static struct etc_growth_interval line(const double *x, const double *y, size_t n)
{
	double mx = mean_of(x, n), my = mean_of(y, n), xx = 0, xy = 0, rest = 0, half;
	struct etc_growth_interval out = { 0 };

	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mx) * (x[i] - mx);
		xy += (x[i] - mx) * (y[i] - my);
	}
	if (!(xx > 0)) {
		out.why = ETC_UNDEFINED_CONSTANT;
		return out;
	}
	out.value = xy / xx;
	for (size_t i = 0; i < n; i++) {
		double r = y[i] - my - out.value * (x[i] - mx);

		rest += r * r;
	}
	half = etc_student_quantile(tail, (double)(n - 2)) * sqrt(rest / (double)(n - 2) / xx);
	out.low = out.value - half;
	out.high = out.value + half;
	return out;
}

struct window {
	double from, to; /* the first and the last position that all generations have in common */
};

/* Returns the positions that all generations have in common. Generations of less than an eighth of
 * the median length are ignored, because a few short ones would leave hardly any position. If there
 * is no such position, `to` is below `from`. `span` has room for a number per generation. */
static struct window common(const struct etc_growth_runs *runs, double *span, uint64_t *keys)
{
	struct window w = { -HUGE_VAL, HUGE_VAL };
	const double *p = runs->position;
	double least;

	for (size_t g = 0; g < runs->generations; g++)
		span[g] = runs->first[g + 1] > runs->first[g]
		                  ? p[runs->first[g + 1] - 1] - p[runs->first[g]]
		                  : 0;
	least = median_of(span, runs->generations, keys) / 8;
	for (size_t g = 0; g < runs->generations; g++) {
		if (!(span[g] > 0) || span[g] < least)
			continue;
		w.from = fmax(w.from, p[runs->first[g]]);
		w.to = fmin(w.to, p[runs->first[g + 1] - 1]);
	}
	return w;
}

/* Returns the mean time per position within the generations; 0 if there is none. */
static double pace_of(const struct etc_growth_runs *runs)
{
	double steps = 0, time = 0;

	for (size_t g = 0; g < runs->generations; g++) {
		size_t from = runs->first[g], to = runs->first[g + 1];

		if (to - from < 2)
			continue;
		steps += runs->position[to - 1] - runs->position[from];
		time += runs->time[to - 1] - runs->time[from];
	}
	return steps > 0 ? time / steps : 0;
}

/* Writes v - slope * position of the runs [from, to) at the positions of `w` to `work`. Returns
 * their number. */
static size_t level_out(const struct etc_growth_runs *runs, const double *v, double slope,
                        size_t from, size_t to, const struct window *w, double *work)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		if (runs->position[i] >= w->from && runs->position[i] <= w->to)
			work[n++] = v[i] - slope * runs->position[i];
	return n;
}

/* Computes two numbers for each generation, from the positions that all generations have in
 * common: its level, which is the median of (value - slope * position), and its time, which is the
 * median of (time - pace * position). If y = growth * position + drift * time, then slope = growth
 * + drift * pace, so each level is drift * time, even if generations are of different pace. Other
 * positions are not used, because growth may not be linear, so that their values would not be
 * comparable. Generations that do not have all common positions are left out; returns the number
 * of the others. */
static size_t levels(const struct etc_growth_runs *runs, double slope, double pace, double *level,
                     double *at, double *work, uint64_t *keys)
{
	const struct window w = common(runs, work, keys);
	size_t count = 0;

	for (size_t g = 0; g < runs->generations; g++) {
		size_t from = runs->first[g], to = runs->first[g + 1], n;

		if (to - from < 2 || runs->position[from] > w.from || runs->position[to - 1] < w.to)
			continue;
		n = level_out(runs, runs->y, slope, from, to, &w, work);
		if (n < 2)
			continue;
		level[count] = median_of(work, n, keys);
		n = level_out(runs, runs->time, pace, from, to, &w, work);
		at[count++] = median_of(work, n, keys);
	}
	return count;
}

enum etc_status etc_growth_separate(const struct etc_growth_runs *runs,
                                    const struct etc_growth_interval *within,
                                    struct etc_growth_apart *out, struct etc_arena *scratch,
                                    struct etc_error *err)
{
	const size_t n = run_count(runs), most = n > runs->generations ? n : runs->generations;
	double *level = etc_new(scratch, double, runs->generations);
	double *at = etc_new(scratch, double, runs->generations),
	       *work = etc_new(scratch, double, most);
	uint64_t *keys = etc_new(scratch, uint64_t, most);
	size_t count;
	double pace = 0, half;

	*out = (struct etc_growth_apart){ .growth.why = within->why };
	ETC_NEED(level && at && work && keys, err);
	if (out->growth.why == ETC_DEFINED && !runs->time)
		out->growth.why = ETC_UNDEFINED_FEW;
	if (out->growth.why == ETC_DEFINED) {
		pace = pace_of(runs);
		count = levels(runs, within->value, pace, level, at, work, keys);
		if (count < GENERATIONS_LEAST)
			out->growth.why = ETC_UNDEFINED_FEW;
		else
			out->drift = line(at, level, count);
	}
	if (out->growth.why != ETC_DEFINED || out->drift.why != ETC_DEFINED) {
		if (out->growth.why == ETC_DEFINED)
			out->growth.why = out->drift.why;
		out->drift = (struct etc_growth_interval){ .why = out->growth.why };
		return ETC_OK;
	}
	half = hypot((within->high - within->low) / 2,
	             pace * (out->drift.high - out->drift.low) / 2);
	out->growth.value = within->value - pace * out->drift.value;
	out->growth.low = out->growth.value - half;
	out->growth.high = out->growth.value + half;
	return ETC_OK;
}

/* Returns half the width of the 95 % interval of `mean`, computed from how much the mean times of
 * the generations (see growth.h) differ. `of`: room for one number per generation. 0: fewer than
 * three generations have runs. */
static double between(const struct etc_growth_runs *runs, double mean, double *of)
{
	double squares = 0;
	size_t count = 0;

	for (size_t g = 0; g < runs->generations; g++)
		if (runs->first[g + 1] > runs->first[g])
			of[count++] = mean_of(runs->y + runs->first[g],
			                      runs->first[g + 1] - runs->first[g]);
	if (count < GENERATIONS_LEAST)
		return 0;
	for (size_t i = 0; i < count; i++)
		squares += (of[i] - mean) * (of[i] - mean);
	return etc_student_quantile(tail, (double)(count - 1)) *
	       sqrt(squares / (double)(count - 1) / (double)count);
}

enum etc_status etc_growth_mean(const struct etc_growth_runs *runs,
                                const struct etc_growth_interval *within,
                                struct etc_growth_interval *out, struct etc_arena *scratch,
                                struct etc_error *err)
{
	double *of = etc_new(scratch, double, runs->generations);
	double squares = 0, most = 0, independent, half, free;
	struct blocks b;

	*out = (struct etc_growth_interval){ .why = check(runs) };
	ETC_NEED(of, err);
	if (out->why != ETC_DEFINED)
		return ETC_OK;
	out->value = mean_of(runs->y, run_count(runs));
	out->why = within->why;
	if (out->why != ETC_DEFINED)
		return ETC_OK;
	ETC_TRY(cut(runs, MEANS, &b, scratch, err));
	subtract(&b, b.mean, within->value, false, NULL);
	for (size_t i = 0; i < b.count; i++) {
		squares += b.residual[i] * b.residual[i];
		most = fmax(most, b.residual[i] * b.residual[i]);
	}
	if (most > squares / 2) {
		out->why = ETC_UNDEFINED_NO_METHOD;
		return ETC_OK;
	}
	independent = effective(b.residual, b.count);
	free = (double)b.count - (double)b.generations - 1;
	half = student(independent, (double)b.generations + 1) *
	       sqrt(squares / fmax(free, 1) / independent);
	half = fmax(half, between(runs, out->value, of));
	out->low = out->value - half;
	out->high = out->value + half;
	return ETC_OK;
}
