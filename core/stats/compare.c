/* compare.c -- see compare.h
 *
 * TILE rows are processed at a time, since the bootstrap draws the same runs for all of
 * them. Then each row is examined by itself and its memory released. */
#include "stats/compare_internal.h"

#include "model/profile.h"
#include "stats/estimate.h"
#include "stats/holm.h"
#include "stats/sort.h"
#include "stats/tail.h"
#include "stats/typical.h"

#include <math.h>

enum { TILE = 64 };

struct etc_compare_options etc_compare_defaults(void)
{
	return (struct etc_compare_options){ .stat = ETC_STAT_TYPICAL,
		                             .level = 0.95,
		                             .rounds = ETC_COMPARE_ROUNDS,
		                             .seed = 1,
		                             .process_spread = 0.05,
		                             .at_least = true };
}

/* Allocates the working memory of one group, for `tile` rows at a time. */
static enum etc_status open_half(struct etc_compare_half *h, size_t tile, size_t rounds,
                                 struct etc_arena *arena, struct etc_error *err)
{
	size_t n = h->runs.n;
	double *room, *replicates;

	room = etc_new(arena, double, (5 + tile) * n);
	replicates = etc_new(arena, double, tile *rounds);
	h->y = etc_new(arena, double *, tile);
	h->replicates = etc_new(arena, double *, tile);
	if (n > SIZE_MAX / 1024 || !room || !replicates || !h->y || !h->replicates)
		return etc_no_memory(err);
	h->x = room;
	h->sorted = room + n;
	h->without = room + 2 * n;
	h->rest = room + 3 * n;
	h->other = room + 4 * n;
	for (size_t i = 0; i < tile; i++) {
		h->y[i] = room + (5 + i) * n;
		h->replicates[i] = replicates + i * rounds;
	}
	return ETC_OK;
}

/* Computes, for `count` rows from row `first` on, their values (h->y) and their replicates. */
static enum etc_status open_tile(struct etc_compare_work *w, struct etc_compare_half *h,
                                 size_t first, size_t count, uint64_t stream)
{
	const struct etc_compare_options *o = w->options;
	struct etc_bootstrap plan = { o->stat, o->rounds, o->seed, stream, h->runs.time };

	for (size_t i = 0; i < count; i++) {
		etc_runs_row(&h->runs, first + i, h->x);
		etc_runs_places(&h->runs, h->x, o->stat, SIZE_MAX, h->y[i], h->other);
	}
	if (!w->boot || h->runs.n == 0)
		return ETC_OK;
	ETC_TRY(etc_bootstrap_rows(&plan, (const double *const *)h->y, count, h->runs.n,
	                           h->replicates[0], w->memory, w->err));
	etc_arena_reuse(w->memory);
	return ETC_OK;
}

static double total_of(uint8_t stat, const double *v, size_t n)
{
	double out = v[0];

	for (size_t i = 1; i < n; i++)
		out = stat == ETC_STAT_TOTAL ? out + v[i] : v[i] < out ? v[i] : out;
	return out;
}

/* Returns the values that the row has in dump `d`, in ascending order. */
static const double *sorted_dump(const struct etc_compare_half *h, size_t d)
{
	size_t first = h->runs.first[d], n = h->runs.first[d + 1] - first;

	if (h->runs.dumps == 1)
		return h->sorted;
	memcpy(h->rest, h->x + first, n * sizeof *h->rest);
	etc_sort(h->rest, n, h->other);
	return h->rest;
}

static void add_drift(struct etc_examined *worst, const struct etc_examined *e, size_t dumps)
{
	if (e->caveats & ETC_CAVEAT_DRIFT && e->drift_p < worst->drift_p) {
		worst->drift_p = e->drift_p;
		worst->drift = e->drift;
	}
	worst->drift_inside += e->drift_inside / (double)dumps;
	worst->rises += e->rises;
	worst->rises_variance += e->rises_variance;
}

static void add_modes(struct etc_examined *worst, const struct etc_examined *e)
{
	worst->dip_p = e->dip_p < worst->dip_p ? e->dip_p : worst->dip_p;
	if (e->speeds[1] * worst->speeds[0] > worst->speeds[1] * e->speeds[0] ||
	    !(worst->speeds[0] > 0))
		memcpy(worst->speeds, e->speeds, sizeof worst->speeds);
	if (e->gap <= worst->gap)
		return;
	worst->gap = e->gap;
	worst->below = e->below;
	worst->above = e->above;
}

