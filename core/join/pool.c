/* pool.c -- see pool.h */
#include "join/pool.h"

#include "base/map.h"
#include "base/text.h"

/* ---- agreement ------------------------------------------------------------------------ */

/* Adds the distinct profile events of a trace to `map`. False: out of memory. */
static bool add_signatures(const struct etc_trace *t, struct etc_map *map, struct etc_arena *arena)
{
	struct etc_text key = { 0 };
	bool ok = true;

	for (size_t s = 0; s < t->template_count && ok; s++)
		for (uint32_t i = 0; i < t->templates[s].count && ok; i++) {
			const struct etc_event *e = &t->templates[s].events[i];
			struct etc_str copy;

			if (e->kind != ETC_EVENT_PROFILE)
				continue;
			key.len = 0;
			etc_text_printf(&key, "%llu %d %d %d ", (unsigned long long)e->chain,
			                (int)e->instruction_id, (int)e->delegate_id,
			                e->has_delegate_name);
			etc_text_put(&key, etc_event_name(e));
			etc_text_char(&key, '\0');
			etc_text_put(&key, etc_event_delegate_name(e));
			ok = !key.failed;
			if (!ok || etc_map_get(map, etc_text_str(&key)) != ETC_MAP_NONE)
				continue;
			copy = etc_arena_str(arena, etc_text_str(&key));
			ok = copy.ptr && etc_map_add(map, copy, map->count) != ETC_MAP_NONE;
		}
	etc_text_release(&key);
	return ok;
}

bool etc_pool_agrees(const struct etc_trace *a, const struct etc_trace *b)
{
	struct etc_arena arena;
	struct etc_map of_a, of_b;
	bool same;

	etc_arena_init(&arena, SIZE_MAX / 2);
	etc_map_init(&of_a, &arena);
	etc_map_init(&of_b, &arena);
	same = add_signatures(a, &of_a, &arena) && add_signatures(b, &of_b, &arena) &&
	       of_a.count == of_b.count && add_signatures(b, &of_a, &arena) &&
	       of_a.count == of_b.count;
	etc_arena_release(&arena);
	return same;
}

/* ---- makes one trace from several ------------------------------------------ */

struct pool {
	struct etc_arena *arena;
	struct etc_trace *out;
	struct etc_run *runs;
	struct etc_run_head *heads;
	struct etc_template *templates;
	uint64_t *start, *end, *sizes;
	struct etc_value *values;
	struct etc_arena scratch;
	/* for each sample, the offset of its metadata in `bytes`; in `scratch` */
	uint32_t *metadata_at;
	uint8_t *bytes;
	size_t byte_count;
	uint32_t *file;
};

static bool same_event(const struct etc_event *a, const struct etc_event *b)
{
	return a->kind == b->kind && a->chain == b->chain &&
	       a->instruction_id == b->instruction_id && a->delegate_id == b->delegate_id &&
	       a->has_name == b->has_name && a->has_delegate_name == b->has_delegate_name &&
	       a->also_debug == b->also_debug && a->also_allocation == b->also_allocation &&
	       etc_str_eq(etc_event_name(a), etc_event_name(b)) &&
	       etc_str_eq(etc_event_delegate_name(a), etc_event_delegate_name(b));
}

static uint32_t find_template(const struct pool *p, const struct etc_template *template)
{
	for (uint32_t s = 0; s < p->out->template_count; s++) {
		uint32_t i = 0;

		if (p->templates[s].count != template->count)
			continue;
		while (i < template->count &&
		       same_event(&p->templates[s].events[i], &template->events[i]))
			i++;
		if (i == template->count)
			return s;
	}
	return (uint32_t)p->out->template_count;
}

static size_t metadata_bytes(const struct etc_trace *t)
{
	size_t sum = 0;

	for (size_t i = 0; t->metadata.has && i < t->sample_count; i++) {
		size_t len = etc_trace_metadata(t, i).len;

		sum += etc_metadata_at(&t->metadata, i) ? len + sizeof(uint32_t) : 0;
	}
	return sum;
}

