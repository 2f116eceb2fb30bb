/* gap_side.c -- see gap_side.h */
#include "api/gap_side.h"

#include <stdio.h>

/* A key and an occurrence as bytes. */
enum { KEY_BYTES = 12 };

static struct etc_str index_key(uint8_t room[KEY_BYTES], int64_t key, uint32_t occurrence)
{
	memcpy(room, &key, sizeof key);
	memcpy(room + sizeof key, &occurrence, sizeof occurrence);
	return (struct etc_str){ (const char *)room, KEY_BYTES };
}

const struct etc_gap_value *etc_gap_find(const struct etc_gap_run *run, int64_t key,
                                         uint32_t occurrence)
{
	uint8_t room[KEY_BYTES];
	size_t at = etc_map_get(&run->index, index_key(room, key, occurrence));

	return at == ETC_MAP_NONE ? NULL : &run->values[at];
}

static enum etc_status memory(struct etc_error *err)
{
	return etc_fail(err, E0904, "values by debug handle");
}

/* Fills the index of a run whose values are complete. */
static enum etc_status index_run(struct etc_gap_run *run, struct etc_arena *arena,
                                 struct etc_error *err)
{
	etc_map_init(&run->index, arena);
	for (uint32_t i = 0; i < run->count; i++) {
		uint8_t *room = etc_new(arena, uint8_t, KEY_BYTES);

		if (!room ||
		    etc_map_add(&run->index,
		                index_key(room, run->values[i].key, run->values[i].occurrence),
		                i) == ETC_MAP_NONE)
			return memory(err);
	}
	return ETC_OK;
}

/* ---- a dump --------------------------------------------------------------------------- */

struct gatherer {
	const struct etc_record *record;
	bool by_spot;
	const struct etc_gap_translations *translations;
	const struct etc_gap_translation *now; /* of the run's method */
	struct etc_gap_keys *keys;
	struct etc_arena *arena;
	struct etc_gap_side *side;
	struct etc_gap_value *values; /* of the run at hand */
	uint32_t count;
	struct etc_map newest; /* of the run: key -> index of its list's head */
};

static bool same_event(const struct etc_event *a, const struct etc_event *b)
{
	return a->chain == b->chain && a->instruction_id == b->instruction_id &&
	       a->delegate_id == b->delegate_id && a->has_delegate_name == b->has_delegate_name &&
	       etc_str_eq(etc_event_delegate_name(a), etc_event_delegate_name(b));
}

/* "0:5", "0:5:conv": the same text is the same place in the program. */
static bool spot_key(struct gatherer *g, const struct etc_event *e, int64_t *key)
{
	struct etc_gap_keys *k = g->keys;
	struct etc_str text;
	size_t n;

	if (etc_event_is_delegate(e))
		text = e->has_delegate_name
		               ? etc_arena_printf(k->arena, "%llu:%d:=" ETC_STR_FMT,
		                                  (unsigned long long)e->chain,
		                                  (int)e->instruction_id,
		                                  ETC_STR_ARG(etc_event_delegate_name(e)))
		               : etc_arena_printf(k->arena, "%llu:%d:%d",
		                                  (unsigned long long)e->chain,
		                                  (int)e->instruction_id, (int)e->delegate_id);
	else
		text = etc_arena_printf(k->arena, "%llu:%d", (unsigned long long)e->chain,
		                        (int)e->instruction_id);
	n = text.ptr ? etc_map_add(&k->spots, text, k->count) : ETC_MAP_NONE;
	if (n == ETC_MAP_NONE)
		return false;
	k->count += n == k->count;
	*key = -1 - (int64_t)n;
	return true;
}

/* Outputs that the record counts for the instruction of a DELEGATE_CALL. */
static int64_t outputs_of(const struct gatherer *g, const struct etc_logged *l)
{
	const struct etc_method_maps *maps =
		g->record ? etc_record_method(g->record, l->method) : NULL;
	char text[16];
	struct etc_str key = { text, 0 };

	if (l->what != ETC_LOGGED_ARGUMENT)
		return 1;
	if (!maps && g->record && g->record->method_count == 1)
		maps = &g->record->methods[0];
	key.len = (size_t)snprintf(text, sizeof text, "%d", (int)l->of->event->instruction_id);
	for (uint32_t i = 0; maps && i < maps->num_outs_count; i++)
		if (etc_str_eq(maps->num_outs[i].key, key))
			return maps->num_outs[i].outputs;
	return 1;
}

static int64_t translated(const struct gatherer *g, int64_t handle, bool *known)
{
	struct etc_str key = { (const char *)&handle, sizeof handle };
	size_t at;

	*known = g->translations == NULL;
	*known |= g->now && g->now->same;
	if (*known || !g->now)
		return handle;
	at = etc_map_get(&g->now->of, key);
	*known = at != ETC_MAP_NONE;
	return *known ? g->now->to[at] : 0;
}

static void add_value(struct gatherer *g, int64_t key, uint32_t breadth,
                      const struct etc_logged *from, uint32_t count)
{
	g->values[g->count++] = (struct etc_gap_value){
		.key = key,
		.breadth = breadth,
		.source = from->of->index,
		.logged = from,
		.count = count,
		.name = from->of->name,
	};
}

