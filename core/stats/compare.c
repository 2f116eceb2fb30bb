/* compare.c -- see compare.h
 *
 * Rows are taken TILE at a time: the bootstrap draws the same runs for all of
 * them. Then each row is looked at by itself, its memory released after it. */
#include "stats/compare.h"

#include "model/profile.h"
#include "stats/distribution.h"
#include "stats/estimate.h"
#include "stats/holm.h"
#include "stats/runs.h"
#include "stats/sort.h"

#include <math.h>

enum { TILE = 64, PERMUTED = 50 };

struct etc_compare_options etc_compare_defaults(void)
{
	return (struct etc_compare_options){
		.stat = ETC_STAT_TYPICAL, .level = 0.95, .rounds = ETC_COMPARE_ROUNDS, .seed = 1
	};
}

/* One group: its runs and room for a row of them. */
struct half {
	struct etc_runs runs;
	double *x;            /* a row in file order */
	double *sorted;       /* the same, ascending */
	double *without;      /* the estimate without each run */
	double *rest, *other; /* room for n each */
	double *y[TILE], *replicates[TILE];
	double variance, freedom; /* of the row's estimate, and its degrees of freedom */
};

struct work {
	const struct etc_compare_options *options;
	struct half half[2];  /* A, B */
	double *both, *other; /* room for all rounds */
	bool boot;
	struct etc_arena *memory; /* of the row */
	struct etc_error *err;
};

static enum etc_status open_half(struct half *h, const struct etc_sample_group *group, bool boot,
                                 uint32_t rounds, struct etc_arena *arena, struct etc_error *err)
{
	size_t n;
	double *room, *replicates;

	ETC_TRY(etc_runs_init(&h->runs, group, arena, err));
	n = h->runs.n;
	room = etc_new(arena, double, (5 + TILE) * n);
	replicates = etc_new(arena, double, boot ? (size_t)TILE *rounds : 0);
	if (n > SIZE_MAX / 1024 || !room || !replicates)
		return etc_fail(err, E0904, "%zu runs", n);
	h->x = room;
	h->sorted = room + n;
	h->without = room + 2 * n;
	h->rest = room + 3 * n;
	h->other = room + 4 * n;
	for (size_t i = 0; i < TILE; i++) {
		h->y[i] = room + (5 + i) * n;
		h->replicates[i] = replicates + i * (boot ? rounds : 0);
	}
	return ETC_OK;
}

/* `y` and replicates of rows first … first + count - 1. */
static enum etc_status open_tile(struct work *w, struct half *h, size_t first, size_t count,
                                 uint64_t stream)
{
	const struct etc_compare_options *o = w->options;
	struct etc_bootstrap plan = { o->stat, o->rounds, o->seed, stream };
	struct etc_arena memory;
	enum etc_status st;

	for (size_t i = 0; i < count; i++) {
		etc_runs_row(&h->runs, first + i, h->x);
		etc_runs_places(&h->runs, h->x, o->stat, SIZE_MAX, h->y[i], h->other);
	}
	if (!w->boot || h->runs.n == 0)
		return ETC_OK;
	etc_arena_init(&memory, SIZE_MAX / 2);
	st = etc_bootstrap_rows(&plan, (const double *const *)h->y, count, h->runs.n,
	                        h->replicates[0], &memory, w->err);
	etc_arena_release(&memory);
	return st;
}

static double total_of(uint8_t stat, const double *v, size_t n)
{
	double out = v[0];

	for (size_t i = 1; i < n; i++)
		out = stat == ETC_STAT_TOTAL ? out + v[i] : v[i] < out ? v[i] : out;
	return out;
}

static enum etc_status examine_dumps(struct work *w, const struct half *h, double resolution,
                                     struct etc_comparison_side *side)
{
	struct etc_examined worst = { .drift_p = 1, .dip_p = 1 };

