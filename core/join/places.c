/* places.c -- see places.h */
#include "join/places.h"

#include <stdio.h>

#include "host/host.h"
#include "join/groups.h"

struct etc_node_list {
	const struct etc_node **v;
	uint32_t count;
};

static struct etc_str handle_key(const int64_t *handle)
{
	return (struct etc_str){ (const char *)handle, sizeof *handle };
}

/* Nodes by handle: counted, then filled. */
static bool index_nodes(struct etc_places *p, const struct etc_graph *g)
{
	uint32_t n = g ? g->node_count : 0;

	p->list = etc_new(p->arena, struct etc_node_list, n);
	if (!p->list || !etc_map_reserve(&p->nodes, n))
		return false;
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t i = 0; i < p->list_count && fill; i++) {
			p->list[i].v = etc_new(p->arena, const struct etc_node *, p->list[i].count);
			if (!p->list[i].v)
				return false;
			p->list[i].count = 0;
		}
		for (uint32_t i = 0; i < n; i++) {
			const struct etc_handles *h = &g->nodes[i].debug_handle;
			size_t at;

			if (h->form != ETC_HANDLES_INT || h->count == 0)
				continue;
			at = etc_map_add(&p->nodes, handle_key(h->v), p->list_count);
			if (at == ETC_MAP_NONE)
				return false;
			p->list_count += at == p->list_count;
			if (fill)
				p->list[at].v[p->list[at].count] = &g->nodes[i];
			p->list[at].count++;
		}
	}
	return true;
}

enum etc_status etc_places_init(struct etc_places *p, const struct etc_method_maps *maps,
                                const struct etc_graph *graph, struct etc_arena *arena,
                                struct etc_error *err)
{
	bool ok;

	*p = (struct etc_places){ .arena = arena, .maps = maps, .graph = graph };
	etc_map_init(&p->handles, arena);
	etc_map_init(&p->delegates, arena);
	etc_map_init(&p->nodes, arena);
	ok = !maps || (etc_map_reserve(&p->handles, maps->handle_count) &&
	               etc_map_reserve(&p->delegates, maps->delegate_count));
	/* Of equal keys the last one wins, as in a dict. */
	for (uint32_t i = maps ? maps->handle_count : 0; i-- > 0 && ok;)
		ok = etc_map_add(&p->handles, maps->handles[i].key, i) != ETC_MAP_NONE;
	for (uint32_t i = maps ? maps->delegate_count : 0; i-- > 0 && ok;)
		ok = etc_map_add(&p->delegates, maps->delegates[i].key, i) != ETC_MAP_NONE;
	p->of_entry = etc_new(arena, struct etc_place *, maps ? maps->handle_count : 0);
	p->of_partition = etc_new(arena, struct etc_place *, maps ? maps->handle_count : 0);
	ok = ok && p->of_entry && p->of_partition && index_nodes(p, graph) &&
	     etc_groups_make(&p->nowhere, arena);
	return ok ? ETC_OK : etc_fail(err, E0904, "nodes of a graph");
}

enum etc_status etc_places_all(struct etc_all_places *all, const struct etc_record *record,
                               struct etc_arena *arena, struct etc_error *err)
{
	*all = (struct etc_all_places){ .record = record, .arena = arena };
	all->of = etc_new(arena, struct etc_places *, (record ? record->method_count : 0) + 1);
	return all->of ? ETC_OK : etc_fail(err, E0904, "nodes of the graphs");
}

enum etc_status etc_places_of(struct etc_all_places *all, const struct etc_method *method,
                              struct etc_places **places, struct etc_error *err)
{
	const struct etc_record *r = all->record;
	const struct etc_method_maps *maps = r ? method->maps : NULL;
	const struct etc_graph *graph = maps ? etc_record_edge(r) : NULL;
	struct etc_places **p = &all->of[maps ? maps - r->methods : r ? r->method_count : 0];

	*places = *p;
	if (*p)
		return ETC_OK;
	for (uint32_t i = 0; maps && i < r->graph_count; i++)
		if (r->graphs[i].kind == ETC_GRAPH_EDGE && r->graphs[i].per_method &&
		    etc_str_eq(r->graphs[i].method, maps->method))
			graph = &r->graphs[i];
	*places = *p = etc_new(all->arena, struct etc_places, 1);
	if (!*p)
		return etc_fail(err, E0904, "nodes of a graph");
	return etc_places_init(*p, maps, graph, all->arena, err);
}

/* The nodes of some handles; NULL: no memory. */
static struct etc_place *make_place(const struct etc_places *p, const int64_t *handles,
                                    uint32_t count, uint8_t how)
{
	struct etc_place *place = etc_new(p->arena, struct etc_place, 1);
	const struct etc_node **nodes;
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		size_t at = etc_map_get(&p->nodes, handle_key(&handles[i]));

		n += at == ETC_MAP_NONE ? 0 : p->list[at].count;
	}
	nodes = etc_new(p->arena, const struct etc_node *, n);
	if (!place || !nodes)
		return NULL;
	*place = (struct etc_place){ .nodes = nodes, .count = n, .how = how };
	for (uint32_t i = 0, to = 0; i < count; i++) {
		size_t at = etc_map_get(&p->nodes, handle_key(&handles[i]));

		if (at == ETC_MAP_NONE)
			continue;
		memcpy(nodes + to, p->list[at].v, p->list[at].count * sizeof *nodes);
		to += p->list[at].count;
	}
	for (uint32_t i = 0; i < n; i++)
		if (!etc_node_origin(p->graph, nodes[i], p->arena))
			return NULL;
	if (n == 0)
		place->how = ETC_PLACE_UNKNOWN;
	return etc_groups_make(place, p->arena) ? place : NULL;
}

