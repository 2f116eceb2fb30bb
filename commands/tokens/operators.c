/* operators.c -- compares the same operator in prefill and in decode; see tokens.h. */
#include "commands/tokens/tokens.h"

#include "base/map.h"
#include "table/words.h"

#include <math.h>
#include <stdlib.h>

/* Makes a trace with only the runs of `c`, which are all of one kind. The runs and event lists of
 * the new trace are copies with new numbers. The samples are not copied; they stay those of the
 * complete trace. */
static enum etc_status part_of(struct etc_tokens *t, const struct etc_token_column *c,
                               struct etc_trace *out, struct etc_error *err)
{
	const struct etc_trace *all = &t->trace;
	struct etc_arena *arena = &t->s->arena;
	struct etc_run *runs = etc_new(arena, struct etc_run, c->count);
	struct etc_template *lists = etc_new(arena, struct etc_template, all->template_count);
	uint32_t *number = etc_new(arena, uint32_t, all->template_count), count = 0;

	ETC_NEED(runs && lists && number, err);
	for (size_t i = 0; i < c->count; i++) {
		runs[i] = all->runs[t->runs[c->which[i]].run];
		if (!number[runs[i].template]) {
			lists[count] = all->templates[runs[i].template];
			lists[count].first_run = (uint32_t)i;
			number[runs[i].template] = ++count;
		}
		runs[i].template = number[runs[i].template] - 1;
	}
	*out = *all;
	out->runs = runs;
	out->run_count = c->count;
	out->templates = lists;
	out->template_count = count;
	out->salvage = NULL;
	return ETC_OK;
}

/* An operator, summed over all paths of a kind of run. */
struct operator
{
	struct etc_str name;
	/* time of all runs of this kind, if each run took as long as the typical runs of its
	 * path */
	double time;
	uint32_t rank; /* index that the operator had in `v` before `v` was sorted by time */
};

struct operators {
	struct operator* v; /* sorted by time */
	uint32_t count;
	struct etc_map index; /* maps a name to its index in `v` before `v` was sorted */
	uint32_t *rank;       /* per index of the map `index`: rank by time, from 0 */
	/* `whole`: time of all runs of one kind (prefill, decode ...), computed like
	 * operator.time. `sum`: time of all operators in these runs */
	double whole, sum;
	size_t typical; /* number of typical runs of that kind */
};

/* Slopes are computed only for this many operators, those with the most time. */
enum { SLOPES_MOST = 64 };

static bool counts(const struct etc_profile_row *row)
{
	return !row->detached && row->path != ETC_PROFILE_LOAD;
}

static int by_time(const void *a, const void *b)
{
	const struct operator* x = a, *y = b;

	return x->time != y->time ? (x->time < y->time) - (x->time > y->time)
	                          : etc_str_cmp(x->name, y->name);
}

/* Returns the time of a row in one run, in the profile's unit. `run`: index among the kept runs of
 * the path. */
static double value_of(const struct etc_profile_path *path, const struct etc_profile_row *row,
                       size_t run)
{
	const struct etc_run_sample *sample = &path->values[run];

	return sample->v && row->value < sample->count
	               ? (double)sample->v[row->value] / (double)path->den
	               : 0;
}

/* Returns the mean time of a row over the typical runs of its path, multiplied by the number of
 * runs of the path. If `row` is NULL, uses the time of the whole run. The arrays `values`,
 * `samples` and `asked` have equal indices, because no run was set aside as warm-up. */
static double typical_time(const struct etc_profile_path *path, const struct etc_profile_row *row)
{
	double sum = 0;
	size_t n = 0;

	for (size_t k = 0; k < path->kept; k++) {
		if (path->asked[k] != ETC_USE_TYPICAL)
			continue;
		sum += row ? value_of(path, row, k) : (double)path->samples[k] / (double)path->den;
		n++;
	}
	return n ? sum / (double)n * (double)path->runs : 0;
}

static enum etc_status gather(struct etc_tokens *t, const struct etc_profile *p,
                              struct operators *out, struct etc_error *err)
{
	struct etc_arena *arena = &t->s->arena;

	*out = (struct operators){ .v = etc_new(arena, struct operator, p->row_count),
		                   .rank = etc_new(arena, uint32_t, p->row_count) };
	ETC_NEED(out->v && out->rank, err);
	etc_map_init(&out->index, arena);
	for (size_t i = 0; i < p->row_count; i++) {
		const struct etc_profile_row *row = &p->rows[i];
		struct operator* o;
		size_t at;

		if (!counts(row))
			continue;
		at = etc_map_add(&out->index, etc_row_word(row), out->count);
		if (at == ETC_MAP_NONE)
			return etc_no_memory(err);
		o = &out->v[at];
		if (at == out->count)
			*o = (struct operator){ .name = etc_row_word(row), .rank = out->count++ };
		o->time += typical_time(&p->paths[row->path], row);
	}
	for (uint32_t i = 0; i < p->path_count; i++) {
		out->whole += typical_time(&p->paths[i], NULL);
		for (size_t k = 0; k < p->paths[i].kept; k++)
			out->typical += p->paths[i].asked[k] == ETC_USE_TYPICAL;
	}
	qsort(out->v, out->count, sizeof *out->v, by_time);
	for (uint32_t i = 0; i < out->count; i++) {
		out->sum += out->v[i].time;
		out->rank[out->v[i].rank] = i;
	}
	return ETC_OK;
}