static bool allocate(struct pool *p, const struct etc_trace *const *traces, uint32_t count)
{
	struct etc_trace sum = { 0 };
	size_t bytes = 1; /* starts at 1, because the offset 0 means that there is no metadata */

	for (uint32_t i = 0; i < count; i++) {
		sum.run_count += traces[i]->run_count;
		sum.head_count += traces[i]->head_count;
		sum.template_count += traces[i]->template_count;
		sum.sample_count += traces[i]->sample_count;
		sum.value_count += traces[i]->value_count;
		sum.allocation_count += traces[i]->allocation_count;
		bytes += metadata_bytes(traces[i]);
	}
	p->runs = etc_new(p->arena, struct etc_run, sum.run_count);
	p->heads = etc_new(p->arena, struct etc_run_head, sum.head_count);
	p->templates = etc_new(p->arena, struct etc_template, sum.template_count);
	p->start = etc_new(p->arena, uint64_t, sum.sample_count);
	p->end = etc_new(p->arena, uint64_t, sum.sample_count);
	p->values = etc_new(p->arena, struct etc_value, sum.value_count);
	p->sizes = etc_new(p->arena, uint64_t, sum.allocation_count);
	p->file = etc_new(p->arena, uint32_t, sum.run_count);
	p->byte_count = 1;
	if (bytes > 1 && bytes <= UINT32_MAX) {
		p->metadata_at = etc_new(&p->scratch, uint32_t, sum.sample_count);
		p->bytes = etc_new(p->arena, uint8_t, bytes);
		if (!p->metadata_at || !p->bytes)
			return false;
	}
	/* A trace has 32-bit indices of samples, values, allocations and runs, so it cannot have
	 * more of them. */
	if (sum.sample_count > UINT32_MAX || sum.value_count > UINT32_MAX ||
	    sum.allocation_count > UINT32_MAX || sum.run_count > UINT32_MAX)
		return false;
	return bytes <= UINT32_MAX && p->runs && p->heads && p->templates && p->start && p->end &&
	       p->values && p->sizes && p->file;
}

static void add_metadata(struct pool *p, const struct etc_trace *t)
{
	for (size_t i = 0; p->metadata_at && t->metadata.has && i < t->sample_count; i++) {
		struct etc_span m = etc_trace_metadata(t, i);
		uint32_t len = (uint32_t)m.len;

		if (!m.ptr)
			continue;
		p->metadata_at[p->out->sample_count + i] = (uint32_t)p->byte_count;
		memcpy(p->bytes + p->byte_count, &len, sizeof len);
		memcpy(p->bytes + p->byte_count + sizeof len, m.ptr, m.len);
		p->byte_count += sizeof len + m.len;
	}
}

static bool add_trace(struct pool *p, const struct etc_trace *t, uint32_t file)
{
	struct etc_trace *out = p->out;
	uint32_t *template = etc_new(p->arena, uint32_t, t->template_count);

	if (!template)
		return false;
	for (size_t s = 0; s < t->template_count; s++) {
		template[s] = find_template(p, &t->templates[s]);
		if (template[s] < out -> template_count)
			continue;
		p->templates[template[s]] = t->templates[s];
		p->templates[template[s]].first_run += (uint32_t)out->run_count;
		out->template_count++;
	}
	for (size_t r = 0; r < t->run_count; r++) {
		struct etc_run *to = &p->runs[out->run_count + r];

		*to = t->runs[r];
		to->template = template[to->template];
		to->head += (uint32_t)out->head_count;
		to->first_sample += (uint32_t)out->sample_count;
		to->first_value += (uint32_t)out->value_count;
		to->first_allocation += (uint32_t)out->allocation_count;
		p->file[out->run_count + r] = file;
	}
	if (t->sample_count) {
		memcpy(p->start + out->sample_count, t->start, t->sample_count * sizeof *t->start);
		memcpy(p->end + out->sample_count, t->end, t->sample_count * sizeof *t->end);
	}
	if (t->value_count)
		memcpy(p->values + out->value_count, t->values, t->value_count * sizeof *t->values);
	if (t->allocation_count)
		memcpy(p->sizes + out->allocation_count, t->allocation_size,
		       t->allocation_count * sizeof *t->allocation_size);
	if (t->head_count)
		memcpy(p->heads + out->head_count, t->heads, t->head_count * sizeof *t->heads);
	etc_wraps_join(&out->wraps, &t->wraps);
	add_metadata(p, t);
	out->head_count += t->head_count;
	out->run_count += t->run_count;
	out->sample_count += t->sample_count;
	out->value_count += t->value_count;
	out->tensor_count += t->tensor_count;
	out->allocation_count += t->allocation_count;
	out->file_bytes += t->file_bytes;
	return true;
}

enum etc_status etc_pool_join(const struct etc_trace *const *traces, uint32_t count,
                              struct etc_arena *arena, struct etc_trace *out, uint32_t **file,
                              struct etc_error *err)
{
	struct pool p = { .arena = arena, .out = out };
	bool ok;

	etc_arena_init(&p.scratch, arena->budget);
	ok = allocate(&p, traces, count);
	*out = (struct etc_trace){
		.version = traces[0]->version,
		.has_runs = true,
		.bad_utf8 = traces[0]->bad_utf8,
		.not_finite = traces[0]->not_finite,
		.not_decodable = traces[0]->not_decodable,
	};
	for (uint32_t i = 0; i < count && ok; i++)
		ok = add_trace(&p, traces[i], i);
	out->runs = p.runs;
	out->heads = p.heads;
	out->templates = p.templates;
	out->start = p.start;
	out->end = p.end;
	out->values = p.values;
	out->allocation_size = p.sizes;
	if (ok && p.metadata_at)
		ok = etc_metadata_pack(p.metadata_at, out->sample_count, arena, &out->metadata);
	etc_arena_release(&p.scratch);
	out->bytes = p.bytes;
	*file = p.file;
	return ok ? ETC_OK : etc_no_memory(err);
}
