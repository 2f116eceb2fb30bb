/* measure.c -- computes the rows for each kind of run; see tokens.h. */
#include "commands/tokens/tokens.h"

#include "etcore/plugin.h"
#include "stats/distribution.h"
#include "stats/sort.h"

#include <math.h>

enum { P99_LEAST = 100 };
static const double minute = 60e9; /* a minute in ns */

enum etc_status etc_tokens_add(struct etc_tokens *t, const struct etc_token_row *row,
                               struct etc_error *err)
{
	if (t->row_count == t->row_room) {
		uint32_t room = t->row_room ? t->row_room * 2 : 32;
		struct etc_token_row *rows = etc_new(&t->s->arena, struct etc_token_row, room);

		ETC_NEED(rows, err);
		if (t->row_count)
			memcpy(rows, t->rows, t->row_count * sizeof *rows);
		t->rows = rows;
		t->row_room = room;
	}
	t->rows[t->row_count++] = *row;
	return ETC_OK;
}

bool etc_tokens_in_ns(const struct etc_tokens *t)
{
	return t->paths.unit == ETCORE_UNIT_NS;
}

const char *etc_tokens_unit(const struct etc_tokens *t)
{
	return etc_tokens_in_ns(t) ? "ns" : etc_unit_name(t->paths.unit);
}

const char *etc_tokens_slope_unit(const struct etc_tokens *t)
{
	return t->positions ? "ns per 1,000 tokens" : "ns per 1,000 runs";
}

const char *etc_tokens_rate_unit(const struct etc_tokens *t)
{
	return t->positions ? "tokens/s" : "runs/s";
}

/* Were all runs measured with one clock? The runtime's clock starts with its process. So each dump
 * has a different clock, even if the times ascend from dump to dump. */
static bool one_clock(const struct etc_tokens *t)
{
	for (size_t i = 1; i < t->run_count; i++)
		if (t->runs[i].start < t->runs[i - 1].start)
			return false;
	return t->input_count == 1 && etc_tokens_in_ns(t);
}

enum etc_status etc_tokens_column(struct etc_tokens *t, uint32_t kind, struct etc_token_column *c,
                                  struct etc_error *err)
{
	struct etc_arena *arena = &t->s->arena;
	const size_t n = t->kinds[kind].runs;
	uint32_t generation = UINT32_MAX;
	size_t generations = 0;

	*c = (struct etc_token_column){
		.which = etc_new(arena, uint32_t, n),
		.y = etc_new(arena, double, n),
		.position = etc_new(arena, double, n),
		.time = etc_new(arena, double, n),
		.first = etc_new(arena, size_t, t->generation_count + 1),
	};
	ETC_NEED(c->which && c->y && c->position && c->time && c->first, err);
	for (size_t i = 0; i < t->run_count; i++) {
		const struct etc_token_run *r = &t->runs[i];

		if (r->kind != kind)
			continue;
		if (r->generation != generation)
			c->first[generations++] = c->count;
		generation = r->generation;
		c->which[c->count] = (uint32_t)i;
		c->y[c->count] = r->took;
		c->position[c->count] = (double)r->position;
		c->time[c->count++] = r->start;
	}
	c->first[generations] = c->count;
	c->of = (struct etc_growth_runs){
		.y = c->y,
		.position = c->position,
		.time = one_clock(t) ? c->time : NULL,
		.first = c->first,
		.generations = generations,
	};
	return ETC_OK;
}

/* ---- measures of one kind of run ------------------------------------------------------------ */

struct one {
	struct etc_tokens *t;
	const struct etc_token_kind *kind;
	struct etc_token_column c;
	struct etc_growth_interval within;
};

static struct etc_token_row row_of(const struct one *x, const char *measure, const char *unit)
{
	return (struct etc_token_row){
		.kind = x->kind->name, .measure = measure, .unit = unit, .count = x->c.count
	};
}

static enum etc_status quantile(const struct one *x, const double *sorted, const char *measure,
                                double part, size_t least, struct etc_error *err)
{
	struct etc_token_row row = row_of(x, measure, etc_tokens_unit(x->t));
	size_t n = x->c.count;

	row.known = n >= least;
	if (row.known) {
		double at = part * (double)(n - 1), low = floor(at);

		row.v.value = sorted[(size_t)low];
		if (low < at)
			row.v.value += (sorted[(size_t)low + 1] - row.v.value) * (at - low);
	} else {
		row.verdict = "cannot tell";
		row.why = ETC_STR("fewer than 100 runs");
	}
	return etc_tokens_add(x->t, &row, err);
}

static enum etc_status quantiles(const struct one *x, struct etc_error *err)
{
	double *sorted = etc_new(&x->t->s->arena, double, x->c.count * 2);

	ETC_NEED(sorted, err);
	memcpy(sorted, x->c.y, x->c.count * sizeof *sorted);
	etc_sort(sorted, x->c.count, sorted + x->c.count);
	ETC_TRY(quantile(x, sorted, "median", 0.5, 1, err));
	return quantile(x, sorted, "p99", 0.99, P99_LEAST, err);
}

