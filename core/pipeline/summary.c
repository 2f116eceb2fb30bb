/* summary.c -- see summary.h: sums and pairs. */
#include "pipeline/summary.h"

#include <stdlib.h>

const char *const etc_profile_names[ETC_PROFILES] = { "etcore", "kit-v1", "kit-v2" };

bool etc_leaves_add(struct etc_leaves *l, struct etc_str category, etc_u128 time,
                    struct etc_arena *arena)
{
	for (uint32_t i = 0; i < l->count; i++)
		if (etc_str_eq(l->v[i].category, category)) {
			l->v[i].time += time;
			return true;
		}
	if (l->count == l->room) {
		uint32_t room = l->room ? l->room * 2 : 8;
		struct etc_leaf *more = etc_new(arena, struct etc_leaf, room);

		if (!more)
			return false;
		if (l->count)
			memcpy(more, l->v, l->count * sizeof *more);
		l->v = more;
		l->room = room;
	}
	category = etc_arena_str(arena, category);
	if (!category.ptr)
		return false;
	l->v[l->count++] = (struct etc_leaf){ category, time };
	return true;
}

bool etc_breakdown_holds(const struct etc_breakdown *b)
{
	for (int p = 0; p < ETC_PROFILES; p++) {
		etc_u128 sum = b->delegate_overhead + b->operator_overhead + b->framework;

		for (uint32_t i = 0; i < b->leaves[p].count; i++)
			sum += b->leaves[p].v[i].time;
		if (sum != b->end_to_end)
			return false;
	}
	return true;
}

double etc_breakdown_ms(const struct etc_breakdown *b, etc_u128 sum)
{
	return b->executions
	               ? etc_ratio_double(etc_ratio(sum, (etc_u128)b->executions *
	                                                         (b->den ? b->den : 1) * 1000000))
	               : 0;
}

/* ---- experiments ----------------------------------------------------------------------- */

static bool add_breakdown(struct etc_breakdown *to, const struct etc_breakdown *b,
                          struct etc_arena *arena)
{
	bool ok = true;

	to->executions += b->executions;
	to->set_aside += b->set_aside;
	to->den = b->den;
	to->end_to_end += b->end_to_end;
	to->delegate_overhead += b->delegate_overhead;
	to->rounding += b->rounding;
	to->operator_overhead += b->operator_overhead;
	to->framework += b->framework;
	to->delegated += b->delegated;
	to->detached += b->detached;
	for (int p = 0; p < ETC_PROFILES; p++)
		for (uint32_t i = 0; ok && i < b->leaves[p].count; i++)
			ok = etc_leaves_add(&to->leaves[p], b->leaves[p].v[i].category,
			                    b->leaves[p].v[i].time, arena);
	return ok;
}

static int slower(const void *x, const void *y)
{
	const struct etc_leaf *a = x, *b = y;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return etc_str_cmp(a->category, b->category);
}

static void sort_leaves(struct etc_breakdown *b)
{
	for (int p = 0; p < ETC_PROFILES; p++)
		if (b->leaves[p].count)
			qsort(b->leaves[p].v, b->leaves[p].count, sizeof *b->leaves[p].v, slower);
}

static enum etc_status fill_experiment(struct etc_summary *s, uint32_t index, struct etc_error *err)
{
	struct etc_summary_experiment *x = &s->experiments[index];
	bool labelled = false;
	double *latency;
	size_t n = 0;

	for (uint32_t i = 0; i < s->dump_count; i++)
		n += s->dumps[i].of == index ? s->dumps[i].times.executions : 0;
	latency = etc_new(s->arena, double, n);
	if (!latency)
		return etc_fail(err, E0904, "latencies of %zu executions", n);
	x->latency_ms = latency;
	for (uint32_t i = 0; i < s->dump_count; i++) {
		struct etc_summary_dump *d = &s->dumps[i];

		if (d->of != index || d->why.code != ETC_CODE_NONE)
			continue;
		if (!add_breakdown(&x->times, &d->times, s->arena))
			return etc_fail(err, E0904, "categories");
		if (d->times.executions)
			memcpy(latency + x->latency_count, d->latency_ms,
			       d->times.executions * sizeof *latency);
		x->latency_count += d->times.executions;
		sort_leaves(&d->times);
	}
	sort_leaves(&x->times);
	for (uint32_t i = 0; i < s->experiment_count; i++)
		labelled = labelled || (i != index && etc_str_eq(s->experiments[i].name, x->name));
	x->label = labelled ? etc_arena_printf(s->arena, ETC_STR_FMT "_t%llu", ETC_STR_ARG(x->name),
	                                       (unsigned long long)x->threads)
	                    : x->name;
	if (x->latency_count)
		return etc_kit_robust_of(latency, x->latency_count, s->arena, &x->robust, err);
	return ETC_OK;
}