/* The values of one event: its arguments come first, its outputs last. */
static enum etc_status add_event(struct gatherer *g, const struct etc_logged *from, uint32_t count,
                                 struct etc_error *err)
{
	const struct etc_handles *h = from->of->handles;
	int64_t outputs = outputs_of(g, from), key = 0;
	bool known;

	if (g->by_spot) {
		if (!spot_key(g, from->of->event, &key))
			return memory(err);
		add_value(g, key, 1, from, count);
		return ETC_OK;
	}
	if (!h || !h->v || !h->count) {
		g->side->unjoined++;
		return ETC_OK;
	}
	outputs = outputs < 1 ? 1 : outputs > h->count ? h->count : outputs;
	outputs = outputs > count ? count : outputs;
	for (int64_t i = 0; i < outputs; i++) {
		key = translated(g, h->v[h->count - 1 - i], &known);
		if (!known)
			g->side->unjoined++;
		else if (outputs == 1)
			add_value(g, key, h->count, from, count);
		else
			add_value(g, key, h->count, from + count - 1 - i, 1);
	}
	return ETC_OK;
}

/* Of events with one key the one with the fewest handles counts, of those the last;
 * it may come several times. */
static enum etc_status choose(struct gatherer *g, struct etc_error *err)
{
	struct best {
		uint32_t breadth, event, seen;
	} *best = etc_new(g->arena, struct best, g->count);
	struct etc_map keys;
	uint32_t kinds = 0, kept = 0;

	if (!best)
		return memory(err);
	etc_map_init(&keys, g->arena);
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < g->count; i++) {
			struct etc_gap_value *v = &g->values[i];
			struct etc_str key = { (const char *)&v->key, sizeof v->key };
			size_t n = pass ? etc_map_get(&keys, key) : etc_map_add(&keys, key, kinds);
			const struct etc_event *e = v->logged->of->event;

			if (n == ETC_MAP_NONE)
				return memory(err);
			if (pass == 0 && n == kinds) {
				best[kinds++] = (struct best){ v->breadth, i, 0 };
			} else if (pass == 0) {
				if (v->breadth <= best[n].breadth)
					best[n] = (struct best){ v->breadth, i, 0 };
			} else if (same_event(e, g->values[best[n].event].logged->of->event)) {
				v->occurrence = best[n].seen++;
			} else {
				v->count = 0;
			}
		}
	for (uint32_t i = 0; i < g->count; i++)
		if (g->values[i].count)
			g->values[kept++] = g->values[i];
	g->count = kept;
	return ETC_OK;
}

static bool is_intermediate(const struct etc_logged *l)
{
	return l->what == ETC_LOGGED_OPERATOR || l->what == ETC_LOGGED_ARGUMENT ||
	       l->what == ETC_LOGGED_DELEGATE;
}

static enum etc_status add_run(struct gatherer *g, const struct etc_logged *v, size_t count,
                               struct etc_gap_run *out, struct etc_error *err)
{
	size_t most = 0;

	*out = (struct etc_gap_run){ .method = v->method, .run = v->run };
	g->now = NULL;
	for (uint32_t i = 0; g->translations && i < g->translations->count; i++)
		if (etc_str_eq(g->translations->v[i].method, v->method) ||
		    g->translations->count == 1)
			g->now = &g->translations->v[i];
	for (size_t i = 0; i < count; i++)
		most += is_intermediate(&v[i]);
	g->values = etc_new(g->arena, struct etc_gap_value, most);
	g->count = 0;
	if (!g->values)
		return memory(err);
	for (size_t i = 0, n; i < count; i += n) {
		n = 1;
		if (!is_intermediate(&v[i]))
			continue;
		while (i + n < count && is_intermediate(&v[i + n]) &&
		       same_event(v[i].of->event, v[i + n].of->event))
			n++;
		ETC_TRY(add_event(g, &v[i], (uint32_t)n, err));
	}
	ETC_TRY(choose(g, err));
	out->values = g->values;
	out->count = g->count;
	return index_run(out, g->arena, err);
}

enum etc_status etc_gap_of_dump(const struct etc_inputs *in, const struct etc_logged_list *list,
                                bool by_spot, const struct etc_gap_translations *translations,
                                struct etc_gap_keys *keys, struct etc_arena *arena,
                                struct etc_gap_side *out, struct etc_error *err)
{
	struct gatherer g = { .record = in->etrecord.path ? &in->record : NULL,
		              .by_spot = by_spot,
		              .translations = translations,
		              .keys = keys,
		              .arena = arena,
		              .side = out };
	struct etc_gap_run *runs = etc_new(arena, struct etc_gap_run, in->trace.run_count);

	*out = (struct etc_gap_side){ .runs = runs };
	if (!runs)
		return memory(err);
	for (size_t from = 0, to; from < list->count; from = to) {
		for (to = from; to < list->count && list->v[to].run == list->v[from].run;)
			to++;
		ETC_TRY(add_run(&g, &list->v[from], to - from, &runs[out->run_count], err));
		out->run_count += runs[out->run_count].count > 0;
	}
	return ETC_OK;
}