	for (size_t d = 0; d < h->runs.dumps; d++) {
		struct etc_examined e;

		ETC_TRY(etc_examine(h->x + h->runs.first[d],
		                    h->runs.first[d + 1] - h->runs.first[d], resolution, &e,
		                    w->memory, w->err));
		worst.caveats |= e.caveats;
		worst.effective += e.effective;
		worst.lag1 = e.lag1 > worst.lag1 ? e.lag1 : worst.lag1;
		worst.dip_p = e.dip_p < worst.dip_p ? e.dip_p : worst.dip_p;
		worst.drift_p = e.drift_p < worst.drift_p ? e.drift_p : worst.drift_p;
		worst.drift = fabs(e.drift) > fabs(worst.drift) ? e.drift : worst.drift;
	}
	side->examined = worst;
	return ETC_OK;
}

/* One side of row `r`, whose places are y[i]. */
static enum etc_status look_at(struct work *w, struct half *h, size_t r, size_t i,
                               struct etc_comparison_side *side)
{
	const double *resolution = w->options->resolution;
	size_t n = h->runs.n;
	uint8_t stat = w->options->stat;

	*side = (struct etc_comparison_side){ .dumps = h->runs.dumps, .runs = n };
	etc_runs_row(&h->runs, r, h->x);
	side->why = (uint8_t)etc_samples_check(h->x, n);
	if (n < ETC_CAVEAT_RUNS)
		side->examined.caveats |= ETC_CAVEAT_FEW_RUNS;
	if (side->why != ETC_DEFINED)
		return ETC_OK;
	ETC_TRY(examine_dumps(w, h, resolution ? resolution[r] : 0, side));
	if (n < ETC_CAVEAT_RUNS)
		side->examined.caveats |= ETC_CAVEAT_FEW_RUNS;
	etc_runs_places(&h->runs, h->x, ETC_STAT_TYPICAL, SIZE_MAX, h->sorted, h->other);
	side->typical = etc_estimate(ETC_STAT_TYPICAL, h->sorted, n);
	etc_sort(h->sorted, n, h->other);
	side->mean = etc_estimate(ETC_STAT_MEAN, h->sorted, n);
	side->median = etc_estimate(ETC_STAT_MEDIAN, h->sorted, n);
	side->estimate = etc_estimate_known(stat) ? etc_estimate(stat, h->y[i], n)
	                                          : total_of(stat, h->sorted, n);
	if (etc_estimate_known(stat) && n > 1)
		etc_estimate_without(stat, h->y[i], n, h->without);
	return ETC_OK;
}

/* By how much dependence widens: the larger standard error over the one that
 * takes runs for independent, parts `a` and `b` of its square. */
static double widening(const struct etc_comparison *c, double a, double b)
{
	double wide = a * (double)c->a.runs / c->a.examined.effective +
	              b * (double)c->b.runs / c->b.examined.effective;

	return a + b > 0 ? sqrt(wide / (a + b)) : 1;
}

static enum etc_status p_of_runs(struct work *w, struct etc_comparison *c)
{
	const struct half *a = &w->half[0], *b = &w->half[1];
	size_t m = a->runs.n, n = b->runs.n;
	double wide = widening(c, 1 / (double)m, 1 / (double)n), least = 2;
	struct etc_mann_whitney u = c->u;

	for (size_t i = 1; i <= m && least > 1e-9; i++)
		least *= (double)i / (double)(n + i);
	if (least > 1 - w->options->level)
		c->caveats |= ETC_CAVEAT_NO_CHANCE;
	if (u.method == ETC_U_ASYMPTOTIC && m + n <= PERMUTED)
		ETC_TRY(etc_mann_whitney(a->sorted, m, b->sorted, n, ETC_U_PERMUTATION, &u,
		                         w->memory, w->err));
	c->p = u.p;
	c->p_method = u.method == ETC_U_PERMUTATION ? ETC_P_PERMUTATION : ETC_P_RUNS;
	if (wide > 1) {
		c->p = 2 * etc_normal_cdf(etc_normal_quantile(u.p / 2) / wide);
		c->p_method = ETC_P_EFFECTIVE;
	}
	return ETC_OK;
}

