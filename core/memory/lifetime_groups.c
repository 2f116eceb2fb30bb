/* lifetime_groups.c -- applies the rules R4, R7 and R8 of lifetimes.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "memory/lifetime_finder.h"

/* Limit for the number of backward jumps times the number of groups. Real programs stay far below
 * it. */
enum { JUMP_WORK = 1 << 26 };

/* ---- groups (rules R4 and R7) ------------------------------------------------------ */

static int by_step(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

static enum etc_status merge_mentions(struct etc_lifetime_finder *f, struct etc_lifetime *g,
                                      struct etc_error *err)
{
	size_t total = 0;
	uint32_t kept = 0;
	int32_t *steps;

	for (uint32_t i = 0; i < g->value_count; i++)
		total += f->v[g->values[i]].mention_count;
	steps = etc_new(f->arena, int32_t, total);
	ETC_NEED(steps, err);
	total = 0;
	for (uint32_t i = 0; i < g->value_count; i++) {
		const struct etc_followed *v = &f->v[g->values[i]];

		memcpy(steps + total, f->mentions + v->mention_at,
		       v->mention_count * sizeof *steps);
		total += v->mention_count;
	}
	if (g->value_count > 1) /* the steps of a single value are in order already */
		qsort(steps, total, sizeof *steps, by_step);
	for (size_t i = 0; i < total; i++)
		if (kept == 0 || steps[kept - 1] != steps[i])
			steps[kept++] = steps[i];
	g->mentions = steps;
	g->mention_count = kept;
	return ETC_OK;
}

/* Sets input, kind, first and last step of a group. False: the group is never alive, because no
 * instruction mentions it, and it is not an input, an output or a state. */
static bool live(const struct etc_lifetime_finder *f, struct etc_lifetime *g)
{
	bool output = false, state = false, input;
	int32_t end = f->out->steps - 1;

	g->input = -1;
	for (uint32_t i = 0; i < g->value_count; i++) {
		const struct etc_followed *v = &f->v[g->values[i]];

		if (v->input >= 0 && (g->input < 0 || v->input < g->input))
			g->input = v->input;
		output |= v->output;
		state |= v->state;
	}
	input = g->input >= 0;
	g->first = input || !g->mention_count ? ETC_LIFETIME_BEFORE : g->mentions[0];
	g->last = output             ? end
	          : g->mention_count ? g->mentions[g->mention_count - 1]
	                             : ETC_LIFETIME_BEFORE;
	g->kind = input && output ? ETC_LIFETIME_INPUT_OUTPUT
	          : input         ? ETC_LIFETIME_INPUT
	          : output        ? ETC_LIFETIME_OUTPUT
	                          : ETC_LIFETIME_INTERMEDIATE;
	if (state) {
		g->kind = ETC_LIFETIME_STATE;
		g->first = ETC_LIFETIME_BEFORE;
		g->last = end;
	}
	return state || g->mention_count || input || output;
}

/* Collects the members of all groups in the array `*members`: those of the group with root r have
 * the indices from (*at)[r] to (*at)[r + 1] - 1. */
static enum etc_status gather(struct etc_lifetime_finder *f, uint32_t **at, uint32_t **members,
                              struct etc_error *err)
{
	uint32_t n = f->m->value_count, total = 0;
	uint32_t *count_of = etc_new(f->arena, uint32_t, (size_t)n + 1);

	*members = etc_new(f->arena, uint32_t, n);
	*at = count_of;
	ETC_NEED(count_of && *members, err);
	for (uint32_t i = 0; i < n; i++)
		if (f->v[i].planned)
			count_of[etc_lifetime_root(f, i)]++;
	for (uint32_t i = 0; i <= n; i++) {
		uint32_t here = count_of[i];

		count_of[i] = total;
		total += here;
	}
	for (uint32_t i = 0; i < n; i++)
		f->v[i].seen = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t root;

		if (!f->v[i].planned)
			continue;
		root = etc_lifetime_root(f, i);
		(*members)[count_of[root] + (uint32_t)f->v[root].seen++] = i;
	}
	return ETC_OK;
}

static int by_begin(const void *a, const void *b)
{
	const struct etc_lifetime *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->memory_id != y->memory_id)
		return x->memory_id < y->memory_id ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->values[0] < y->values[0] ? -1 : 1;
}

static enum etc_status make_groups(struct etc_lifetime_finder *f, struct etc_lifetime **groups,
                                   struct etc_error *err)
{
	uint32_t n = f->m->value_count, *at, *members, *silent;
	struct etc_lifetime *g;

	ETC_TRY(gather(f, &at, &members, err));
	*groups = g = etc_new(f->arena, struct etc_lifetime, n);
	silent = etc_new(f->arena, uint32_t, n);
	ETC_NEED(g && silent, err);
	for (uint32_t i = 0; i < n; i++) {
		const struct etc_evalue_tensor *t;
		struct etc_lifetime *next = &g[f->out->group_count];

		if (at[i] == at[i + 1])
			continue;
		next->values = members + at[i];
		next->value_count = at[i + 1] - at[i];
		t = f->m->values[next->values[0]].tensor;
		next->memory_id = t->memory_id;
		next->offset = t->memory_offset;
		next->bytes = f->v[next->values[0]].bytes;
		ETC_TRY(merge_mentions(f, next, err));
		if (live(f, next)) {
			f->out->group_count++;
			continue;
		}
		for (uint32_t k = 0; k < next->value_count; k++)
			silent[f->out->unmentioned_count++] = next->values[k];
	}
	f->out->unmentioned = silent;
	return ETC_OK;
}

/* ---- loops (rule R8) ----------------------------------------------------------------- */

static bool mentioned_within(const struct etc_lifetime *g, int32_t from, int32_t to)
{
	size_t at;

	ETC_BISECT(at, g->mention_count, g->mentions[at] >= from);
	return at < g->mention_count && g->mentions[at] <= to;
}

static enum etc_status stretch_over_loops(struct etc_lifetime_finder *f,
                                          struct etc_lifetime *groups, struct etc_error *err)
{
	uint64_t work = 0;

	for (int32_t i = 0; i < f->out->steps; i++) {
		const struct etc_instruction *n = &f->chain->instructions[i];

		if (n->kind != ETC_INSTRUCTION_JUMP_FALSE || n->index > i)
			continue;
		work += f->out->group_count;
		if (work > JUMP_WORK)
			return etc_fail(err, E0434, "%lu groups of tensors in too many loops",
			                (unsigned long)f->out->group_count);
		for (uint32_t k = 0; k < f->out->group_count; k++) {
			struct etc_lifetime *g = &groups[k];

			if (!mentioned_within(g, n->index, i))
				continue;
			if (g->first < n->index)
				g->last = g->last > i ? g->last : i;
			else if (g->last > i)
				g->first = g->first < n->index ? g->first : n->index;
		}
	}
	return ETC_OK;
}

enum etc_status etc_lifetime_groups(struct etc_lifetime_finder *f, struct etc_error *err)
{
	struct etc_lifetime *groups;

	ETC_TRY(make_groups(f, &groups, err));
	ETC_TRY(stretch_over_loops(f, groups, err));
	for (uint32_t i = 1; i < f->out->group_count; i++)
		if (by_begin(&groups[i - 1], &groups[i]) > 0) {
			qsort(groups, f->out->group_count, sizeof *groups, by_begin);
			break;
		}
	f->out->groups = groups;
	return ETC_OK;
}
