/* gap_runtime.c -- see numeric_gap.h: lists the values that events logged, by debug handle, as the
 * Inspector's _get_runtime_intermediate_outputs_and_op_names and
 * merge_runtime_overlapping_debug_handles do. */
#include <stdlib.h>

#include "commands/inspector/numeric_gap.h"

/* A backend, and the debug handles of all events inside its delegates that logged values. */
struct backend {
	bool known;
	struct etc_str name;
	struct etc_map handles;
};

struct gatherer {
	struct etc_inspector *in;
	struct backend *backends;
	uint32_t backend_count;
	struct etc_gap_runtime *events; /* the entries of the Inspector's dict before merging */
	uint32_t event_count;
	struct etc_map by_handle; /* maps a DebugHandle, as bytes, to its index in `events` */
};

static struct etc_str key_of(const int64_t *handle, uint32_t count)
{
	return (struct etc_str){ (const char *)handle, count * sizeof *handle };
}

/* ---- delegates that log intermediate values ------------------------------------------ */

static bool same_backend(const struct backend *b, const struct etc_insp_event *e)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);

	return b->known == x->has_backend && etc_str_eq(b->name, x->backend);
}

static struct backend *backend_of(const struct gatherer *g, const struct etc_insp_event *e)
{
	for (uint32_t i = 0; i < g->backend_count; i++)
		if (same_backend(&g->backends[i], e))
			return &g->backends[i];
	return NULL;
}

static bool cover(struct gatherer *g, const struct etc_insp_event *e)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);
	struct backend *b = backend_of(g, e);

	if (!b) {
		b = &g->backends[g->backend_count++];
		*b = (struct backend){ .known = x->has_backend, .name = x->backend };
		etc_map_init(&b->handles, g->in->arena);
	}
	for (uint32_t i = 0; i < x->handles->count; i++)
		if (etc_map_add(&b->handles, key_of(&x->handles->v[i], 1), 1) == ETC_MAP_NONE)
			return false;
	return true;
}

static bool is_covered(const struct gatherer *g, const struct etc_insp_event *e)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);
	const struct backend *b = backend_of(g, e);

	for (uint32_t i = 0; b && i < x->handles->count; i++)
		if (etc_map_get(&b->handles, key_of(&x->handles->v[i], 1)) != ETC_MAP_NONE)
			return true;
	return false;
}

/* For each backend, finds the debug handles of those events inside its delegates that logged
 * values. There are at most as many backends as events. */
static enum etc_status find_covered(struct gatherer *g, struct etc_error *err)
{
	size_t events = 0;

	for (uint32_t b = 0; b < g->in->block_count; b++)
		events += g->in->blocks[b].event_count;
	g->backends = etc_new(g->in->arena, struct backend, events);
	g->events = etc_new(g->in->arena, struct etc_gap_runtime, events);
	ETC_NEED(g->backends && g->events, err);
	for (uint32_t b = 0; b < g->in->block_count; b++)
		for (uint32_t i = 0; i < g->in->blocks[b].event_count; i++) {
			const struct etc_insp_event *e = &g->in->blocks[b].events[i];
			const struct etc_insp_extra *x = etc_insp_extra(e);

			if (e->is_delegated && x->op_count && x->debug_count && x->handles &&
			    !cover(g, e))
				return etc_no_memory(err);
		}
	return ETC_OK;
}

/* ---- the dict ------------------------------------------------------------------------- */

/* Adds the entry of an event. If there is already an entry with the same DebugHandle, keeps the
 * entry of the event with the larger instruction id. Ignores events without an instruction id. */
static bool add_event(struct gatherer *g, const struct etc_insp_event *e)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);
	struct etc_gap_runtime *r;
	size_t at;

	if (e->instruction_id <= -1)
		return true;
	at = etc_map_add(&g->by_handle, key_of(x->handles->v, x->handles->count), g->event_count);
	if (at == ETC_MAP_NONE)
		return false;
	r = &g->events[at];
	if (at == g->event_count)
		g->event_count++;
	else if (e->instruction_id <= r->instruction_id)
		return true;
	*r = (struct etc_gap_runtime){
		.handle = x->handles->v,
		.handle_count = x->handles->count,
		.instruction_id = e->instruction_id,
		.values = x->debug_data,
		.value_count = x->debug_count,
		.num_outputs = x->num_outs ? x->num_outs->outputs : 1,
		.name = e->name,
	};
	return true;
}

static enum etc_status gather(struct gatherer *g, struct etc_error *err)
{
	for (uint32_t b = 0; b < g->in->block_count; b++)
		for (uint32_t i = 0; i < g->in->blocks[b].event_count; i++) {
			const struct etc_insp_event *e = &g->in->blocks[b].events[i];
			const struct etc_insp_extra *x = etc_insp_extra(e);

			if (!x->op_count || !x->handles ||
			    etc_str_eq(e->name, ETC_STR("OPERATOR_CALL")))
				continue;
			if (etc_str_eq(e->name, ETC_STR("DELEGATE_CALL")) && is_covered(g, e))
				continue;
			ETC_NEED(add_event(g, e), err);
		}
	return ETC_OK;
}

/* ---- merging --------------------------------------------------------------------------- */

