/* places.c -- see places.h */
#include "join/places.h"

#include "base/digits.h"
#include "base/map.h"
#include "host/host.h"
#include "join/keys.h"
#include "join/products.h"

struct etc_node_list {
	const struct etc_node **v;
	uint32_t count;
};

/* Indexes nodes by handle: counts the nodes of each handle, then fills their lists. */
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
			at = etc_map_add(&p->nodes, etc_map_number(h->v), p->list_count);
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
	etc_map_init(&p->names.order, arena);
	ok = !maps || (etc_map_reserve(&p->handles, maps->handle_count) &&
	               etc_map_reserve(&p->delegates, maps->delegate_count));
	for (uint32_t i = 0; maps && i < maps->handle_count && ok; i++)
		ok = etc_map_add(&p->handles, maps->handles[i].key, i) != ETC_MAP_NONE;
	for (uint32_t i = 0; maps && i < maps->delegate_count && ok; i++)
		ok = etc_map_add(&p->delegates, maps->delegates[i].key, i) != ETC_MAP_NONE;
	for (size_t i = 0; i < sizeof p->made / sizeof *p->made && ok; i++) {
		p->made[i] = etc_new(arena, struct etc_place *, maps ? maps->handle_count : 0);
		ok = p->made[i] != NULL;
	}
	ok = ok && index_nodes(p, graph) && etc_groups_make(&p->nowhere, &p->names, false, arena);
	return ok ? ETC_OK : etc_no_memory(err);
}

enum etc_status etc_places_all(struct etc_all_places *all, const struct etc_record *record,
                               struct etc_arena *arena, struct etc_error *err)
{
	*all = (struct etc_all_places){ .record = record, .arena = arena };
	all->of = etc_new(arena, struct etc_places *, (record ? record->method_count : 0) + 1);
	return all->of ? ETC_OK : etc_no_memory(err);
}

/* Like etc_places_of(), for the method that has the maps `maps`; NULL: the method is unknown. */
static enum etc_status of_maps(struct etc_all_places *all, const struct etc_method_maps *maps,
                               struct etc_places **places, struct etc_error *err)
{
	const struct etc_record *r = all->record;
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
	ETC_NEED(*p, err);
	ETC_TRY(etc_places_init(*p, maps, graph, all->arena, err));
	(*p)->bare = all->bare;
	return ETC_OK;
}

enum etc_status etc_places_of(struct etc_all_places *all, const struct etc_method *method,
                              struct etc_places **places, struct etc_error *err)
{
	struct etc_places *p;

	if (!all->record || method->maps || !method->alike_count || all->bare)
		return of_maps(all, all->record ? method->maps : NULL, places, err);
	*places = p = etc_new(all->arena, struct etc_places, 1);
	ETC_NEED(p, err);
	ETC_TRY(etc_places_init(p, NULL, NULL, all->arena, err));
	p->alike = etc_new(all->arena, struct etc_places *, method->alike_count);
	ETC_NEED(p->alike, err);
	for (uint32_t i = 0; i < method->alike_count; i++)
		ETC_TRY(of_maps(all, method->alike[i], &p->alike[p->alike_count++], err));
	return ETC_OK;
}

/* Returns the folder that contains `file` and all files before it. `folder` is the common folder of
 * the files before it. */
static struct etc_str common_folder(struct etc_str folder, struct etc_str file)
{
	size_t n = 0;

	while (n < folder.len && n < file.len && folder.ptr[n] == file.ptr[n])
		n++;
	while (n && folder.ptr[n - 1] != '/' && folder.ptr[n - 1] != '\\')
		n--;
	return etc_str_sub(folder, 0, n);
}

/* Fills p->names: the data of the graph from which the names of modules and source lines are made.
 * False: out of memory. */
static bool find_names(struct etc_places *p)
{
	bool any = false;

	if (p->named)
		return true;
	for (uint32_t i = 0; p->graph && i < p->graph->node_count; i++) {
		const struct etc_node *n = &p->graph->nodes[i];

		if (!etc_node_origin(p->graph, n, p->arena))
			return false;
		if (!p->names.root.len)
			p->names.root = etc_group_root_class(n);
		if (n->module_count &&
		    etc_map_add(&p->names.order, n->modules[n->module_count - 1].path,
		                p->names.order.count) == ETC_MAP_NONE)
			return false;
		if (!n->source_file.len || etc_group_packages(n->source_file))
			continue;
		p->names.folder =
			common_folder(any ? p->names.folder : n->source_file, n->source_file);
		any = true;
	}
	p->named = true;
	return true;
}