/* Adds a row with a rate: `per_run` divided by the mean time of a run. `per_run` is the mean number
 * of tokens per run, for a rate in tokens per second; if numbers of tokens are unknown, it is 1,
 * for a rate in runs per second. */
static enum etc_status add_rate(const struct one *x, const char *measure,
                                const struct etc_growth_interval *mean, double per_run,
                                size_t count, struct etc_error *err)
{
	struct etc_token_row row = row_of(x, measure, etc_tokens_rate_unit(x->t));

	row.count = count;
	row.known = mean->value > 0;
	row.interval = row.known && mean->why == ETC_DEFINED;
	if (row.known)
		row.v.value = 1e9 * per_run / mean->value;
	if (row.interval) {
		row.v.low = 1e9 * per_run / mean->high;
		row.v.high = mean->low > 0 ? 1e9 * per_run / mean->low : HUGE_VAL;
	} else {
		row.verdict = "cannot tell";
		row.why =
			mean->why == ETC_UNDEFINED_NO_METHOD
				? ETC_STR("no interval: one block of runs makes most of the spread")
			: mean->why == ETC_DEFINED ? ETC_STR("the clock measured no time")
						   : ETC_STR("no interval: fewer than 8 runs");
	}
	return etc_tokens_add(x->t, &row, err);
}

/* Adds the rate computed from the time within Method::execute. */
static enum etc_status rate(const struct one *x, double per_run, struct etc_error *err)
{
	struct etc_growth_interval mean;

	ETC_TRY(etc_growth_mean(&x->c.of, &x->within, &mean, &x->t->s->arena, err));
	return add_rate(x, "rate", &mean, per_run, x->c.count, err);
}

/* Adds the rate that is computed from the times between the starts of successive runs. These times
 * include the runner's work between runs. */
static enum etc_status wall_rate(const struct one *x, double per_run, struct etc_error *err)
{
	struct etc_arena *arena = &x->t->s->arena;
	struct etc_token_column c = x->c;
	struct etc_growth_interval within, mean;
	size_t n = 0, generations = 0;

	c.y = etc_new(arena, double, c.count);
	c.position = etc_new(arena, double, c.count);
	c.first = etc_new(arena, size_t, c.of.generations + 1);
	ETC_NEED(c.y && c.position && c.first, err);
	for (size_t g = 0; g < c.of.generations; g++) {
		size_t from = x->c.first[g], to = x->c.first[g + 1];

		c.first[generations++] = n;
		for (size_t i = from; i + 1 < to; i++) {
			const struct etc_token_run *r = &x->t->runs[x->c.which[i]];

			if (x->c.which[i + 1] != x->c.which[i] + 1)
				continue;
			c.y[n] = r[1].start - r->start;
			c.position[n++] = x->c.position[i];
		}
	}
	c.first[generations] = n;
	c.of = (struct etc_growth_runs){
		.y = c.y, .position = c.position, .first = c.first, .generations = generations
	};
	ETC_TRY(etc_growth_within(&c.of, &within, arena, err));
	ETC_TRY(etc_growth_mean(&c.of, &within, &mean, arena, err));
	return add_rate(x, "rate with the time between runs", &mean, per_run, n, err);
}

/* ---- growth and drift ------------------------------------------------------------------------ */

static const char *direction(const struct etc_growth_interval *v, const char *up, const char *down)
{
	return v->low > 0 ? up : v->high < 0 ? down : "not seen";
}

/* Does `growth` have a direction (up or down) that `slope`, the growth within generations, does not
 * have? Then the growth is only between generations: times may change from generation to
 * generation, but not during a generation. */
static bool only_by_levels(const struct etc_growth_interval *growth,
                           const struct etc_growth_interval *slope)
{
	return (growth->low > 0 && slope->low <= 0) || (growth->high < 0 && slope->high >= 0);
}

static enum etc_status add_growth(const struct one *x, struct etc_error *err)
{
	struct etc_token_row row = row_of(x, "slope", etc_tokens_slope_unit(x->t));
	struct etc_growth_apart apart;