/* The estimate's variance by leaving out a dump at a time, and at least that by
 * leaving out a run at a time, which holds for few dumps that agree by chance. */
static void vary(struct work *w, struct half *h, const struct etc_comparison_side *side)
{
	double within = 0, mean = 0, sum = 0, k = (double)h->runs.dumps;
	uint8_t stat = w->options->stat;

	if (side->runs > 1 && stat != ETC_STAT_MEDIAN)
		within = etc_jackknife_variance(h->without, side->runs) * (double)side->runs /
		         side->examined.effective;
	h->variance = within;
	h->freedom = k < 2 ? side->examined.effective - 1 : k - 1;
	if (k < 2)
		return;
	for (size_t d = 0; d < h->runs.dumps; d++) {
		size_t n = etc_runs_places(&h->runs, h->x, stat, d, h->rest, h->other);
		double e = etc_estimate(stat, h->rest, n), step = e - mean;

		mean += step / (double)(d + 1); /* Welford */
		sum += step * (e - mean);
	}
	h->variance = fmax(within, (k - 1) / k * sum);
}

/* The group of one dump is given the variance that a dump of the other has. */
static void borrow(struct half *one, const struct half *several)
{
	one->variance = fmax(one->variance, several->variance * (double)several->runs.dumps);
	one->freedom = several->freedom;
}

/* Welch's interval of difference and ratio, and p; Satterthwaite's degrees of
 * freedom. The ratio's is made on a logarithmic scale. */
static void by_student(struct work *w, struct etc_comparison *c, uint8_t method, bool borrowed)
{
	double va = w->half[0].variance, vb = w->half[1].variance, v = va + vb;
	double fa = fmax(w->half[0].freedom, 1), fb = fmax(w->half[1].freedom, 1);
	double a = c->a.estimate, b = c->b.estimate;
	double df = borrowed ? fa : v * v / (va * va / fa + vb * vb / fb), t, wide;

	if (!(v > 0)) {
		c->difference_interval = (struct etc_interval){ c->difference, c->difference,
			                                        ETC_INTERVAL_CONSTANT, 0 };
		c->ratio_interval = (struct etc_interval){ c->ratio, c->ratio,
			                                   ETC_INTERVAL_CONSTANT, c->ratio_why };
		return;
	}
	t = etc_student_quantile((1 + w->options->level) / 2, df);
	c->difference_interval = (struct etc_interval){ c->difference - t * sqrt(v),
		                                        c->difference + t * sqrt(v), method, 0 };
	c->ratio_interval = (struct etc_interval){ 0, 0, method, ETC_UNDEFINED_ZERO };
	if (a > 0 && b > 0) {
		wide = exp(t * sqrt(va / (a * a) + vb / (b * b)));
		c->ratio_interval =
			(struct etc_interval){ c->ratio / wide, c->ratio * wide, method, 0 };
	}
	if (method == ETC_INTERVAL_DUMPS) {
		c->p = etc_student_two_sided(c->difference / sqrt(v), df);
		c->p_method = ETC_P_DUMPS;
	}
}

static void by_dumps(struct work *w, struct etc_comparison *c)
{
	struct half *a = &w->half[0], *b = &w->half[1];
	bool borrowed = a->runs.dumps < 2 || b->runs.dumps < 2;

	vary(w, a, &c->a);
	vary(w, b, &c->b);
	if (borrowed)
		c->caveats |= ETC_CAVEAT_BORROWED;
	if (a->runs.dumps < 2)
		borrow(a, b);
	if (b->runs.dumps < 2)
		borrow(b, a);
	by_student(w, c, ETC_INTERVAL_DUMPS, borrowed);
}

/* Moves the ends away from `middle`. */
static void widen(struct etc_interval *i, double middle, double by)
{
	if (i->method != ETC_INTERVAL_BCA || !(by > 1))
		return;
	i->low = middle - (middle - i->low) * by;
	i->high = middle + (i->high - middle) * by;
	i->method = ETC_INTERVAL_WIDENED;
}