/* Makes the place of some handles: their nodes, and, if p->bare is false, also modules and source
 * lines. NULL: out of memory. */
static struct etc_place *make_place(struct etc_places *p, const int64_t *handles, uint32_t count,
                                    uint8_t how, bool converts)
{
	struct etc_place *place = etc_new(p->arena, struct etc_place, 1);
	const struct etc_node **nodes;
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		size_t at = etc_map_get(&p->nodes, etc_map_number(&handles[i]));

		n += at == ETC_MAP_NONE ? 0 : p->list[at].count;
	}
	nodes = etc_new(p->arena, const struct etc_node *, n);
	if (!place || !nodes)
		return NULL;
	*place = (struct etc_place){ .nodes = nodes, .count = n, .how = how };
	for (uint32_t i = 0, to = 0; i < count; i++) {
		size_t at = etc_map_get(&p->nodes, etc_map_number(&handles[i]));

		if (at == ETC_MAP_NONE)
			continue;
		memcpy(nodes + to, p->list[at].v, p->list[at].count * sizeof *nodes);
		to += p->list[at].count;
	}
	if (n == 0)
		place->how = ETC_PLACE_UNKNOWN;
	if (p->bare)
		return place;
	return find_names(p) && etc_groups_make(place, &p->names, converts, p->arena) ? place
	                                                                              : NULL;
}

/* Returns the place of an instruction according to the record's handles. `how` is ETC_PLACE_EXACT
 * for an operator, and ETC_PLACE_PARTITION for a DELEGATE_CALL, whose events share the nodes. NULL:
 * out of memory. */
static const struct etc_place *of_instruction(struct etc_places *p, int32_t instruction,
                                              uint8_t how, bool converts)
{
	struct etc_place **made = p->made[(how == ETC_PLACE_EXACT ? 0 : 1) + (converts ? 2 : 0)];
	char text[16];
	struct etc_str key = { text, etc_digits_i32(text, instruction) };
	size_t at = etc_map_get(&p->handles, key);

	if (at == ETC_MAP_NONE)
		return &p->nowhere;
	if (!made[at]) {
		const struct etc_handles *h = &p->maps->handles[at].handles;

		made[at] = make_place(p, h->v, h->count, how, converts);
	}
	return made[at];
}

/* Returns the handles of a delegate's event, from the delegate's own map in the record. The key is
 * the one that the plugin returned; if it returned none, the event's id. NULL: the map does not
 * have the key. */
static const struct etc_handles *of_id(const struct etc_places *p, const struct etc_event *e,
                                       const struct etc_mapped *mapped)
{
	char text[16];
	struct etc_str id = { text, 0 }, instruction = { text, 0 };
	const struct etc_delegate_entry *d;
	size_t at;

	instruction.len = etc_digits_i32(text, e->instruction_id);
	at = etc_map_get(&p->delegates, instruction);
	if (at == ETC_MAP_NONE)
		return NULL;
	d = &p->maps->delegates[at];
	if (mapped && mapped->key.len)
		id = mapped->key;
	else if (e->has_delegate_name)
		id = etc_event_delegate_name(e);
	else
		id.len = etc_digits_i32(text, e->delegate_id);
	for (uint32_t i = 0; i < d->count; i++)
		if (etc_str_eq(d->ids[i].key, id))
			return &d->ids[i].handles;
	return NULL;
}

static const struct etc_place *of_delegate(struct etc_places *p, const struct etc_event *e,
                                           const struct etc_mapped *mapped, bool converts)
{
	const struct etc_handles *h = NULL;

	if (mapped && mapped->count)
		return make_place(p, mapped->handles, mapped->count, ETC_PLACE_EXACT, converts);
	if (!mapped || !mapped->not_edge_handles)
		h = of_id(p, e, mapped);
	if (h && h->count)
		return make_place(p, h->v, h->count, ETC_PLACE_EXACT, converts);
	return of_instruction(p, e->instruction_id, ETC_PLACE_PARTITION, converts);
}

static bool same_group(const struct etc_group *a, const struct etc_group *b)
{
	return a->how == b->how && a->count == b->count && etc_str_eq(a->name, b->name) &&
	       etc_str_eq(a->detail, b->detail) && etc_str_eq(a->members, b->members);
}