/* Returns the smallest difference above 0 between any two of the m + n values; both arrays are in
 * ascending order. 0: all values are equal. */
static double least_step(const double *a, size_t m, const double *b, size_t n)
{
	double least = 0, before = fmin(a[0], b[0]);

	for (size_t i = 0, k = 0; i < m || k < n;) {
		double v = k == n || (i < m && a[i] <= b[k]) ? a[i++] : b[k++];

		if (v > before && (least == 0 || v - before < least))
			least = v - before;
		before = v;
	}
	return least;
}

/* Returns a tick of the row's clock in dump `d`, whose n values are `sorted`. The clock of a row of
 * events may be coarser than that of the end-to-end times. */
static double tick_of(const struct etc_compare_work *w, const struct etc_compare_half *h, size_t r,
                      size_t d, const double *sorted, size_t n)
{
	const double known = w->options->resolution ? w->options->resolution[r] : 0,
		     tick = h->runs.dump[d]->tick;

	if (known > 0)
		return known;
	return n == 0 || (r < w->options->tails && tick > 0)
	               ? tick
	               : fmax(least_step(sorted, n, sorted, n), tick);
}

/* Examines the runs of row `r`, dump by dump, and adds to side->examined what `parts` (enum
 * etc_examine_parts) names. */
static enum etc_status examine_dumps(struct etc_compare_work *w, const struct etc_compare_half *h,
                                     size_t r, unsigned parts, struct etc_comparison_side *side)
{
	for (size_t d = 0; d < h->runs.dumps; d++) {
		size_t first = h->runs.first[d], n = h->runs.first[d + 1] - first;
		const double *sorted = sorted_dump(h, d);
		double tick = tick_of(w, h, r, d, sorted, n);
		struct etc_examined e;

		ETC_TRY(etc_examine(h->x + first, sorted, n, tick, parts, &e, w->memory, w->err));
		side->examined.caveats |= e.caveats;
		if (parts & ETC_EXAMINE_NEIGHBOURS) {
			side->examined.effective += e.effective;
			side->examined.lag1 = fmax(side->examined.lag1, e.lag1);
		}
		add_modes(&side->examined, &e);
		add_drift(&side->examined, &e, h->runs.dumps);
	}
	return ETC_OK;
}

static enum etc_status compare_tails(struct etc_compare_work *w, struct etc_comparison *c)
{
	const struct etc_compare_half *a = &w->half[0], *b = &w->half[1];
	const struct etc_tail_group groups[2] = { { a->x, a->runs.first, a->runs.dumps },
		                                  { b->x, b->runs.first, b->runs.dumps } };
	struct etc_tails tails;

	ETC_TRY(etc_tails_compare(groups, &tails, w->memory, w->err));
	c->tail_p = tails.p;
	c->slow[0] = tails.slow[0];
	c->slow[1] = tails.slow[1];
	if (tails.p < 1 - w->options->level &&
	    !(c->caveats & (ETC_CAVEAT_FEW_RUNS | ETC_CAVEAT_RESOLUTION)))
		c->caveats |= ETC_CAVEAT_TAILS;
	return ETC_OK;
}

/* Are n runs too few to claim a change? For a quantile, n must be so large that at least one run is
 * expected beyond the quantile. */
static bool is_few(uint8_t stat, size_t n)
{
	return n < ETC_CAVEAT_RUNS || n < etc_estimate_least(stat);
}

/* Returns 1.4826 times the median absolute deviation of h->sorted, divided by the median, as in the
 * header of `analyze`. 0: there are fewer than ETC_TYPICAL_LEAST runs, or the median is 0. */
static double spread_of(const struct etc_compare_half *h, size_t n, double median)
{
	if (n < ETC_TYPICAL_LEAST || !(median > 0))
		return 0;
	for (size_t i = 0; i < n; i++)
		h->rest[i] = fabs(h->sorted[i] - median);
	etc_sort(h->rest, n, h->other);
	return ETC_MAD_DEVIATION * etc_estimate(ETC_STAT_MEDIAN, NULL, h->rest, n) / median;
}

/* Fills one side of row `r`. `i` is the row's position in the tile (the rows that are processed
 * together), so its values are in h->y[i]. */
