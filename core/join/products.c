/* products.c -- see products.h
 *
 * For each value of the graph, a set contains the products (matrix products and convolutions) on
 * which the value depends; product k is bit k of the set. If the graph does not name some input of
 * a node, sets are too small. More nodes are then possible for an event, so the event may get no
 * node, but never a wrong one. */
#include "join/products.h"

#include <stdlib.h>

#include "host/host.h"
#include "join/keys.h"
#include "join/operator_stem.h"
#include "model/builtin.h"
#include "model/graph_flow.h"

#define MOST_WORDS ((uint64_t)1 << 22)

#define MANY UINT32_MAX

/* The products (matrix products and convolutions) of one DELEGATE_CALL. */
struct products {
	struct etc_places *p;
	const struct etc_graph *graph;
	struct etc_arena scratch;
	const struct etc_place *partition;
	/* nodes of the call's partition that are products, as indices in the graph, ascending */
	uint32_t *node;
	uint32_t *event; /* the events that compute products, as sites, in file order */
	uint32_t nodes, events;
	/* for each product of the program's delegate, in the order in which they run: its number of
	 * weights; 0: unknown. NULL: the program has no numbers of weights for these products. */
	const uint64_t *weights;
	/* before[k], after[k]: number of products that must run before, or after, product k */
	uint32_t *before, *after;
};

static bool is_product_event(const struct etc_sites *sites, uint32_t site)
{
	const struct etc_str category = etc_sites_category(sites, site);

	return etc_str_eq(category, ETC_STR("gemm")) ||
	       etc_str_eq(category, ETC_STR("convolution"));
}

/* ---- nodes -------------------------------------------------------------------------- */

/* Makes p->owner: for each handle, 1 + the index in the record's list of the instruction that has
 * the handle; 0: no instruction has it; MANY: several have it. False: out of memory. */
static bool find_owners(struct etc_places *p)
{
	uint32_t *owner = p->owner;

	if (owner)
		return true;
	owner = p->owner = etc_new(p->arena, uint32_t, p->list_count);
	for (uint32_t i = 0; owner && i < p->maps->handle_count; i++) {
		const struct etc_handles *h = &p->maps->handles[i].handles;

		for (uint32_t k = 0; k < h->count; k++) {
			size_t at = etc_map_get(&p->nodes, etc_map_number(&h->v[k]));

			if (at != ETC_MAP_NONE)
				owner[at] = owner[at] == 0 || owner[at] == i + 1 ? i + 1 : MANY;
		}
	}
	return owner != NULL;
}

/* Does another instruction have the node's handle, too? Then it is unknown which of them contains
 * the node. */
