/* build.c -- see inspector.h: performs the steps in the order of the Inspector's constructor. So,
 * if there are several errors, the same error is reported that the Inspector raises. */
#include "inspector/inspector.h"

#include <stdlib.h>

#include "base/digits.h"
#include "base/memory.h"

enum etc_status etc_insp_check_trace(const struct etc_trace *t, struct etc_error *err)
{
	if (!t->size_prefixed)
		return etc_fail_at(err, E0803, 4, "no size prefix: flatc looks for ED00 at byte 8");
	if (t->bad_utf8.found)
		return etc_fail_at(err, E0803, t->bad_utf8.at, "string contains non-utf8 bytes");
	if (t->not_finite.found)
		return etc_fail_at(err, E0804, t->not_finite.at, "%s", t->not_finite.what);
	if (t->not_decodable.found)
		return etc_fail_at(err, E0802, t->not_decodable.at,
		                   "Received no value for field: %s", t->not_decodable.what);
	return ETC_OK;
}

struct etc_insp_extra *etc_insp_extend(struct etc_inspector *in, struct etc_insp_event *e)
{
	if (!e->extra)
		e->extra = etc_new(in->arena, struct etc_insp_extra, 1);
	return e->extra;
}

/* Returns the number, a delegate_debug_id_int, as text. {NULL, 0}: out of memory. */
static struct etc_str number_text(int32_t number, struct etc_arena *arena)
{
	char text[16];
	const size_t length = etc_digits_i32(text, number);

	return etc_arena_str(arena, (struct etc_str){ text, length });
}

/* Sets name and ids of an event from one of its two signatures, as the Inspector's
 * _populate_event_signature_fields() does. Called for the profile signature, and then for the debug
 * signature, whose values replace those of the profile signature. The name of a delegate's event is
 * its identifier, which is never empty. Returns false if out of memory. */
static bool name_from(struct etc_insp_event *e, const struct etc_event *s, struct etc_arena *arena)
{
	struct etc_str name = s->has_name ? etc_event_name(s) : ETC_STR_NONE;

	e->instruction_id = s->instruction_id;
	e->id_is_int = s->delegate_id != -1;
	e->is_delegated = e->id_is_int || (s->has_delegate_name && etc_event_delegate_name(s).len);
	if (e->is_delegated)
		name = e->id_is_int ? number_text(s->delegate_id, arena)
		                    : etc_event_delegate_name(s);
	if (name.len)
		e->name = name;
	return name.ptr || !e->is_delegated;
}

/* Is the name printable ASCII without a blank at its start or end? The result is stored, so that
 * writers of tables need not read the name again. */
static bool is_plain(struct etc_str name)
{
	return etc_text_is_plain(name) &&
	       (!name.len || (name.ptr[0] != ' ' && name.ptr[name.len - 1] != ' '));
}

static bool is_call(struct etc_str name)
{
	struct etc_str call = ETC_STR("OPERATOR_CALL");

	return etc_str_eq(name, call) || etc_str_find(name, call, 0) != SIZE_MAX;
}

static bool name_event(const struct etc_inspector *in, const struct etc_insp_block *b, uint32_t k)
{
	struct etc_insp_event *e = &b->events[k];
	const struct etc_event *profile = etc_insp_profile(in, b, k), *debug;
	bool any_debug = in->variants[b->variant[0]].debug_at != NULL;

	/* Write the whole struct before reading from it: a new page that is first read and then
	 * written causes two page faults instead of one. */
	*e = (struct etc_insp_event){ .extra = any_debug ? e->extra : NULL,
		                      .name = { "", 0 },
		                      .has_profile = profile != NULL };
	debug = etc_insp_extra(e)->debug;
	if ((profile && !name_from(e, profile, in->arena)) ||
	    (debug && !name_from(e, debug, in->arena)))
		return false;
	e->is_plain = is_plain(e->name);
	e->is_call = is_call(e->name);
	return true;
}

static enum etc_status name_events(const struct etc_inspector *in, struct etc_insp_block *b,
                                   struct etc_error *err)
{
	b->is_plain = is_plain(b->name);
	for (uint32_t k = 0; k < b->event_count; k++)
		ETC_NEED(name_event(in, b, k), err);
	return ETC_OK;
}

/* Sets a bit in `has` for each of the `count` samples from `first` on that has metadata. */
static void add_bits(const struct etc_metadata *m, size_t first, uint32_t count, uint64_t *has)
{
	size_t at = first / 64, shift = first % 64, end = (first + count + 63) / 64;

	for (size_t w = 0; w * 64 < count; w++, at++) {
		uint64_t above = shift && at + 1 < end ? m->has[at + 1] << (64 - shift) : 0;

		has[w] |= m->has[at] >> shift | above;
	}
}