/* ---- references -------------------------------------------------------------------------- */

enum etc_status etc_gap_of_references(const struct etc_references *r, struct etc_arena *arena,
                                      struct etc_gap_side *out, struct etc_error *err)
{
	struct etc_gap_run *runs = etc_new(arena, struct etc_gap_run, r->count);

	*out = (struct etc_gap_side){ .runs = runs, .run_count = r->count };
	if (!runs)
		return memory(err);
	for (uint32_t m = 0; m < r->count; m++) {
		const struct etc_reference_method *from = &r->methods[m];
		struct etc_gap_value *values = etc_new(arena, struct etc_gap_value, from->count);
		uint32_t n = 0;

		if (!values)
			return memory(err);
		for (uint32_t i = 0; i < from->count; i++)
			if (from->values[i].count)
				values[n++] = (struct etc_gap_value){
					.key = from->values[i].handle[0],
					.tensors = from->values[i].items,
					.count = from->values[i].count,
				};
		runs[m] = (struct etc_gap_run){ .method = from->method,
			                        .values = values,
			                        .count = n };
		ETC_TRY(index_run(&runs[m], arena, err));
	}
	return ETC_OK;
}

/* ---- two of them --------------------------------------------------------------------------- */

static enum etc_status operand_of(const struct etc_gap_value *v, uint32_t i,
                                  struct etc_arena *arena, struct etc_operand *out,
                                  struct etc_error *err)
{
	const struct etc_safetensor *t;

	if (v->logged)
		return etc_operand_of_logged(&v->logged[i], arena, out, err);
	t = v->tensors[i];
	*out = (struct etc_operand){ .type = t->type ? t->type->name : "?" };
	if (!t->type || t->rank > ETC_LIMIT_TENSOR_RANK) {
		out->why = "the reference has a type without numbers";
		return ETC_OK;
	}
	out->e = (struct etc_elements){
		.type = t->type->numpy ? t->type->numpy : t->type->name,
		.bytes = t->bytes,
		.sizes = t->sizes,
		.rank = t->rank,
		.count = t->count,
		.kind = t->type->kind,
		.bits = t->type->bits,
		.parts = 1,
		.scalar_type = t->type->code,
		.contiguous = true,
	};
	out->type = out->e.type;
	return ETC_OK;
}

static bool same_shape(const struct etc_operand *a, const struct etc_operand *b)
{
	if (a->why || b->why || a->e.rank != b->e.rank)
		return false;
	for (uint32_t d = 0; d < a->e.rank; d++)
		if (a->e.sizes[d] != b->e.sizes[d])
			return false;
	return true;
}

/* Which of several values has the shape of `one`, and if several have it, its type;
 * else the last. */
static enum etc_status pick(const struct etc_gap_value *of, const struct etc_operand *one,
                            struct etc_arena *arena, struct etc_operand *out, struct etc_error *err)
{
	uint32_t shapes = 0, types = 0;
	struct etc_operand candidate, shape, type;

	for (uint32_t i = 0; i < of->count; i++) {
		ETC_TRY(operand_of(of, i, arena, &candidate, err));
		if (!same_shape(one, &candidate))
			continue;
		shapes++;
		shape = candidate;
		if (one->e.kind == candidate.e.kind && one->e.bits == candidate.e.bits) {
			types++;
			type = candidate;
		}
	}
	if (types == 1 && shapes > 1)
		*out = type;
	else if (shapes == 1)
		*out = shape;
	else
		return operand_of(of, of->count - 1, arena, out, err);
	return ETC_OK;
}

/* A kernel logs its outputs in order; a DELEGATE_CALL what it takes as well. */
static bool is_kernels(const struct etc_gap_value *v)
{
	return !v->logged || v->logged->what == ETC_LOGGED_OPERATOR;
}

uint32_t etc_gap_pairs(const struct etc_gap_value *reference, const struct etc_gap_value *run)
{
	bool both = is_kernels(reference) && is_kernels(run) && reference->count == run->count;

	return both ? run->count : 1;
}

enum etc_status etc_gap_operands(const struct etc_gap_value *reference,
                                 const struct etc_gap_value *run, uint32_t i,
                                 struct etc_arena *arena, struct etc_operand *a,
                                 struct etc_operand *b, struct etc_error *err)
{
	/* Of two lists the last: of what a delegate took and gave it is what it gave. A
	 * list of references has the graph's first output first. */
	uint32_t last = reference->tensors ? 0 : reference->count - 1;

	if (etc_gap_pairs(reference, run) > 1) {
		ETC_TRY(operand_of(reference, i, arena, a, err));
		return operand_of(run, i, arena, b, err);
	}
	if (reference->count == 1 || run->count > 1)
		ETC_TRY(operand_of(reference, last, arena, a, err));
	if (run->count == 1)
		ETC_TRY(operand_of(run, 0, arena, b, err));
	if (reference->count > 1 && run->count == 1)
		return pick(reference, b, arena, a, err);
	if (run->count > 1)
		return pick(run, a, arena, b, err);
	return ETC_OK;
}