static enum etc_status look_at(struct etc_compare_work *w, struct etc_compare_half *h, size_t r,
                               size_t i, struct etc_comparison_side *side)
{
	size_t n = h->runs.n;
	uint8_t stat = w->options->stat;

	*side = (struct etc_comparison_side){ .dumps = h->runs.dumps, .runs = n };
	etc_runs_row(&h->runs, r, h->x);
	side->why = (uint8_t)etc_samples_check(h->x, n);
	if (is_few(stat, n))
		side->examined.caveats |= ETC_CAVEAT_FEW_RUNS;
	if (side->why != ETC_DEFINED)
		return ETC_OK;
	etc_runs_places(&h->runs, h->x, ETC_STAT_TYPICAL, SIZE_MAX, h->sorted, h->other);
	side->typical = etc_estimate(ETC_STAT_TYPICAL, h->runs.time, h->sorted, n);
	etc_sort(h->sorted, n, h->other);
	side->examined.drift_p = side->examined.dip_p = 1;
	ETC_TRY(examine_dumps(
		w, h, r, etc_compare_brief(w, r) ? ETC_EXAMINE_NEIGHBOURS : ETC_EXAMINE_ALL, side));
	side->median = etc_estimate(ETC_STAT_MEDIAN, NULL, h->sorted, n);
	if (w->half[0].runs.dumps < ETC_COMPARE_RECORDINGS)
		side->spread = spread_of(h, n, side->median);
	side->p95 = etc_estimate(ETC_STAT_P95, NULL, h->sorted, n);
	side->max = h->sorted[n - 1];
	side->estimate = etc_estimate_known(stat) ? etc_estimate(stat, h->runs.time, h->y[i], n)
	                                          : total_of(stat, h->sorted, n);
	if (etc_estimate_known(stat) && n > 1)
		etc_estimate_without(stat, h->runs.time, h->y[i], n, h->without, h->rest);
	return ETC_OK;
}

/* Returns the longest tick of the end-to-end times; 0: unknown. */
static double clock_of(const struct etc_compare_work *w)
{
	double tick = 0;

	for (int g = 0; g < 2; g++)
		for (size_t d = 0; d < w->half[g].runs.dumps; d++)
			tick = fmax(tick, w->half[g].runs.dump[d]->tick);
	return tick;
}

/* Is the middle half of the values in one tick? True if these values differ by at most half a tick.
 * They may differ although they are in one tick: by one unit, if a tick is not a whole number of
 * units. `v` is in ascending order. */
static bool is_coarse(const double *v, size_t n, double tick)
{
	return v[n - 1 - n / 4] - v[n / 4] <= tick / 2;
}

/* Widens the intervals of a row on both sides by one tick, if they contain "no change" and the
 * clock is coarse for a group. With a coarse clock most runs take the same number of ticks, so
 * their typical time and quantiles do not vary, although they may be a tick off. There are three
 * exceptions, in which the intervals stay as they are: for the mean; for the typical time of a row
 * other than the end-to-end times; and if all runs of each group are equal, as in a simulator. */
static void doubt_clock(const struct etc_compare_work *w, size_t r, struct etc_comparison *c)
{
	const double *a = w->half[0].sorted, *b = w->half[1].sorted;
	size_t m = c->a.runs, n = c->b.runs;
	uint8_t stat = w->options->stat;
	struct etc_interval *d = &c->difference_interval, *ratio = &c->ratio_interval;
	const double clock = r < w->options->tails ? clock_of(w) : 0;
	double tick;

	if (stat == ETC_STAT_MEAN || (stat == ETC_STAT_TYPICAL && r >= w->options->tails) ||
	    d->why != ETC_DEFINED || d->low > 0 || d->high < 0 ||
	    !(is_coarse(a, m, clock) || is_coarse(b, n, clock)) ||
	    (a[0] == a[m - 1] && b[0] == b[n - 1]))
		return;
	tick = fmax(least_step(a, m, b, n), clock);
	d->low = fmin(d->low, fmax(d->low - tick, -c->a.estimate));
	d->high += tick;
	if (ratio->why != ETC_DEFINED)
		return;
	ratio->low = fmax(ratio->low - tick / c->a.estimate, 0);
	ratio->high += tick / c->a.estimate;
}

/* Do all runs of the group take the same time end to end, as in a simulator? */
static bool never_varies(const struct etc_compare_half *h)
{
	for (size_t i = 1; i < h->runs.n; i++)
		if (h->runs.time[i] != h->runs.time[0])
			return false;
	return true;
}

/* Returns etc_comparison.hidden. doubt_clock() does not widen the intervals of a row whose typical
 * times are compared, or whose runs are all equal. Nevertheless, a difference of up to a tick may
 * be hidden in such a row, if the clock is coarse for both groups and the end-to-end times vary. */
