/* group.c -- runs into blocks: InstructionEvent, EventSignature, RunSignature.
 *
 * All of it depends on names and ids only, so it is done once per shape (and
 * pattern of output flags: a debug event that is a program output takes no part).
 * Two shapes whose de-duplicated signatures are equal belong to one block; so a
 * signature is written as bytes, and equal bytes get equal numbers. */
#include "inspector/inspector.h"

#include "base/map.h"

/* One InstructionEvent under construction. */
struct site {
	const struct etc_event *key;
	uint32_t first_profile, last_profile; /* chain through `next` */
	uint32_t first_debug, last_debug;
	bool any;
};

#define NONE UINT32_MAX

struct grouping {
	struct etc_inspector *in;
	struct etc_map variants, signatures, blocks; /* bytes -> number */
	uint32_t variant_room, block_room;
};

static void put_u32(struct etc_text *t, uint32_t v)
{
	etc_text_put(t, (struct etc_str){ (const char *)&v, sizeof v });
}

static void put_str(struct etc_text *t, bool there, struct etc_str s)
{
	put_u32(t, there ? (uint32_t)s.len : NONE);
	if (there)
		etc_text_put(t, s);
}

/* ProfileEventSignature, DebugEventSignature: name or "", id or None, text or
 * None when empty. */
static void put_signature(struct etc_text *t, const struct etc_event *e)
{
	put_u32(t, e != NULL);
	if (!e)
		return;
	put_str(t, true, e->has_name ? e->name : ETC_STR_NONE);
	put_u32(t, (uint32_t)e->instruction_id);
	put_u32(t, (uint32_t)e->delegate_id);
	put_str(t, e->has_delegate_name && e->delegate_name.len, e->delegate_name);
}

/* InstructionEventSignature: the raw ids; an empty text is not an absent one.
 * A chain of -1 and one of 2^64-1 are different numbers. */
static void put_site(struct etc_text *t, const struct etc_event *e)
{
	bool negative = e->kind == ETC_EVENT_PROFILE && e->chain >> 63;

	put_u32(t, (uint32_t)e->instruction_id);
	etc_text_put(t, (struct etc_str){ (const char *)&e->chain, sizeof e->chain });
	put_u32(t, negative);
	put_u32(t, (uint32_t)e->delegate_id);
	put_str(t, e->has_delegate_name, e->delegate_name);
}

static bool is_output(const struct etc_trace *t, const struct etc_run *run,
                      const struct etc_event *e)
{
	const struct etc_value *v = &t->values[run->first_value + e->column];

	return v->has_output && v->output;
}

/* gen_from_events: events of equal ids are collected, in order of appearance. */
static enum etc_status collate(struct grouping *g, const struct etc_run *run,
                               struct etc_arena *scratch, const struct etc_shape *shape,
                               struct site *sites, uint32_t *site_count, uint32_t *next,
                               struct etc_error *err)
{
	struct etc_text key = { 0 };
	struct etc_map known;
	uint32_t count = 0;

	etc_map_init(&known, scratch);
	if (!etc_map_reserve(&known, shape->count))
		return etc_fail(err, E0904, "%u events", (unsigned)shape->count);
	for (uint32_t i = 0; i < shape->count; i++) {
		const struct etc_event *e = &shape->events[i];
		uint32_t *first, *last;
		struct site *s;
		size_t at;

		key.len = 0;
		put_site(&key, e);
		at = key.failed ? ETC_MAP_NONE : etc_map_intern(&known, etc_text_str(&key), count);
		if (at == ETC_MAP_NONE) {
			etc_text_release(&key);
			return etc_fail(err, E0904, "%u events", (unsigned)shape->count);
		}
		if (at == count)
			sites[count++] = (struct site){ e, NONE, NONE, NONE, NONE, false };
		s = &sites[at];
		next[i] = NONE;
		if (e->kind == ETC_EVENT_DEBUG && is_output(g->in->trace, run, e))
			continue;
		s->any = true;
		first = e->kind == ETC_EVENT_DEBUG ? &s->first_debug : &s->first_profile;
		last = e->kind == ETC_EVENT_DEBUG ? &s->last_debug : &s->last_profile;
		if (*first == NONE)
			*first = i;
		else
			next[*last] = i;
		*last = i;
	}
	etc_text_release(&key);
	*site_count = count;
	return ETC_OK;
}