static void mark_events(const struct etc_insp_block *b, const struct etc_insp_variant *v,
                        const uint64_t *has)
{
	for (uint32_t k = 0; k < b->event_count; k++) {
		uint32_t at = etc_insp_column(v, k);

		if (at != UINT32_MAX && has[at / 64] >> at % 64 & 1)
			b->events[k].has_metadata = true;
	}
}

/* Marks those events of a block that have metadata in some run. Consecutive runs of one variant
 * (struct etc_insp_variant) have the same columns. So the bits of these runs are combined first,
 * and then the events are marked once. */
static void find_metadata_of(const struct etc_inspector *in, struct etc_insp_block *b,
                             uint64_t *has, size_t words)
{
	const struct etc_trace *t = in->trace;

	for (uint32_t i = 0; i < b->run_count; i++) {
		const struct etc_insp_variant *v = &in->variants[b->variant[i]];

		if (i == 0 || b->variant[i] != b->variant[i - 1])
			memset(has, 0, words * sizeof *has);
		add_bits(&t->metadata, t->runs[b->runs[i]].first_sample, v->template->profiles,
		         has);
		if (i + 1 == b->run_count || b->variant[i] != b->variant[i + 1])
			mark_events(b, v, has);
	}
}

static enum etc_status find_metadata(const struct etc_inspector *in, struct etc_error *err)
{
	uint32_t most = 0;
	size_t words;
	uint64_t *has;

	if (!in->trace->metadata.has)
		return ETC_OK;
	for (uint32_t v = 0; v < in->variant_count; v++)
		if (in->variants[v].template->profiles > most)
			most = in->variants[v].template->profiles;
	words = ((size_t)most + 63) / 64;
	has = etc_malloc(words * sizeof *has);
	ETC_NEED(has, err);
	for (uint32_t n = 0; n < in->block_count; n++)
		find_metadata_of(in, &in->blocks[n], has, words);
	free(has);
	return ETC_OK;
}

enum etc_status etc_inspector_build(struct etc_inspector *in, struct etc_error *err)
{
	struct etc_error later = { 0 };
	enum etc_status joined;

	ETC_TRY(etc_inspector_scales(in->source, in->target, &in->factor, err));
	if (in->record && in->record->inspector_refuses)
		return etc_fail(err, (enum etc_code)in->record->inspector_refuses, ETC_STR_FMT,
		                ETC_STR_ARG(in->record->inspector_reason));
	ETC_TRY(etc_insp_check_trace(in->trace, err));
	ETC_TRY(etc_insp_group(in, err));
	for (uint32_t b = 0; b < in->block_count; b++)
		ETC_TRY(name_events(in, &in->blocks[b], err));
	ETC_TRY(find_metadata(in, err));
	/* The record is joined before times are computed, because the backend that the record names
	 * decides which plugin converts times. The Inspector, however, computes times before it
	 * joins the record; so errors of the times are reported first. */
	joined = etc_insp_join(in, &later);
	for (uint32_t b = 0; b < in->block_count; b++) {
		ETC_TRY(etc_insp_times(in, &in->blocks[b], err));
		ETC_TRY(etc_insp_debug(in, &in->blocks[b], err));
	}
	if (joined != ETC_OK) {
		if (err)
			*err = later;
		return joined;
	}
	return etc_insp_parse_metadata(in, err);
}

double etc_insp_module_total(const struct etc_inspector *in, struct etc_str name)
{
	double total = 0;

	for (uint32_t b = 0; b < in->block_count; b++)
		for (uint32_t k = 0; k < in->blocks[b].event_count; k++) {
			const struct etc_insp_event *e = &in->blocks[b].events[k];
			const struct etc_insp_extra *x = etc_insp_extra(e);
			bool found = false;

			if (etc_str_eq(e->name, ETC_STR("OPERATOR_CALL")))
				continue;
			for (uint32_t n = 0; n < x->node_count && !found; n++)
				for (uint32_t m = 0; m < x->nodes[n]->module_count && !found; m++)
					found = etc_str_find(x->nodes[n]->modules[m].key, name,
					                     0) != SIZE_MAX;
			if (found && e->has_profile)
				total += etc_insp_stat(&in->blocks[b], k, ETC_INSP_AVG);
		}
	return total;
}
