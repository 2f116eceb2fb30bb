/* nodes.c -- see nodes.h */
#include "profile/nodes.h"

/* Does a run have several events with the name of the row? Such events cannot be distinguished. */
static bool is_ambiguous(const struct etc_profile *profile, const struct etc_profile_row *row)
{
	const struct etc_profile_path *p = &profile->paths[row->path];

	return row->delegate && !p->repeats && row->event->event->delegate_id < 0 &&
	       row->calls > p->typical_runs;
}

static bool converts(const struct etc_profile_row *row)
{
	return etc_str_eq(row->category, ETC_STR("quantize")) ||
	       (row->delegate && etc_str_eq(row->category, ETC_STR("convert")));
}

bool etc_row_counts(const struct etc_profile *of, const struct etc_profile_row *row)
{
	if (row->detached || !row->event || row->path == ETC_PROFILE_LOAD)
		return false;
	if (of->by == ETC_BY_FALLBACK)
		return row->event->outside != NULL;
	return row->delegate || row->event->event->word == ETC_WORD_OTHER_CALL;
}

const struct etc_node *etc_row_node(const struct etc_profile *of, const struct etc_profile_row *row)
{
	const struct etc_place *p = row->event ? row->event->place : NULL;

	if (!p || p->count == 0 || p->how != ETC_PLACE_EXACT || is_ambiguous(of, row))
		return NULL;
	for (uint32_t i = 0; i < p->count; i++)
		if (etc_node_quantises(p->nodes[i]) == converts(row))
			return p->nodes[i];
	return p->nodes[0];
}

static const struct etc_graph *graph_of(const struct etc_record *record,
                                        const struct etc_node *node)
{
	for (uint32_t i = 0; i < record->graph_count; i++) {
		const struct etc_graph *g = &record->graphs[i];

		if (node >= g->nodes && node < g->nodes + g->node_count)
			return g;
	}
	return NULL;
}

static enum etc_status add_rows(const struct etc_profile *of, uint32_t path,
                                const struct etc_record *record, struct etc_arena *arena,
                                struct etc_node_times *out, struct etc_error *err)
{
	etc_u128 *time = (etc_u128 *)(uintptr_t)out->time;
	uint32_t *events = (uint32_t *)(uintptr_t)out->events;
	size_t from, to;

	etc_profile_rows(of, path, &from, &to);
	for (size_t i = from; i < to; i++) {
		const struct etc_profile_row *r = &of->rows[i];
		const struct etc_node *n = etc_row_counts(of, r) ? etc_row_node(of, r) : NULL;
		const struct etc_graph *g = n ? graph_of(record, n) : NULL;

		if (!g || (out->graph && g != out->graph))
			continue;
		if (!out->graph) {
			out->graph = g;
			out->time = time = etc_new(arena, etc_u128, g->node_count);
			out->events = events = etc_new(arena, uint32_t, g->node_count);
			ETC_NEED(time && events, err);
		}
		time[n - g->nodes] += r->self;
		events[n - g->nodes]++;
	}
	return ETC_OK;
}

enum etc_status etc_node_times(const struct etc_node_profiles *profiles, uint32_t path,
                               const struct etc_record *record, struct etc_arena *arena,
                               struct etc_node_times *out, struct etc_error *err)
{
	*out = (struct etc_node_times){ 0 };
	if (!record)
		return ETC_OK;
	ETC_TRY(add_rows(&profiles->by_event, path, record, arena, out, err));
	return add_rows(&profiles->by_fallback, path, record, arena, out, err);
}