static const struct etc_place *find(struct etc_places *p, const struct etc_sites *sites,
                                    uint32_t i);

/* Used if several methods fit the path of the events. Returns a place with the module and source
 * line that the event has in all these methods. If the methods differ in one of the two, it is
 * unknown. */
static const struct etc_place *agreed(struct etc_places *p, const struct etc_sites *sites,
                                      uint32_t i)
{
	const struct etc_place *first = find(p->alike[0], sites, i);
	struct etc_place *place = first ? etc_new(p->arena, struct etc_place, 1) : NULL;

	if (!place)
		return NULL;
	*place = (struct etc_place){ .module = first->module, .source = first->source };
	for (uint32_t k = 1; k < p->alike_count; k++) {
		const struct etc_place *other = find(p->alike[k], sites, i);

		if (!other)
			return NULL;
		if (!same_group(place->module, other->module))
			place->module = p->nowhere.module;
		if (!same_group(place->source, other->source))
			place->source = p->nowhere.source;
	}
	if (place->module->count || place->source->count)
		place->how = first->how;
	return place;
}

static const struct etc_place *find(struct etc_places *p, const struct etc_sites *sites, uint32_t i)
{
	const struct etc_site *s = &sites->v[i];
	const struct etc_event *e = etc_site_event(sites, s);
	bool inside = s->call != ETC_NO_SITE || s->instruction, converts = false;
	struct etc_str category;

	if (p->alike_count)
		return agreed(p, sites, i);
	if (!p->maps || !inside)
		return &p->nowhere;
	if (!p->bare) {
		category = etc_sites_category(sites, i);
		converts = etc_str_eq(category, ETC_STR("quantize")) ||
		           (s->delegate && etc_str_eq(category, ETC_STR("convert")));
	}
	if (s->delegate)
		return of_delegate(p, e, etc_site_said(sites, s).mapped, converts);
	return of_instruction(p, e->instruction_id,
	                      s->delegate_call ? ETC_PLACE_PARTITION : ETC_PLACE_EXACT, converts);
}

enum etc_status etc_sites_place(struct etc_sites *sites, struct etc_places *p,
                                struct etc_error *err)
{
	sites->place = etc_new(sites->arena, const struct etc_place *, sites->count);
	ETC_NEED(sites->place, err);
	sites->graph = p->graph;
	sites->bare = p->bare;
	for (uint32_t i = 0; i < sites->count; i++) {
		sites->place[i] = find(p, sites, i);
		ETC_NEED(sites->place[i], err);
	}
	/* an OPERATOR_CALL is of the same module as its kernel, also if the kernel converts
	 * types */
	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_site *s = &sites->v[i];

		if (s->native && !s->delegate && s->call != ETC_NO_SITE &&
		    !sites->v[s->call].delegate_call)
			sites->place[s->call] = sites->place[i];
	}
	ETC_TRY(etc_products_place(sites, p, err));
	for (uint32_t k = 0; k < sites->expanded_count; k++)
		sites->place[sites->expanded[k].site] = sites->place[sites->expanded[k].of];
	return ETC_OK;
}

const struct etc_place *etc_places_of_event(struct etc_places *p, const struct etc_event *e,
                                            bool partition)
{
	if (!p->maps)
		return &p->nowhere;
	if (etc_event_is_delegate(e))
		return of_delegate(p, e, NULL, false);
	return of_instruction(p, e->instruction_id,
	                      partition ? ETC_PLACE_PARTITION : ETC_PLACE_EXACT, false);
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
	key.len = etc_digits_i32(text, e->instruction_id);
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
		place = of_instruction(p, etc_site_event(sites, s)->instruction_id, ETC_PLACE_EXACT,
		                       false);
		ETC_NEED(place, err);
		op = place->count ? place->nodes[0]->op : ETC_STR_NONE;
		for (uint32_t k = 1; k < place->count; k++)
			if (!etc_str_eq(op, place->nodes[k]->op))
				op = (struct etc_str){ 0 };
		if (op.len && !sites->by_record)
			sites->by_record = etc_new(sites->arena, struct etc_str, sites->count);
		if (op.len && !sites->by_record)
			return etc_no_memory(err);
		if (op.len)
			sites->by_record[i] = op;
	}
	return ETC_OK;
}