static bool is_shared(const struct etc_places *p, const struct etc_node *n)
{
	return p->owner[etc_map_get(&p->nodes, etc_map_number(n->debug_handle.v))] == MANY;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Lists the products of the partition in the order of the graph. Returns false if a product may
 * belong to another instruction. Also returns false if out of memory; then sets `*nomem`. */
static bool list_nodes(struct products *s, bool *nomem)
{
	uint32_t count = 0;

	s->node = etc_new(&s->scratch, uint32_t, s->partition->count);
	*nomem = !s->node;
	for (uint32_t i = 0; s->node && i < s->partition->count; i++) {
		const struct etc_node *n = s->partition->nodes[i];

		if (!etc_node_is_product(n))
			continue;
		if (is_shared(s->p, n))
			return false;
		s->node[count++] = (uint32_t)(n - s->graph->nodes);
	}
	if (count)
		qsort(s->node, count, sizeof *s->node, by_number);
	for (uint32_t i = 0; i < count; i++)
		if (i == 0 || s->node[i] != s->node[i - 1])
			s->node[s->nodes++] = s->node[i];
	return !*nomem;
}

/* ---- order -------------------------------------------------------------------------- */

static uint32_t values_of(const struct etc_graph_flow *f, uint32_t from, uint32_t to)
{
	uint32_t most = 0;

	for (uint32_t i = from; i <= to; i++) {
		const struct etc_graph_tensors all[] = { f->calls[i].inputs, f->calls[i].outputs };

		for (size_t k = 0; k < sizeof all / sizeof *all; k++)
			for (uint32_t t = 0; t < all[k].count; t++) {
				uint32_t v = f->tensors[all[k].first + t].value;

				most = v != UINT32_MAX && v >= most ? v + 1 : most;
			}
	}
	return most;
}

/* Records that `product` depends on the products in `set`, where bit k is product k: counts them in
 * before[product], and adds 1 to after[k] of each. */
static void count_set(struct products *s, uint32_t product, const uint64_t *set)
{
	for (uint32_t k = 0; k < product; k++)
		if (set[k / 64] >> k % 64 & 1) {
			s->before[product]++;
			s->after[k]++;
		}
}

/* Computes s->before and s->after by following the graph from the first product to the last.
 * Returns false in three cases: the graph has a batch normalisation that is not fused with a
 * product, so that the backend may compute it as a convolution; the graph is too large; or, if
 * *nomem is set, out of memory. */
static bool order(struct products *s, bool *nomem)
{
	const struct etc_graph_flow *f = s->graph->tensors;
	const uint32_t from = s->node[0], to = s->node[s->nodes - 1];
	const uint32_t words = (s->nodes + 63) / 64, values = values_of(f, from, to);
	uint64_t *sets, *set;
	bool *made, small = (uint64_t)values * words < MOST_WORDS;

	s->before = etc_new(&s->scratch, uint32_t, s->nodes);
	s->after = etc_new(&s->scratch, uint32_t, s->nodes);
	sets = etc_new(&s->scratch, uint64_t, small ? (size_t)values * words : 1);
	set = etc_new(&s->scratch, uint64_t, words);
	made = etc_new(&s->scratch, bool, values);
	*nomem = !s->before || !s->after || !sets || !set || !made;
	if (*nomem || !small)
		return false;
	for (uint32_t i = from, product = 0; i <= to; i++) {
		const struct etc_graph_call *c = &f->calls[i];
		const bool is = product < s->nodes && s->node[product] == i;

		memset(set, 0, words * sizeof *set);
		for (uint32_t t = 0; t < c->inputs.count; t++) {
			uint32_t v = f->tensors[c->inputs.first + t].value;

			if (t == 0 && c->normalises && (v == UINT32_MAX || !made[v]))
				return false;
			for (uint32_t w = 0; v != UINT32_MAX && w < words; w++)
				set[w] |= sets[(size_t)v * words + w];
		}
		if (is) {
			count_set(s, product, set);
			set[product / 64] |= (uint64_t)1 << product % 64;
			product++;
		}
		for (uint32_t t = 0; t < c->outputs.count; t++) {
			uint32_t v = f->tensors[c->outputs.first + t].value;

			if (v == UINT32_MAX)
				continue;
			made[v] = is;
			memcpy(&sets[(size_t)v * words], set, words * sizeof *set);
		}
	}
	return true;
}

/* May product `i` be number `k`, from 0, in the order of execution? At most k products must run
 * before it, and the products that must run after it must not be more than the numbers above k. It
 * must also have as many weights as product `k` of the program, if that is known. */
static bool may_run(const struct products *s, uint32_t i, uint32_t k)
{
	const struct etc_node_takes takes = { s->weights ? s->weights[k] : 0,
		                              s->graph->nodes[s->node[i]].index };
	const struct etc_str key = { (const char *)&takes, sizeof takes };

	return s->before[i] <= k && s->after[i] <= s->nodes - 1 - k &&
	       (takes.elements <= 1 || etc_map_get(&s->graph->tensors->takes, key) != ETC_MAP_NONE);
}

/* Returns the index of the only product that may be number `k` in the order of execution
 * (may_run()). MANY: there is none, or there are several. */
static uint32_t product_at(const struct products *s, uint32_t k)
{
	uint32_t found = MANY;

	for (uint32_t i = 0; i < s->nodes; i++) {
		if (!may_run(s, i, k))
			continue;
		if (found != MANY)
			return MANY;
		found = i;
	}
	return found;
}

/* ---- places ------------------------------------------------------------------------- */

static bool has_node(const struct etc_place *place, const struct etc_node *node)
{
	for (uint32_t i = 0; i < place->count; i++)
		if (place->nodes[i] == node)
			return true;
	return false;
}

static bool is_found(const struct etc_sites *sites, uint32_t site)
{
	const struct etc_mapped *m = etc_site_said(sites, &sites->v[site]).mapped;

	return sites->place[site]->how == ETC_PLACE_EXACT || (m && m->count);
}

/* Do the nodes that are already known for event s->event[k], from a plugin or from debug handles,
 * agree with the order of the products? They do if one of the nodes is a product for which
 * may_run() with the number `k` is true. Returns true if no nodes are known. */
static bool agrees(const struct products *s, const struct etc_sites *sites, uint32_t k)
{
	const struct etc_place *place = sites->place[s->event[k]];

	if (!is_found(sites, s->event[k]))
		return true;
	for (uint32_t i = 0; i < s->nodes; i++)
		if (may_run(s, i, k) && has_node(place, &s->graph->nodes[s->node[i]]))
			return true;
	return false;
}

static bool place_one(struct products *s, struct etc_sites *sites, uint32_t k)
{
	const uint32_t product = product_at(s, k);
	struct etc_place *place;
	const struct etc_node **node;

	if (product == MANY || is_found(sites, s->event[k]))
		return true;
	place = etc_new(s->p->arena, struct etc_place, 1);
	node = etc_new(s->p->arena, const struct etc_node *, 1);
	if (!place || !node)
		return false;
	*node = &s->graph->nodes[s->node[product]];
	*place = (struct etc_place){ .nodes = node, .count = 1, .how = ETC_PLACE_EXACT };
	sites->place[s->event[k]] = place;
	return s->p->bare || etc_groups_make(place, &s->p->names, false, s->p->arena);
}

/* Sets s->weights, the number of weights of each product, if the program's delegate has as many
 * products as the record. False: out of memory. */
static bool find_weights(struct products *s, const struct etc_delegate_graph *g)
{
	uint64_t *weights = etc_new(&s->scratch, uint64_t, s->nodes);
	uint32_t count = 0;

	for (uint32_t i = 0; g && weights && i < g->count; i++)
		if (g->nodes[i].kind == ETC_DELEGATE_PRODUCT && count++ < s->nodes)
			weights[count - 1] = g->nodes[i].weights;
	s->weights = count == s->nodes ? weights : NULL;
	return weights != NULL;
}

/* Sets the places of `s->event`, the events of one call in file order. False: out of memory. */
static bool place_call(struct products *s, struct etc_sites *sites,
                       const struct etc_delegate_graph *graph)
{
	bool nomem;

	if (!list_nodes(s, &nomem) || s->nodes != s->events)
		return !nomem;
	if (s->nodes > 1 && !order(s, &nomem))
		return !nomem;
	if (s->nodes == 1) {
		s->before = etc_new(&s->scratch, uint32_t, 1);
		s->after = etc_new(&s->scratch, uint32_t, 1);
		if (!s->before || !s->after)
			return false;
	}
	if (!find_weights(s, graph))
		return false;
	for (uint32_t k = 0; k < s->events; k++)
		if (!agrees(s, sites, k))
			return true;
	for (uint32_t k = 0; k < s->events; k++)
		if (!place_one(s, sites, k))
			return false;
	return true;
}

/* Did the plugin identify the event's nodes by something other than debug handles? */
static bool is_keyed(const struct etc_sites *sites, uint32_t site)
{
	const struct etc_mapped *m = etc_site_said(sites, &sites->v[site]).mapped;

	return m && (m->key.len || m->not_edge_handles);
}

/* Returns the graph of the delegate that the DELEGATE_CALL calls; NULL: unknown, or not needed. */
static const struct etc_delegate_graph *graph_of(const struct etc_sites *sites, uint32_t call)
{
	return sites->method
	               ? etc_method_delegate(sites->method, etc_site_event(sites, &sites->v[call]))
	                         .graph
	               : NULL;
}

/* In each call, finds the events that compute products, and sets the places of these events. `next`
 * links the events found in a call, from the last to the first. */
static enum etc_status place_all(struct etc_sites *sites, struct etc_places *p,
                                 struct etc_arena *scratch, struct etc_error *err)
{
	uint32_t *last = etc_new(scratch, uint32_t, sites->count);
	uint32_t *next = etc_new(scratch, uint32_t, sites->count);
	uint32_t *count = etc_new(scratch, uint32_t, sites->count);

	ETC_NEED(last && next && count, err);
	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_site *e = &sites->v[i];

		if (!e->delegate || e->expanded || e->call == ETC_NO_SITE ||
		    !etc_builtin_of(e->reading->backend))
			continue;
		if (is_keyed(sites, i))
			count[e->call] = MANY;
		if (count[e->call] == MANY || !is_product_event(sites, i))
			continue;
		next[i] = last[e->call];
		last[e->call] = i;
		count[e->call]++;
	}
	for (uint32_t i = 0; i < sites->count; i++) {
		struct products s = {
			.p = p, .graph = p->graph, .partition = sites->place[i], .events = count[i]
		};
		bool good;

		if (!sites->v[i].delegate_call || count[i] == 0 || count[i] == MANY)
			continue;
		ETC_NEED(find_owners(p), err);
		etc_arena_init(&s.scratch, p->arena->budget);
		s.event = etc_new(&s.scratch, uint32_t, s.events);
		for (uint32_t k = s.events, at = last[i]; s.event && k-- > 0; at = next[at])
			s.event[k] = at;
		good = s.event && place_call(&s, sites, graph_of(sites, i));
		etc_arena_release(&s.scratch);
		ETC_NEED(good, err);
	}
	return ETC_OK;
}

enum etc_status etc_products_place(struct etc_sites *sites, struct etc_places *p,
                                   struct etc_error *err)
{
	struct etc_arena scratch;
	enum etc_status st;

	if (!p->maps || !p->graph || !p->graph->tensors || !p->graph->tensors->whole)
		return ETC_OK;
	etc_arena_init(&scratch, p->arena->budget);
	st = place_all(sites, p, &scratch, err);
	etc_arena_release(&scratch);
	return st;
}