/* For each of the SLOPES_MOST operators with the most time, adds its self time in each run to
 * y[rank * runs + run]. */
static void list_times(const struct etc_profile *p, const struct operators *all, size_t runs,
                       double *y)
{
	for (size_t i = 0; i < p->row_count; i++) {
		const struct etc_profile_row *row = &p->rows[i];
		const struct etc_profile_path *path;
		uint32_t rank;

		if (!counts(row))
			continue;
		path = &p->paths[row->path];
		rank = all->rank[etc_map_get(&all->index, etc_row_word(row))];
		for (size_t k = 0; k < path->kept && rank < SLOPES_MOST; k++)
			y[rank * runs + path->values[k].run] += value_of(path, row, k);
	}
}

static enum etc_status add_self(struct etc_tokens *t, uint32_t kind, struct etc_str name,
                                double time, const struct operators *all, struct etc_error *err)
{
	struct etc_token_row row = { .kind = t->kinds[kind].name,
		                     .name = name,
		                     .measure = "self",
		                     .unit = etc_tokens_unit(t),
		                     .known = true,
		                     .count = all->typical };

	row.v.value = time / (double)t->kinds[kind].runs;
	row.share = all->whole > 0 ? time / all->whole : 0;
	return etc_tokens_add(t, &row, err);
}

static enum etc_status add_slope(struct etc_tokens *t, uint32_t kind, struct etc_str name,
                                 const struct etc_growth_runs *runs, struct etc_error *err)
{
	struct etc_token_row row = { .kind = t->kinds[kind].name,
		                     .name = name,
		                     .measure = "slope",
		                     .unit = etc_tokens_slope_unit(t),
		                     .share = NAN,
		                     .count = t->kinds[kind].runs };
	struct etc_arena scratch;
	enum etc_status st;

	etc_arena_init(&scratch, t->s->arena.budget);
	st = etc_growth_within(runs, &row.v, &scratch, err);
	etc_arena_release(&scratch);
	ETC_TRY(st);
	row.known = row.interval = row.v.why == ETC_DEFINED;
	row.v = etc_growth_interval_times(row.v, ETC_TOKENS_PER_SLOPE);
	return etc_tokens_add(t, &row, err);
}

static enum etc_status add_rows(struct etc_tokens *t, uint32_t kind, struct etc_token_column *c,
                                const struct etc_profile *p, const struct operators *all,
                                struct etc_error *err)
{
	const uint8_t role = t->kinds[kind].role;
	uint32_t slopes = all->count < SLOPES_MOST ? all->count : SLOPES_MOST;
	double *y;

	if (role == ETC_TOKEN_PREFILL || role == ETC_TOKEN_OTHER || !etc_tokens_in_ns(t))
		slopes = 0;
	y = etc_new(&t->s->arena, double, slopes * c->count);
	ETC_NEED(y, err);
	if (slopes)
		list_times(p, all, c->count, y);
	for (uint32_t i = 0; i < all->count; i++) {
		ETC_TRY(add_self(t, kind, all->v[i].name, all->v[i].time, all, err));
		c->of.y = y + i * c->count;
		if (i < slopes)
			ETC_TRY(add_slope(t, kind, all->v[i].name, &c->of, err));
	}
	return add_self(t, kind, ETC_STR("rounding, and what no operator covers"),
	                fmax(all->whole - all->sum, 0), all, err);
}

enum etc_status etc_tokens_operators(struct etc_tokens *t, struct etc_error *err)
{
	for (uint32_t k = 0; k < t->kind_count; k++) {
		struct etc_profile_options po = t->profile_options;
		struct etc_token_column c;
		struct etc_profile profile;
		struct operators all;
		struct etc_trace part;

		if (t->kinds[k].runs == 0)
			continue;
		po.no_rows = false;
		po.samples = true;
		po.stat = ETC_STAT_MEAN;
		ETC_TRY(etc_tokens_column(t, k, &c, err));
		ETC_TRY(part_of(t, &c, &part, err));
		ETC_TRY(etc_profile_make(&part, &po, &t->s->arena, &profile, err));
		ETC_TRY(gather(t, &profile, &all, err));
		ETC_TRY(add_rows(t, k, &c, &profile, &all, err));
	}
	return ETC_OK;
}