/* The record's handles of an instruction: exact for what it is alone, or what
 * its events have in common. */
static const struct etc_place *of_instruction(struct etc_places *p, int32_t instruction,
                                              uint8_t how)
{
	struct etc_place **made = how == ETC_PLACE_EXACT ? p->of_entry : p->of_partition;
	char text[16];
	struct etc_str key = { text, (size_t)snprintf(text, sizeof text, "%d", (int)instruction) };
	size_t at = etc_map_get(&p->handles, key);

	if (at == ETC_MAP_NONE)
		return &p->nowhere;
	if (!made[at]) {
		const struct etc_handles *h = &p->maps->handles[at].handles;

		made[at] = make_place(p, h->v, h->count, how);
	}
	return made[at];
}

/* The handles of a delegate's event in its own map, by its id or what the plugin
 * says is the key. */
static const struct etc_handles *of_id(const struct etc_places *p, const struct etc_event *e,
                                       const struct etc_mapped *mapped)
{
	char text[16];
	struct etc_str id = { text, 0 }, instruction = { text, 0 };
	const struct etc_delegate_entry *d;
	size_t at;

	instruction.len = (size_t)snprintf(text, sizeof text, "%d", (int)e->instruction_id);
	at = etc_map_get(&p->delegates, instruction);
	if (at == ETC_MAP_NONE)
		return NULL;
	d = &p->maps->delegates[at];
	if (mapped && mapped->key.len)
		id = mapped->key;
	else if (e->has_delegate_name)
		id = etc_event_delegate_name(e);
	else
		id.len = (size_t)snprintf(text, sizeof text, "%d", (int)e->delegate_id);
	for (uint32_t i = d->count; i-- > 0;)
		if (etc_str_eq(d->ids[i].key, id))
			return &d->ids[i].handles;
	return NULL;
}

static const struct etc_place *of_delegate(struct etc_places *p, const struct etc_event *e,
                                           const struct etc_mapped *mapped)
{
	const struct etc_handles *h = NULL;

	if (mapped && mapped->count)
		return make_place(p, mapped->handles, mapped->count, ETC_PLACE_EXACT);
	if (!mapped || !mapped->not_edge_handles)
		h = of_id(p, e, mapped);
	if (h && h->count)
		return make_place(p, h->v, h->count, ETC_PLACE_EXACT);
	return of_instruction(p, e->instruction_id, ETC_PLACE_PARTITION);
}

static const struct etc_place *find(struct etc_places *p, const struct etc_sites *sites, uint32_t i)
{
	const struct etc_site *s = &sites->v[i];
	const struct etc_event *e = etc_site_event(sites, s);
	bool inside = s->call != ETC_NO_SITE || s->instruction;

	if (!p->maps || !inside)
		return &p->nowhere;
	if (s->delegate)
		return of_delegate(p, e, etc_site_said(sites, s).mapped);
	return of_instruction(p, e->instruction_id,
	                      s->delegate_call ? ETC_PLACE_PARTITION : ETC_PLACE_EXACT);
}

enum etc_status etc_sites_place(struct etc_sites *sites, struct etc_places *p,
                                struct etc_error *err)
{
	sites->place = etc_new(sites->arena, const struct etc_place *, sites->count);
	if (!sites->place)
		return etc_fail(err, E0904, "nodes of events");
	for (uint32_t i = 0; i < sites->count; i++) {
		sites->place[i] = find(p, sites, i);
		if (!sites->place[i])
			return etc_fail(err, E0904, "nodes of an event");
	}
	return ETC_OK;
}

const struct etc_place *etc_places_of_event(struct etc_places *p, const struct etc_event *e,
                                            bool partition)
{
	if (!p->maps)
		return &p->nowhere;
	if (etc_event_is_delegate(e))
		return of_delegate(p, e, NULL);
	return of_instruction(p, e->instruction_id,
	                      partition ? ETC_PLACE_PARTITION : ETC_PLACE_EXACT);
}

const struct etc_handles *etc_places_handles(const struct etc_places *p, const struct etc_event *e)
{
	char text[16];
	struct etc_str key = { text, 0 };
	size_t at;

	if (!p->maps)
		return NULL;
	if (etc_event_is_delegate(e))
		return of_id(p, e, NULL);
	key.len = (size_t)snprintf(text, sizeof text, "%d", (int)e->instruction_id);
	at = etc_map_get(&p->handles, key);
	return at == ETC_MAP_NONE ? NULL : &p->maps->handles[at].handles;
}

bool etc_sites_nameless(const struct etc_sites *sites)
{
	for (uint32_t i = 0; i < sites->count; i++)
		if (sites->v[i].nameless)
			return true;
	return false;
}

enum etc_status etc_sites_name(struct etc_sites *sites, struct etc_places *p, struct etc_error *err)
{
	for (uint32_t i = 0; i < sites->count && p->maps; i++) {
		struct etc_site *s = &sites->v[i];
		const struct etc_place *place;
		struct etc_str op;

		if (!s->nameless)
			continue;
		place = of_instruction(p, etc_site_event(sites, s)->instruction_id,
		                       ETC_PLACE_EXACT);
		if (!place)
			return etc_fail(err, E0904, "nodes of an event");
		op = place->count ? place->nodes[0]->op : ETC_STR_NONE;
		for (uint32_t k = 1; k < place->count; k++)
			if (!etc_str_eq(op, place->nodes[k]->op))
				op = (struct etc_str){ 0 };
		if (op.len && !sites->by_record)
			sites->by_record = etc_new(sites->arena, struct etc_str, sites->count);
		if (op.len && !sites->by_record)
			return etc_fail(err, E0904, "name of an event");
		if (op.len)
			sites->by_record[i] = op;
	}
	return ETC_OK;
}