/* Arrays of a variant under construction. */
struct columns {
	uint32_t *profile, *debug_first, *debug_count, *debug_list, debug_used;
	const struct etc_event **profile_event, **debug_event;
	uint32_t count;
};

/* One EventSignature: later equal ones overwrite the value, not the place. */
static bool add_signature(struct etc_map *known, struct columns *c, const struct etc_shape *shape,
                          const struct site *s, uint32_t profile, const uint32_t *next,
                          struct etc_text *all)
{
	const struct etc_event *p = profile == NONE ? NULL : &shape->events[profile];
	const struct etc_event *d = s->first_debug == NONE ? NULL : &shape->events[s->first_debug];
	size_t from = all->len, at;
	struct etc_str key;

	put_u32(all, (uint32_t)s->key->instruction_id);
	put_signature(all, p);
	put_signature(all, d);
	if (all->failed)
		return false;
	key = (struct etc_str){ all->ptr + from, all->len - from };
	at = etc_map_intern(known, key, c->count);
	if (at == ETC_MAP_NONE)
		return false;
	if (at == c->count)
		c->count++;
	else
		all->len = from;
	c->profile[at] = p ? p->column : NONE;
	c->profile_event[at] = p;
	c->debug_event[at] = d;
	c->debug_first[at] = c->debug_used;
	c->debug_count[at] = 0;
	for (uint32_t i = s->first_debug; i != NONE; i = next[i]) {
		c->debug_list[c->debug_used++] = shape->events[i].column;
		c->debug_count[at]++;
	}
	return true;
}

/* Debug events are listed once per profile event of their site. */
static size_t debug_room(const struct site *sites, uint32_t count, const uint32_t *next)
{
	size_t room = 0;

	for (uint32_t k = 0; k < count; k++) {
		size_t profiles = 0, debugs = 0;

		for (uint32_t i = sites[k].first_profile; i != NONE; i = next[i])
			profiles++;
		for (uint32_t i = sites[k].first_debug; i != NONE; i = next[i])
			debugs++;
		room += debugs * (profiles ? profiles : 1);
	}
	return room;
}

/* The tuple of EventSignatures of a shape: columns into the arena, the maps that
 * find equal ones into `scratch`. */
static enum etc_status sign(struct grouping *g, const struct etc_run *run,
                            struct etc_arena *scratch, struct columns *c, struct etc_text *all,
                            struct etc_error *err)
{
	const struct etc_shape *shape = etc_run_shape(g->in->trace, run);
	struct etc_arena *arena = g->in->arena;
	struct site *sites = etc_new(scratch, struct site, shape->count);
	uint32_t *next = etc_new(scratch, uint32_t, shape->count), count = 0;
	struct etc_map known;
	bool ok;

	if (!sites || !next)
		return etc_fail(err, E0904, "%u events", (unsigned)shape->count);
	ETC_TRY(collate(g, run, scratch, shape, sites, &count, next, err));
	c->profile = etc_new(arena, uint32_t, shape->count);
	c->debug_first = etc_new(arena, uint32_t, shape->count);
	c->debug_count = etc_new(arena, uint32_t, shape->count);
	c->profile_event = etc_new(arena, const struct etc_event *, shape->count);
	c->debug_event = etc_new(arena, const struct etc_event *, shape->count);
	c->debug_list = etc_new(arena, uint32_t, debug_room(sites, count, next));
	ok = c->profile && c->debug_first && c->debug_count && c->debug_list && c->profile_event &&
	     c->debug_event;
	etc_map_init(&known, scratch);
	ok = ok && etc_map_reserve(&known, count);
	for (uint32_t k = 0; k < count && ok; k++) {
		if (!sites[k].any)
			continue;
		if (sites[k].first_profile == NONE)
			ok = add_signature(&known, c, shape, &sites[k], NONE, next, all);
		for (uint32_t i = sites[k].first_profile; i != NONE && ok; i = next[i])
			ok = add_signature(&known, c, shape, &sites[k], i, next, all);
	}
	return ok ? ETC_OK : etc_fail(err, E0904, "%u events", (unsigned)shape->count);
}