/* ---- pairs --------------------------------------------------------------------------------- */

static bool has_role(const struct etc_summary *s, struct etc_str name, const char *role)
{
	const struct etc_tree *list = etc_tree_get(s->folder->manifest.tree, "experiments");

	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next)
		if (etc_str_eq(etc_tree_text(etc_tree_get(t, "name")), name))
			return etc_str_eq(etc_tree_text(etc_tree_get(t, "role")), etc_str_of(role));
	return false;
}

static bool is_off(struct etc_str name)
{
	return etc_str_ends(name, ETC_STR("_off")) || etc_str_ends(name, ETC_STR("-off"));
}

/* The baseline of a number of threads; with several numbers of one experiment the least. */
static uint32_t baseline(const struct etc_summary *s, uint64_t threads, bool any_threads)
{
	uint32_t best = UINT32_MAX;
	int best_rank = -1;

	for (uint32_t i = 0; i < s->experiment_count; i++) {
		const struct etc_summary_experiment *x = &s->experiments[i];
		int rank = has_role(s, x->name, "baseline") ? 2 : is_off(x->name);

		if ((x->threads != threads && !any_threads) || !x->latency_count)
			continue;
		if (rank > best_rank) {
			best = i;
			best_rank = rank;
		}
	}
	return best;
}

static const char *verdict_of(const struct etc_comparison *c)
{
	if (c->why != ETC_DEFINED)
		return "cannot tell";
	if (!c->significant)
		return "no difference";
	return c->difference < 0 ? "faster" : "slower";
}

/* The dumps of an experiment: each is a process, so a block of its own. */
static enum etc_status group_of(const struct etc_summary *s, uint32_t index,
                                struct etc_arena *arena, struct etc_sample_group *out,
                                struct etc_error *err)
{
	struct etc_dump_samples *dumps =
		etc_new(arena, struct etc_dump_samples, s->experiments[index].dumps);

	*out = (struct etc_sample_group){ .dumps = dumps };
	if (!dumps)
		return etc_fail(err, E0904, "a comparison");
	for (uint32_t i = 0; i < s->dump_count; i++)
		if (s->dumps[i].of == index && s->dumps[i].times.executions)
			dumps[out->dump_count++] = (struct etc_dump_samples){
				.runs = s->dumps[i].times.executions,
				.time = s->dumps[i].latency_ms,
				.rows = s->dumps[i].latency_ms,
			};
	return ETC_OK;
}

/* The bootstrap's memory ends with each pair. */
static enum etc_status compare(struct etc_summary *s, uint32_t base, uint32_t candidate,
                               struct etc_error *err)
{
	struct etc_summary_comparison *c = &s->comparisons[s->comparison_count++];
	struct etc_compare_options options = etc_compare_defaults();
	struct etc_sample_group a, b;
	struct etc_arena scratch;
	enum etc_status st;

	*c = (struct etc_summary_comparison){ .base = base, .candidate = candidate };
	etc_arena_init(&scratch, s->arena->budget);
	st = group_of(s, base, &scratch, &a, err);
	if (st == ETC_OK)
		st = group_of(s, candidate, &scratch, &b, err);
	if (st == ETC_OK)
		st = etc_compare(&a, &b, 1, &options, &c->end_to_end, &scratch, err);
	etc_arena_release(&scratch);
	return st;
}

static enum etc_status pair(struct etc_summary *s, struct etc_error *err)
{
	struct etc_comparison *rows;
	bool one = true;

	for (uint32_t i = 1; i < s->experiment_count; i++)
		one = one && etc_str_eq(s->experiments[i].name, s->experiments[0].name);
	s->comparisons = etc_new(s->arena, struct etc_summary_comparison, s->experiment_count);
	rows = etc_new(s->arena, struct etc_comparison, s->experiment_count);
	if (!s->comparisons || !rows)
		return etc_fail(err, E0904, "comparisons");
	for (uint32_t i = 0; i < s->experiment_count; i++) {
		uint32_t base = baseline(s, s->experiments[i].threads, one);

		if (base != i && base != UINT32_MAX && s->experiments[i].latency_count)
			ETC_TRY(compare(s, base, i, err));
	}
	for (uint32_t i = 0; i < s->comparison_count; i++)
		rows[i] = s->comparisons[i].end_to_end;
	ETC_TRY(etc_compare_adjust(rows, s->comparison_count, 0.95, s->arena, err));
	for (uint32_t i = 0; i < s->comparison_count; i++) {
		s->comparisons[i].end_to_end = rows[i];
		s->comparisons[i].verdict = verdict_of(&rows[i]);
	}
	return ETC_OK;
}

enum etc_status etc_summary_finish(struct etc_summary *s, struct etc_error *err)
{
	for (uint32_t i = 0; i < s->experiment_count; i++)
		ETC_TRY(fill_experiment(s, i, err));
	return pair(s, err);
}