static struct etc_interval bca_of(struct work *w, double estimate, double acceleration)
{
	etc_sort(w->both, w->options->rounds, w->other);
	return etc_bca(w->both, w->options->rounds, estimate, acceleration, w->options->level);
}

/* From the replicates of row `i` of the tile. */
static void by_bootstrap(struct work *w, struct etc_comparison *c, size_t i)
{
	struct half *a = &w->half[0], *b = &w->half[1];
	size_t m = a->runs.n, n = b->runs.n;
	const double *ra = a->replicates[i], *rb = b->replicates[i];
	double va = etc_jackknife_variance(a->without, m);
	double vb = etc_jackknife_variance(b->without, n);
	bool zero = c->ratio_why != ETC_DEFINED;

	for (uint32_t k = 0; k < w->options->rounds; k++)
		w->both[k] = rb[k] - ra[k];
	/* The sign of A's part: its values without a run lower the difference. */
	for (size_t k = 0; k < m; k++)
		a->rest[k] = -a->without[k];
	c->difference_interval =
		bca_of(w, c->difference, etc_acceleration(a->rest, m, b->without, n));
	widen(&c->difference_interval, c->difference, widening(c, va, vb));

	for (uint32_t k = 0; k < w->options->rounds; k++) {
		zero = zero || !(ra[k] > 0);
		w->both[k] = zero ? 0 : rb[k] / ra[k];
	}
	for (size_t k = 0; k < m; k++) {
		zero = zero || !(a->without[k] > 0);
		a->rest[k] = zero ? 0 : c->b.estimate / a->without[k];
	}
	c->ratio_interval.why = ETC_UNDEFINED_ZERO;
	if (zero)
		return;
	for (size_t k = 0; k < n; k++)
		b->rest[k] = b->without[k] / c->a.estimate;
	c->ratio_interval = bca_of(w, c->ratio, etc_acceleration(a->rest, m, b->rest, n));
	va /= c->a.estimate * c->a.estimate;
	vb = c->b.estimate > 0 ? vb / (c->b.estimate * c->b.estimate) : va;
	widen(&c->ratio_interval, c->ratio, widening(c, va, vb));
}

static void find_intervals(struct work *w, struct etc_comparison *c, size_t i)
{
	struct etc_interval none = { .why = ETC_UNDEFINED_NO_METHOD };

	if (etc_estimate_known(w->options->stat))
		none.why = ETC_UNDEFINED_FEW;
	c->difference_interval = c->ratio_interval = none;
	if (none.why == ETC_UNDEFINED_NO_METHOD)
		return;
	if (c->a.dumps > 1 || c->b.dumps > 1) {
		by_dumps(w, c);
		return;
	}
	c->caveats |= ETC_CAVEAT_ONE_DUMP;
	if (c->a.runs < 2 || c->b.runs < 2)
		return;
	if (w->boot) {
		by_bootstrap(w, c, i);
		return;
	}
	vary(w, &w->half[0], &c->a);
	vary(w, &w->half[1], &c->b);
	by_student(w, c, ETC_INTERVAL_NORMAL, false);
}

static enum etc_status compare_row(struct work *w, size_t r, size_t i, struct etc_comparison *c)
{
	struct half *a = &w->half[0], *b = &w->half[1];
	size_t m = a->runs.n, n = b->runs.n;