static enum etc_status make_variant(struct grouping *g, const struct etc_run *run,
                                    struct etc_insp_variant *v, struct etc_error *err)
{
	struct etc_arena scratch;
	struct etc_text all = { 0 };
	struct columns c = { 0 };
	enum etc_status st;
	struct etc_str key;

	etc_arena_init(&scratch, g->in->arena->budget);
	st = sign(g, run, &scratch, &c, &all, err);
	etc_arena_release(&scratch);
	key = st == ETC_OK ? etc_arena_str(g->in->arena, etc_text_str(&all)) : ETC_STR_NONE;
	if (st == ETC_OK && !key.ptr && all.len)
		st = etc_fail(err, E0904, "signatures");
	etc_text_release(&all);
	ETC_TRY(st);
	*v = (struct etc_insp_variant){
		.signature = (uint32_t)etc_map_add(&g->signatures, key, g->signatures.count),
		.count = c.count,
		.profile = c.profile,
		.debug_first = c.debug_first,
		.debug_count = c.debug_count,
		.debug_list = c.debug_list,
		.profile_event = c.profile_event,
		.debug_event = c.debug_event,
	};
	return ETC_OK;
}

static void *grown(struct etc_arena *arena, void *old, size_t size, uint32_t count, uint32_t *room)
{
	uint32_t more = *room ? *room * 2 : 16;
	void *p;

	if (count < *room)
		return old;
	p = etc_arena_alloc(arena, size, alignof(max_align_t), more);
	if (p && count)
		memcpy(p, old, size * count);
	if (p)
		*room = more;
	return p;
}

/* The variant of a run: of its shape, and of which debug events are outputs. */
static enum etc_status find_variant(struct grouping *g, const struct etc_run *run, uint32_t *out,
                                    struct etc_error *err)
{
	struct etc_inspector *in = g->in;
	const struct etc_shape *shape = etc_run_shape(in->trace, run);
	struct etc_text key = { 0 };
	enum etc_status st = ETC_OK;
	size_t at;

	put_u32(&key, run->shape);
	for (uint32_t i = 0; shape->debugs && i < shape->count; i++)
		if (shape->events[i].kind == ETC_EVENT_DEBUG)
			etc_text_char(&key, (char)is_output(in->trace, run, &shape->events[i]));
	at = etc_map_get(&g->variants, etc_text_str(&key));
	if (at == ETC_MAP_NONE && !key.failed) {
		struct etc_str kept = etc_arena_str(in->arena, etc_text_str(&key));

		in->variants = grown(in->arena, in->variants, sizeof *in->variants,
		                     in->variant_count, &g->variant_room);
		if (in->variants && kept.ptr) {
			st = make_variant(g, run, &in->variants[in->variant_count], err);
			at = etc_map_add(&g->variants, kept, in->variant_count++);
		}
	}
	etc_text_release(&key);
	if (st == ETC_OK && at == ETC_MAP_NONE)
		st = etc_fail(err, E0904, "signatures");
	*out = (uint32_t)at;
	return st;
}

static enum etc_status find_block(struct grouping *g, const struct etc_run *run, uint32_t variant,
                                  uint32_t *out, struct etc_error *err)
{
	struct etc_inspector *in = g->in;
	const struct etc_run_head *head = etc_run_head(in->trace, run);
	struct etc_text key = { 0 };
	size_t at;

	put_u32(&key, in->variants[variant].signature);
	put_u32(&key, (uint32_t)head->bundled_input_index);
	etc_text_put(&key, head->name);
	at = etc_map_get(&g->blocks, etc_text_str(&key));
	if (at == ETC_MAP_NONE && !key.failed) {
		struct etc_str kept = etc_arena_str(in->arena, etc_text_str(&key));

		in->blocks = grown(in->arena, in->blocks, sizeof *in->blocks, in->block_count,
		                   &g->block_room);
		if (in->blocks && kept.ptr) {
			in->blocks[in->block_count] = (struct etc_insp_block){
				.name = head->name,
				.bundled_input_index = head->bundled_input_index,
				.event_count = in->variants[variant].count,
			};
			at = etc_map_add(&g->blocks, kept, in->block_count++);
		}
	}
	etc_text_release(&key);
	if (at == ETC_MAP_NONE)
		return etc_fail(err, E0904, "blocks");
	*out = (uint32_t)at;
	return ETC_OK;
}

