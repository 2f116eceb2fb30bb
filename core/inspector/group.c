/* group.c -- groups runs into blocks: the Inspector's event blocks, which it identifies by a
 * RunSignature.
 *
 * Two runs belong to the same block if their names, their bundled input indices, and their lists of
 * event signatures (after duplicates are removed) are equal. */
#include "inspector/inspector.h"

#include "base/map.h"
#include "inspector/numbering.h"
#include "inspector/signature.h"

#define NONE UINT32_MAX

struct grouping {
	struct etc_inspector *in;
	/* finds, for a variant (struct etc_insp_variant), the first variant with the same number of
	 * events */
	struct etc_numbering counts;
	/* maps a variant to the first variant with equal signatures; contains only variants that
	 * have the same number of events as another variant */
	struct etc_numbering signatures;
	/* each maps the bytes of a key to the index of the variant or block with this key */
	struct etc_map variants, blocks;
	uint32_t variant_room, block_room;
};

static void put_u32(struct etc_text *t, uint32_t v)
{
	etc_text_put(t, (struct etc_str){ (const char *)&v, sizeof v });
}

static bool same_variants(const void *things, uint32_t a, uint32_t b)
{
	const struct etc_insp_variant *variants = things;

	return etc_insp_same_signatures(&variants[a], &variants[b]);
}

static bool same_counts(const void *things, uint32_t a, uint32_t b)
{
	const struct etc_insp_variant *variants = things;

	return variants[a].count == variants[b].count;
}

/* Sets, if this was not done yet, the member `signature` of the variant with index `variant` to the
 * index of the first variant with equal signatures. Returns false if out of memory. */
static bool number_signatures(struct grouping *g, uint32_t variant)
{
	struct etc_insp_variant *v = &g->in->variants[variant];

	if (v->is_numbered)
		return true;
	if (!etc_numbering_grow(&g->signatures, g->in->arena))
		return false;
	v->is_numbered = true;
	v->signature = etc_numbering_add(&g->signatures, etc_insp_hash_signatures(v), variant,
	                                 same_variants, g->in->variants);
	return true;
}

/* Appends a variant; the caller has made room for it. Its signatures are compared only with those
 * of variants with the same number of events. So no names are read if all variants have different
 * numbers of events. */
static enum etc_status make_variant(struct grouping *g, const struct etc_run *run,
                                    struct etc_error *err)
{
	struct etc_inspector *in = g->in;
	uint32_t number = in->variant_count, first;
	struct etc_insp_variant *v = &in->variants[number];

	ETC_TRY(etc_insp_sign(in, run, v, err));
	v->signature = number;
	ETC_NEED(etc_numbering_grow(&g->counts, in->arena), err);
	first = etc_numbering_add(&g->counts, etc_hash_mix(etc_hash(ETC_STR_NONE), v->count),
	                          number, same_counts, in->variants);
	if (first != number && (!number_signatures(g, first) || !number_signatures(g, number)))
		return etc_no_memory(err);
	in->variant_count++;
	return ETC_OK;
}

/* Finds the variant of a run, or makes it if there is none yet. The key of a variant consists of
 * the run's template, and of which debug events of the run are outputs. */
static enum etc_status find_variant(struct grouping *g, const struct etc_run *run, uint32_t *out,
                                    struct etc_error *err)
{
	struct etc_inspector *in = g->in;
	const struct etc_template *template = etc_run_template(in->trace, run);
	struct etc_text key = { 0 };
	enum etc_status st = ETC_OK;
	size_t at;

	put_u32(&key, run->template);
	for (uint32_t i = 0; template->debugs && i < template->count; i++)
		if (template->events[i].kind == ETC_EVENT_DEBUG)
			etc_text_char(&key, (char)etc_insp_is_output(in->trace, run,
			                                             &template->events[i]));
	at = etc_map_get(&g->variants, etc_text_str(&key));
	if (at == ETC_MAP_NONE && !key.failed) {
		struct etc_str kept = etc_arena_str(in->arena, etc_text_str(&key));

		in->variants = etc_arena_grow(in->arena, in->variants, in->variant_count,
		                              &g->variant_room, sizeof *in->variants);
		if (in->variant_count < g->variant_room && kept.ptr) {
			st = make_variant(g, run, err);
			at = st == ETC_OK ? etc_map_add(&g->variants, kept, in->variant_count - 1)
			                  : ETC_MAP_NONE;
		}
	}
	etc_text_release(&key);
	if (st == ETC_OK && at == ETC_MAP_NONE)
		st = etc_no_memory(err);
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