struct merger {
	struct etc_arena *arena;
	struct etc_map ids; /* maps a debug handle to its number */
	/* per handle: 1 + the index in `merged` of the entry that has the handle; 0: no entry has
	 * it */
	uint32_t *owner;
	uint32_t *seen; /* per handle: number of the last merge that used the handle */
	uint32_t merges;
	struct etc_gap_runtime *merged; /* entries, in the order in which their keys were added */
	bool *gone;                     /* per entry: removed by a merge */
	uint32_t count;
};

static uint32_t id_of(const struct merger *m, int64_t handle)
{
	return (uint32_t)etc_map_get(&m->ids, key_of(&handle, 1));
}

static enum etc_status number_handles(struct merger *m, const struct gatherer *g,
                                      struct etc_error *err)
{
	uint32_t ids = 0;

	etc_map_init(&m->ids, m->arena);
	for (uint32_t i = 0; i < g->event_count; i++)
		for (uint32_t k = 0; k < g->events[i].handle_count; k++) {
			size_t n = etc_map_add(&m->ids, key_of(&g->events[i].handle[k], 1), ids);

			if (n == ETC_MAP_NONE)
				return etc_no_memory(err);
			ids += n == ids;
		}
	m->owner = etc_new(m->arena, uint32_t, ids);
	m->seen = etc_new(m->arena, uint32_t, ids);
	m->merged = etc_new(m->arena, struct etc_gap_runtime, g->event_count);
	m->gone = etc_new(m->arena, bool, g->event_count);
	return m->owner && m->seen && m->merged && m->gone ? ETC_OK : etc_no_memory(err);
}

/* Implements the Inspector's _merge_runtime_debug_handles: joins the handles of `a` that are not in
 * `b`, and then those of `b`, without duplicates. */
static bool join(struct merger *m, const struct etc_gap_runtime *a, const struct etc_gap_runtime *b,
                 struct etc_gap_runtime *out)
{
	int64_t *list = etc_new(m->arena, int64_t, (size_t)a->handle_count + b->handle_count);
	uint32_t n = 0, in_b = ++m->merges, done;

	if (!list)
		return false;
	for (uint32_t i = 0; i < b->handle_count; i++)
		m->seen[id_of(m, b->handle[i])] = in_b;
	for (uint32_t i = 0; i < a->handle_count; i++)
		if (m->seen[id_of(m, a->handle[i])] != in_b)
			list[n++] = a->handle[i];
	done = ++m->merges;
	for (uint32_t i = 0; i < b->handle_count; i++)
		if (m->seen[id_of(m, b->handle[i])] != done) {
			m->seen[id_of(m, b->handle[i])] = done;
			list[n++] = b->handle[i];
		}
	out->handle = list;
	out->handle_count = n;
	return true;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x, y;

	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x > y) - (x < y);
}

/* Finds the merged entries that share a handle with the event, as indices in m->merged,
 * ascending. */
static uint32_t *overlapping(struct merger *m, const struct etc_gap_runtime *e, uint32_t *count)
{
	uint32_t *list = etc_new(m->arena, uint32_t, e->handle_count), n = 0, kept = 0;

	for (uint32_t i = 0; list && i < e->handle_count; i++)
		if (m->owner[id_of(m, e->handle[i])])
			list[n++] = m->owner[id_of(m, e->handle[i])] - 1;
	if (n)
		qsort(list, n, sizeof *list, by_number);
	for (uint32_t i = 0; i < n; i++)
		if (i == 0 || list[i] != list[i - 1])
			list[kept++] = list[i];
	*count = kept;
	return list;
}

/* Adds an entry for event `e`, merged with all entries that have a handle in common with `e`. The
 * new entry takes its value from the last of these entries whose instruction id is not smaller than
 * that of `e`. If there is none, it takes the value of `e`. */
static bool merge(struct merger *m, const struct etc_gap_runtime *e)
{
	struct etc_gap_runtime now = *e, value = *e;
	uint32_t count, *with = overlapping(m, e, &count);

	for (uint32_t i = 0; with && i < count; i++) {
		const struct etc_gap_runtime *old = &m->merged[with[i]];
		bool before = old->instruction_id < e->instruction_id;

		if (!join(m, before ? old : &now, before ? &now : old, &now))
			return false;
		if (!before)
			value = *old;
		m->gone[with[i]] = true;
	}
	if (!with)
		return false;
	value.handle = now.handle;
	value.handle_count = now.handle_count;
	m->merged[m->count++] = value;
	for (uint32_t i = 0; i < now.handle_count; i++)
		m->owner[id_of(m, now.handle[i])] = m->count;
	return true;
}

enum etc_status etc_gap_runtime(struct etc_inspector *in, struct etc_gap *out,
                                struct etc_error *err)
{
	struct gatherer g = { .in = in };
	struct merger m = { .arena = in->arena };
	uint32_t kept = 0;

	etc_map_init(&g.by_handle, in->arena);
	ETC_TRY(find_covered(&g, err));
	ETC_TRY(gather(&g, err));
	ETC_TRY(number_handles(&m, &g, err));
	for (uint32_t i = 0; i < g.event_count; i++)
		ETC_NEED(merge(&m, &g.events[i]), err);
	for (uint32_t i = 0; i < m.count; i++)
		if (!m.gone[i])
			m.merged[kept++] = m.merged[i];
	out->events = g.events;
	out->event_count = g.event_count;
	out->merged = m.merged;
	out->merged_count = kept;
	return ETC_OK;
}