	row.known = row.interval = x->within.why == ETC_DEFINED;
	row.v = etc_growth_interval_times(x->within, ETC_TOKENS_PER_SLOPE);
	row.why = row.known ? ETC_STR("growth by position and drift by time together")
	                    : ETC_STR("fewer than 8 runs in generations");
	row.verdict = row.known ? direction(&row.v, "rises", "falls") : "cannot tell";
	ETC_TRY(etc_tokens_add(x->t, &row, err));
	ETC_TRY(etc_growth_separate(&x->c.of, &x->within, &apart, &x->t->s->arena, err));
	row.measure = "growth";
	row.known = row.interval = apart.growth.why == ETC_DEFINED;
	row.v = etc_growth_interval_times(apart.growth, ETC_TOKENS_PER_SLOPE);
	row.verdict = row.known ? direction(&row.v, "grows", "shrinks") : "cannot tell";
	row.why = row.known ? ETC_STR("by position, if the drift is steady")
	          : x->c.of.generations < 3
	                  ? ETC_STR("fewer than 3 generations: position and time grow together")
	          : !x->c.of.time
	                  ? ETC_STR("the runs are not of one clock, as those of several dumps")
	          : apart.growth.why == ETC_UNDEFINED_CONSTANT
	                  ? ETC_STR("the generations began at one time")
	          : x->within.why == ETC_DEFINED
	                  ? ETC_STR("fewer than 3 generations have positions in common")
	                  : ETC_STR("fewer than 8 runs in generations");
	row.count = x->c.of.generations;
	if (row.known && only_by_levels(&row.v, &x->within)) {
		row.known = row.interval = false;
		row.verdict = "cannot tell";
		row.why = ETC_STR("the runs within generations do not show it");
	}
	ETC_TRY(etc_tokens_add(x->t, &row, err));
	row.measure = "drift";
	row.unit = "ns per minute";
	row.known = row.interval = apart.drift.why == ETC_DEFINED;
	row.v = etc_growth_interval_times(apart.drift, minute);
	if (row.known) {
		row.verdict = direction(&row.v, "drifts up", "drifts down");
		row.why = ETC_STR("by time, at one position");
	}
	return etc_tokens_add(x->t, &row, err);
}

/* ---- prefill -------------------------------------------------------------------------------- */

/* Adds the time to the first token, as a mean over the generations: from the start of a
 * generation's first prefill run to the end of its last prefill run. */
static enum etc_status first_token(struct etc_tokens *t, uint32_t kind, struct etc_error *err)
{
	double *v = etc_new(&t->s->arena, double, t->generation_count * 2), from = 0, half = 0;
	struct etc_token_row row = { .kind = t->kinds[kind].name,
		                     .measure = "time to first token",
		                     .unit = etc_tokens_unit(t) };
	uint32_t generation = UINT32_MAX;

	ETC_NEED(v, err);
	for (size_t i = 0; i < t->run_count; i++) {
		const struct etc_token_run *r = &t->runs[i];

		if (r->kind != kind)
			continue;
		if (r->generation != generation) {
			from = r->start;
			row.count++;
		}
		generation = r->generation;
		v[row.count - 1] = r->start - from + r->took;
	}
	row.known = row.count > 0;
	row.why = ETC_STR("the runs of prefill, and the time between them");
	for (size_t i = 0; i < row.count; i++)
		row.v.value += v[i] / (double)row.count;
	for (size_t i = 0; i < row.count; i++)
		half += (v[i] - row.v.value) * (v[i] - row.v.value);
	row.interval = row.count > 2;
	if (row.interval) {
		double n = (double)row.count;

		half = etc_student_quantile(0.975, n - 1) * sqrt(half / (n - 1) / n);
		row.v.low = fmax(row.v.value - half, 0);
		row.v.high = row.v.value + half;
	}
	return etc_tokens_add(t, &row, err);
}

static enum etc_status tokens_taken(struct etc_tokens *t, uint32_t kind, double *per_run,
                                    struct etc_error *err)
{
	struct etc_token_row row = { .kind = t->kinds[kind].name,
		                     .measure = "tokens",
		                     .unit = "tokens",
		                     .known = true,
		                     .count = t->kinds[kind].runs };

	*per_run = t->kinds[kind].role == ETC_TOKEN_PREFILL ? 0 : 1;
	if (!t->positions || t->kinds[kind].role == ETC_TOKEN_OTHER)
		return ETC_OK;
	for (size_t i = 0; i < t->run_count; i++)
		if (t->runs[i].kind == kind)
			row.v.value += (double)t->runs[i].tokens;
	*per_run = row.v.value / (double)row.count;
	return etc_tokens_add(t, &row, err);
}

static enum etc_status measure_kind(struct etc_tokens *t, uint32_t kind, struct etc_error *err)
{
	struct one x = { .t = t, .kind = &t->kinds[kind] };
	const bool prefill = x.kind->role == ETC_TOKEN_PREFILL;
	double per_run;

	if (x.kind->runs == 0)
		return ETC_OK;
	if (prefill)
		ETC_TRY(first_token(t, kind, err));
	ETC_TRY(tokens_taken(t, kind, &per_run, err));
	ETC_TRY(etc_tokens_column(t, kind, &x.c, err));
	ETC_TRY(quantiles(&x, err));
	if (x.kind->role == ETC_TOKEN_OTHER)
		return ETC_OK;
	ETC_TRY(etc_growth_within(&x.c.of, &x.within, &t->s->arena, err));
	if (etc_tokens_in_ns(t) && per_run > 0)
		ETC_TRY(rate(&x, per_run, err));
	if (prefill)
		return ETC_OK;
	if (etc_tokens_in_ns(t))
		ETC_TRY(wall_rate(&x, per_run, err));
	return etc_tokens_in_ns(t) ? add_growth(&x, err) : ETC_OK;
}

enum etc_status etc_tokens_measure(struct etc_tokens *t, struct etc_error *err)
{
	for (uint32_t k = 0; k < t->kind_count; k++)
		ETC_TRY(measure_kind(t, k, err));
	return ETC_OK;
}