static double hidden_in(const struct etc_compare_work *w, size_t r, const struct etc_comparison *c)
{
	const struct etc_compare_half *a = &w->half[0], *b = &w->half[1];
	const double known = w->options->resolution ? w->options->resolution[r] : 0;
	const double clock = clock_of(w);

	if (r < w->options->tails || !is_coarse(a->sorted, c->a.runs, clock) ||
	    !is_coarse(b->sorted, c->b.runs, clock) || (never_varies(a) && never_varies(b)))
		return known;
	return fmax(known, clock);
}

static enum etc_status compare_row(struct etc_compare_work *w, size_t r, size_t i,
                                   struct etc_comparison *c)
{
	struct etc_compare_half *a = &w->half[0], *b = &w->half[1];
	size_t m = a->runs.n, n = b->runs.n;

	*c = (struct etc_comparison){ .p = 1,
		                      .p_adjusted = 1,
		                      .p_process = 1,
		                      .p_process_adjusted = 1,
		                      .tail_p = 1,
		                      .ratio_why = ETC_UNDEFINED_ZERO };
	ETC_TRY(look_at(w, a, r, i, &c->a));
	ETC_TRY(look_at(w, b, r, i, &c->b));
	c->caveats = c->a.examined.caveats | c->b.examined.caveats;
	c->why = c->a.why != ETC_DEFINED ? c->a.why : c->b.why;
	if (c->why != ETC_DEFINED) {
		c->ratio_why = c->why;
		c->u.why = c->shift.why = c->shift.no_interval = c->why;
		c->difference_interval.why = c->ratio_interval.why = c->process_interval.why =
			c->why;
		return ETC_OK;
	}
	c->difference = c->other = c->b.estimate - c->a.estimate;
	if (c->a.estimate > 0) {
		c->ratio_why = ETC_DEFINED;
		c->ratio = c->b.estimate / c->a.estimate;
	}
	ETC_TRY(etc_mann_whitney(a->sorted, m, b->sorted, n, ETC_U_AUTO, &c->u, &w->divisions,
	                         w->memory, w->err));
	if (etc_compare_brief(w, r))
		c->shift.why = c->shift.no_interval = ETC_UNDEFINED_NO_METHOD;
	else
		c->shift = etc_hodges_lehmann(a->sorted, m, b->sorted, n, w->rank);
	c->cliffs_delta = (2 * c->u.u - (double)m * (double)n) / ((double)m * (double)n);
	ETC_TRY(etc_compare_infer(w, c, r, i));
	doubt_clock(w, r, c);
	if (etc_compare_brief(w, r) && c->p < 1 - w->options->level) {
		ETC_TRY(examine_dumps(w, a, r, ETC_EXAMINE_REST, &c->a));
		ETC_TRY(examine_dumps(w, b, r, ETC_EXAMINE_REST, &c->b));
	}
	etc_compare_between(w, c);
	etc_compare_speeds(w, c);
	c->hidden = hidden_in(w, r, c);
	if (w->options->resolution && fabs(c->difference) < w->options->resolution[r])
		c->caveats |= ETC_CAVEAT_RESOLUTION;
	return r < w->options->tails ? compare_tails(w, c) : ETC_OK;
}

static enum etc_status compare_tile(struct etc_compare_work *w, size_t first, size_t count,
                                    struct etc_comparison *out)
{
	ETC_TRY(open_tile(w, &w->half[0], first, count, 0));
	ETC_TRY(open_tile(w, &w->half[1], first, count, 1));
	for (size_t i = 0; i < count; i++) {
		ETC_TRY(compare_row(w, first + i, i, &out[first + i]));
		etc_arena_reuse(w->memory);
	}
	return ETC_OK;
}

static enum etc_status compare_rows(struct etc_compare_work *w, size_t rows, size_t tile,
                                    struct etc_comparison *out)
{
	for (size_t r = 0; r < rows; r += tile)
		ETC_TRY(compare_tile(w, r, rows - r < tile ? rows - r : tile, out));
	return ETC_OK;
}

enum etc_status etc_compare(const struct etc_sample_group *a, const struct etc_sample_group *b,
                            size_t rows, const struct etc_compare_options *options,
                            struct etc_comparison *out, struct etc_arena *scratch,
                            struct etc_error *err)
{
	struct etc_compare_work w = { .options = options,
		                      .divisions = { .arena = scratch },
		                      .err = err };
	size_t tile = rows < TILE ? rows : TILE, rounds;
	struct etc_arena memory;
	enum etc_status st;