/* Lists each block's runs: counted before, so the arrays are exact. */
static enum etc_status list_runs(struct etc_inspector *in, const uint32_t *block_of,
                                 const uint32_t *variant_of, struct etc_error *err)
{
	size_t all = in->trace->run_count;
	uint32_t *runs = etc_new(in->arena, uint32_t, all);
	uint32_t *variants = etc_new(in->arena, uint32_t, all), used = 0;

	if (!runs || !variants)
		return etc_fail(err, E0904, "%zu runs", all);
	for (uint32_t b = 0; b < in->block_count; b++) {
		in->blocks[b].runs = runs + used;
		in->blocks[b].variant = variants + used;
		used += in->blocks[b].run_count;
		in->blocks[b].run_count = 0;
	}
	for (uint32_t r = 0; r < all; r++) {
		struct etc_insp_block *b;
		size_t at;

		if (block_of[r] == NONE)
			continue;
		b = &in->blocks[block_of[r]];
		at = (size_t)(b->runs - runs) + b->run_count++;
		runs[at] = r;
		variants[at] = variant_of[r];
	}
	return ETC_OK;
}

static enum etc_status new_events(struct etc_inspector *in, struct etc_insp_block *b,
                                  struct etc_error *err)
{
	const struct etc_insp_variant *v = &in->variants[b->variant[0]];

	b->events = etc_new(in->arena, struct etc_insp_event, b->event_count);
	if (!b->events)
		return etc_fail(err, E0904, "%u events", (unsigned)b->event_count);
	for (uint32_t i = 0; i < b->event_count; i++) {
		b->events[i].profile = v->profile_event[i];
		b->events[i].debug = v->debug_event[i];
		b->events[i].instruction_id =
			(v->profile_event[i] ? v->profile_event[i] : v->debug_event[i])
				->instruction_id;
	}
	return ETC_OK;
}

static enum etc_status group_runs(struct grouping *g, uint32_t *block_of, uint32_t *variant_of,
                                  struct etc_error *err)
{
	const struct etc_trace *t = g->in->trace;
	const struct etc_run *before = NULL;

	for (uint32_t r = 0; r < t->run_count; r++) {
		const struct etc_run *run = &t->runs[r];
		const struct etc_shape *shape = etc_run_shape(t, run);

		block_of[r] = NONE;
		if (!etc_run_head(t, run)->has_events)
			continue;
		if (shape->empties || shape->allocations)
			return etc_fail_at(err, E0801, run->at,
			                   "run %u: Unable to find populated event", (unsigned)r);
		if (before && before->shape == run->shape && before->head == run->head &&
		    !shape->debugs) {
			variant_of[r] = variant_of[before - t->runs];
			block_of[r] = block_of[before - t->runs];
		} else {
			ETC_TRY(find_variant(g, run, &variant_of[r], err));
			ETC_TRY(find_block(g, run, variant_of[r], &block_of[r], err));
		}
		before = run;
		g->in->blocks[block_of[r]].run_count++;
		if (shape->debugs)
			ETC_TRY(etc_insp_outputs(g->in, &g->in->blocks[block_of[r]], run, err));
	}
	return ETC_OK;
}

enum etc_status etc_insp_group(struct etc_inspector *in, struct etc_error *err)
{
	struct grouping g = { .in = in };
	uint32_t *block_of = etc_new(in->arena, uint32_t, in->trace->run_count);
	uint32_t *variant_of = etc_new(in->arena, uint32_t, in->trace->run_count);

	if (!block_of || !variant_of)
		return etc_fail(err, E0904, "%zu runs", in->trace->run_count);
	etc_map_init(&g.variants, in->arena);
	etc_map_init(&g.signatures, in->arena);
	etc_map_init(&g.blocks, in->arena);
	ETC_TRY(group_runs(&g, block_of, variant_of, err));
	ETC_TRY(list_runs(in, block_of, variant_of, err));
	for (uint32_t b = 0; b < in->block_count; b++)
		ETC_TRY(new_events(in, &in->blocks[b], err));
	return ETC_OK;
}