	*c = (struct etc_comparison){ .p = 1, .p_adjusted = 1, .ratio_why = ETC_UNDEFINED_ZERO };
	ETC_TRY(look_at(w, a, r, i, &c->a));
	ETC_TRY(look_at(w, b, r, i, &c->b));
	c->caveats = c->a.examined.caveats | c->b.examined.caveats;
	c->why = c->a.why != ETC_DEFINED ? c->a.why : c->b.why;
	if (c->why != ETC_DEFINED) {
		c->ratio_why = c->why;
		c->u.why = c->shift.why = c->shift.no_interval = c->why;
		c->difference_interval.why = c->ratio_interval.why = c->why;
		return ETC_OK;
	}
	c->difference = c->b.estimate - c->a.estimate;
	if (c->a.estimate > 0) {
		c->ratio_why = ETC_DEFINED;
		c->ratio = c->b.estimate / c->a.estimate;
	}
	ETC_TRY(etc_mann_whitney(a->sorted, m, b->sorted, n, ETC_U_AUTO, &c->u, w->memory, w->err));
	ETC_TRY(etc_hodges_lehmann(a->sorted, m, b->sorted, n, w->options->level, &c->shift,
	                           w->memory, w->err));
	c->cliffs_delta = etc_cliffs_delta(etc_pairs(a->sorted, m, b->sorted, n), m, n);
	ETC_TRY(p_of_runs(w, c));
	find_intervals(w, c, i);
	if (w->options->resolution && fabs(c->difference) < w->options->resolution[r])
		c->caveats |= ETC_CAVEAT_RESOLUTION;
	return ETC_OK;
}

static enum etc_status compare_tile(struct work *w, size_t first, size_t count,
                                    struct etc_comparison *out)
{
	ETC_TRY(open_tile(w, &w->half[0], first, count, 0));
	ETC_TRY(open_tile(w, &w->half[1], first, count, 1));
	for (size_t i = 0; i < count; i++) {
		struct etc_arena memory;
		enum etc_status st;

		etc_arena_init(&memory, SIZE_MAX / 2);
		w->memory = &memory;
		st = compare_row(w, first + i, i, &out[first + i]);
		etc_arena_release(&memory);
		ETC_TRY(st);
	}
	return ETC_OK;
}

enum etc_status etc_compare(const struct etc_sample_group *a, const struct etc_sample_group *b,
                            size_t rows, const struct etc_compare_options *options,
                            struct etc_comparison *out, struct etc_arena *scratch,
                            struct etc_error *err)
{
	struct work w = { .options = options, .err = err };

	w.boot = options->rounds > 0 && etc_estimate_known(options->stat) && a->dump_count == 1 &&
	         b->dump_count == 1;
	w.both = etc_new(scratch, double, w.boot ? options->rounds : 0);
	w.other = etc_new(scratch, double, w.boot ? options->rounds : 0);
	if (!w.both || !w.other)
		return etc_fail(err, E0904, "%u rounds", options->rounds);
	ETC_TRY(open_half(&w.half[0], a, w.boot, options->rounds, scratch, err));
	ETC_TRY(open_half(&w.half[1], b, w.boot, options->rounds, scratch, err));
	for (size_t r = 0; r < rows; r += TILE)
		ETC_TRY(compare_tile(&w, r, rows - r < TILE ? rows - r : TILE, out));
	return ETC_OK;
}

static bool holds_no_change(const struct etc_interval *i)
{
	return i->why == ETC_DEFINED && i->low <= 0 && i->high >= 0;
}

enum etc_status etc_compare_adjust(struct etc_comparison *rows, size_t n, double level,
                                   struct etc_arena *scratch, struct etc_error *err)
{
	double *p = etc_new(scratch, double, n);
	size_t count = 0;

	if (!p)
		return etc_fail(err, E0904, "%zu comparisons", n);
	for (size_t i = 0; i < n; i++)
		if (rows[i].p_method != ETC_P_NONE)
			p[count++] = rows[i].p;
	ETC_TRY(etc_holm(p, count, p, scratch, err));
	count = 0;
	for (size_t i = 0; i < n; i++) {
		struct etc_comparison *c = &rows[i];

		if (c->p_method == ETC_P_NONE)
			continue;
		c->p_adjusted = p[count++];
		c->significant = c->p_adjusted < 1 - level &&
		                 !holds_no_change(&c->difference_interval) &&
		                 !(c->caveats & (ETC_CAVEAT_FEW_RUNS | ETC_CAVEAT_RESOLUTION));
	}
	return ETC_OK;
}

bool etc_compare_regressed(const struct etc_comparison *row, double limit)
{
	return row->significant && row->ratio_why == ETC_DEFINED && row->ratio > 1 + limit;
}