		struct etc_insp_block *new =
			ETC_APPEND(in->arena, in->blocks, in->block_count, g->block_room);
		if (kept.ptr && new) {
			*new = (struct etc_insp_block){
				.name = head->name,
				.bundled_input_index = head->bundled_input_index,
				.event_count = in->variants[variant].count,
			};
			at = etc_map_add(&g->blocks, kept, in->block_count - 1);
		}
	}
	etc_text_release(&key);
	if (at == ETC_MAP_NONE)
		return etc_no_memory(err);
	*out = (uint32_t)at;
	return ETC_OK;
}

/* Lists the runs of each block. The caller has counted them in run_count, so the arrays get the
 * exact size. */
static enum etc_status list_runs(struct etc_inspector *in, const uint32_t *block_of,
                                 const uint32_t *variant_of, struct etc_error *err)
{
	size_t all = in->trace->run_count;
	uint32_t *runs = etc_new(in->arena, uint32_t, all);
	uint32_t *variants = etc_new(in->arena, uint32_t, all), used = 0;

	ETC_NEED(runs && variants, err);
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

/* Allocates the block's events, without their values. Only an event with a debug event gets an
 * `extra`, which points to that debug event. */
static enum etc_status new_events(struct etc_inspector *in, struct etc_insp_block *b,
                                  struct etc_error *err)
{
	const struct etc_insp_variant *v = &in->variants[b->variant[0]];

	b->events = etc_new(in->arena, struct etc_insp_event, b->event_count);
	ETC_NEED(b->events, err);
	for (uint32_t i = 0; v->debug_at && i < b->event_count; i++) {
		if (v->debug_at[i] == NONE)
			continue;
		ETC_NEED(etc_insp_extend(in, &b->events[i]), err);
		b->events[i].extra->debug = &v->template->events[v->debug_at[i]];
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
		const struct etc_template *template = etc_run_template(t, run);

		block_of[r] = NONE;
		if (!etc_run_head(t, run)->has_events)
			continue;
		if (template->empties || template->allocations)
			return etc_fail_at(err, E0801, run->at,
			                   "run %u: Unable to find populated event", (unsigned)r);
		if (before && before->template == run->template && before->head == run->head &&
		    !template->debugs) {
			variant_of[r] = variant_of[before - t->runs];
			block_of[r] = block_of[before - t->runs];
		} else {
			ETC_TRY(find_variant(g, run, &variant_of[r], err));
			ETC_TRY(find_block(g, run, variant_of[r], &block_of[r], err));
		}
		before = run;
		g->in->blocks[block_of[r]].run_count++;
		/* A run without outputs is checked, too, because the Inspector's _gen_from_etdump()
		 * compares every run of a block that has outputs. */
		if (template->debugs || g->in->blocks[block_of[r]].output_count > 0)
			ETC_TRY(etc_insp_outputs(g->in, &g->in->blocks[block_of[r]], run, err));
	}
	return ETC_OK;
}

enum etc_status etc_insp_group(struct etc_inspector *in, struct etc_error *err)
{
	struct grouping g = { .in = in };
	uint32_t *block_of = etc_new(in->arena, uint32_t, in->trace->run_count);
	uint32_t *variant_of = etc_new(in->arena, uint32_t, in->trace->run_count);

	ETC_NEED(block_of && variant_of, err);
	etc_map_init(&g.variants, in->arena);
	etc_map_init(&g.blocks, in->arena);
	ETC_TRY(group_runs(&g, block_of, variant_of, err));
	ETC_TRY(list_runs(in, block_of, variant_of, err));
	for (uint32_t b = 0; b < in->block_count; b++)
		ETC_TRY(new_events(in, &in->blocks[b], err));
	return ETC_OK;
}