	ETC_TRY(etc_runs_init(&w.half[0].runs, a, scratch, err));
	ETC_TRY(etc_runs_init(&w.half[1].runs, b, scratch, err));
	w.boot = options->rounds > 0 && etc_estimate_known(options->stat) &&
	         w.half[0].runs.dumps == 1 && w.half[1].runs.dumps == 1;
	rounds = w.boot ? options->rounds : 0;
	w.both = etc_new(scratch, double, rounds);
	w.keys = etc_new(scratch, uint64_t, rounds);
	ETC_NEED(w.both && w.keys, err);
	ETC_TRY(open_half(&w.half[0], tile, rounds, scratch, err));
	ETC_TRY(open_half(&w.half[1], tile, rounds, scratch, err));
	if (w.half[0].runs.n > 0 && w.half[1].runs.n > 0)
		ETC_TRY(etc_u_rank(w.half[0].runs.n, w.half[1].runs.n, 1 - options->level, &w.rank,
		                   scratch, err));
	etc_arena_init(&memory, SIZE_MAX / 2);
	w.memory = &memory;
	st = compare_rows(&w, rows, tile, out);
	etc_arena_release(&memory);
	return st;
}

/* Does the interval of the difference contain "no change"? Returns false if a drift over the order
 * of the dumps shifts the difference too much (ETC_CAVEAT_DROWNED), because the interval then has
 * no meaning. */
static bool holds_no_change(const struct etc_comparison *c)
{
	const struct etc_interval *i = &c->difference_interval;
	bool shifted = c->p_method == ETC_P_ORDER && c->caveats & ETC_CAVEAT_DROWNED;

	return !shifted && i->why == ETC_DEFINED && i->low <= 0 && i->high >= 0;
}

enum etc_status etc_compare_adjust_at(struct etc_comparison *const *rows, size_t n, double level,
                                      struct etc_arena *scratch, struct etc_error *err)
{
	double *p = etc_new(scratch, double, n), *process = etc_new(scratch, double, n);
	size_t count = 0;

	ETC_NEED(p && process, err);
	for (size_t i = 0; i < n; i++)
		if (rows[i]->p_method != ETC_P_NONE) {
			process[count] = rows[i]->p_process;
			p[count++] = rows[i]->p;
		}
	ETC_TRY(etc_holm(p, count, p, scratch, err));
	ETC_TRY(etc_holm(process, count, process, scratch, err));
	count = 0;
	for (size_t i = 0; i < n; i++) {
		struct etc_comparison *c = rows[i];

		if (c->p_method == ETC_P_NONE)
			continue;
		c->p_process_adjusted = process[count];
		c->p_adjusted = p[count++];
		c->significant = c->p_adjusted < 1 - level && !holds_no_change(c) &&
		                 !(c->caveats & (ETC_CAVEAT_FEW_RUNS | ETC_CAVEAT_RESOLUTION));
		c->explained = c->significant && c->p_process_adjusted >= 1 - level;
	}
	return ETC_OK;
}

enum etc_status etc_compare_adjust(struct etc_comparison *rows, size_t n, double level,
                                   struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_comparison **at = etc_new(scratch, struct etc_comparison *, n);

	ETC_NEED(at, err);
	for (size_t i = 0; i < n; i++)
		at[i] = &rows[i];
	return etc_compare_adjust_at(at, n, level, scratch, err);
}

bool etc_compare_tells_interval(const struct etc_comparison *row)
{
	const struct etc_interval *i = &row->difference_interval;

	return i->why == ETC_DEFINED && (row->significant || (i->low <= 0 && i->high >= 0));
}

bool etc_compare_claims(const struct etc_comparison *row)
{
	return row->significant && !row->explained &&
	       !(row->caveats & (ETC_CAVEAT_DROWNED | ETC_CAVEAT_SPEEDS));
}

double etc_compare_least_ratio(const struct etc_comparison *row)
{
	return row->p_method == ETC_P_ORDER ? fmin(row->ratio, 1 + row->other / row->a.estimate)
	                                    : row->ratio;
}

bool etc_compare_regressed(const struct etc_comparison *row, double limit)
{
	return etc_compare_claims(row) && row->ratio_why == ETC_DEFINED &&
	       etc_compare_least_ratio(row) > 1 + limit;
}
