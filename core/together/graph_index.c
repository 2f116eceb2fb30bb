/* graph_index.c -- see graph_index.h */
#include "together/graph_index.h"

#include <stdio.h>

#include "base/map.h"
#include "join/operator_stem.h"

/* Value in `owner`: several instructions have the debug handle. */
static const uint32_t SEVERAL = UINT32_MAX;

/* Finds the instruction of each handle. False: out of memory. */
static bool find_owners(struct etc_graph_index *x, struct etc_arena *arena)
{
	size_t count = 0;

	for (uint32_t i = 0; i < x->maps->handle_count; i++)
		count += x->maps->handles[i].handles.count;
	x->owner = etc_new(arena, uint32_t, count);
	etc_map_init(&x->listed, arena);
	for (uint32_t i = 0; i < x->maps->handle_count && x->owner; i++) {
		const struct etc_handles *h = &x->maps->handles[i].handles;

		for (uint32_t k = 0; k < h->count; k++) {
			const size_t is_new = x->listed.count;
			const size_t at = etc_map_add(&x->listed, etc_map_number(&h->v[k]), is_new);

			if (at == ETC_MAP_NONE)
				return false;
			x->owner[at] = at == is_new || x->owner[at] == i ? i : SEVERAL;
		}
	}
	return x->owner != NULL;
}

/* Sets x->whole, which is true if the method's debug handle map contains the handle of each
 * product, softmax and max pooling of the graph. Exporters up to 0.3 record one handle per
 * delegate, so their records lack some handles. A graph that was copied after its lowering has
 * calls of delegates instead of the nodes that are inside. */
static void find_whole(struct etc_graph_index *x)
{
	x->whole = !x->crowded;
	for (uint32_t i = 0; i < x->graph->node_count && x->whole; i++) {
		const struct etc_node *n = &x->graph->nodes[i];
		const struct etc_handles *h = &n->debug_handle;

		x->lowered |= etc_str_ends(n->op, ETC_STR("executorch_call_delegate"));
		if (x->lowered)
			x->whole = false;
		else if (h->form == ETC_HANDLES_INT && h->count &&
		         etc_node_delegate_kind(n) < ETC_DELEGATE_ADD)
			x->whole = etc_map_get(&x->listed, etc_map_number(h->v)) != ETC_MAP_NONE;
	}
}

bool etc_graph_index_init(struct etc_graph_index *x, const struct etc_method_maps *maps,
                          const struct etc_graph *g, struct etc_arena *arena)
{
	enum { MOST = 1 << 10 };
	uint32_t *counts = etc_new(arena, uint32_t, g->node_count);

	*x = (struct etc_graph_index){ .maps = maps,
		                       .graph = g,
		                       .head = etc_new(arena, uint32_t, g->node_count),
		                       .next = etc_new(arena, uint32_t, g->node_count) };
	etc_map_init(&x->handles, arena);
	etc_map_init(&x->instructions, arena);
	for (uint32_t i = 0; i < maps->handle_count; i++)
		if (etc_map_add(&x->instructions, maps->handles[i].key, i) == ETC_MAP_NONE)
			return false;
	for (uint32_t i = g->node_count; i-- > 0 && counts && x->head && x->next;) {
		const struct etc_handles *h = &g->nodes[i].debug_handle;
		size_t count = x->handles.count, at;

		x->next[i] = ETC_NO_NODE;
		/* torchao's operators are assumed to have scales per channel, because their
		 * arguments are not read here */
		x->channels |=
			etc_node_quantises(&g->nodes[i]) &&
			(etc_str_find(g->nodes[i].op, ETC_STR("per_channel"), 0) != SIZE_MAX ||
		         etc_str_starts(g->nodes[i].op, ETC_STR("torchao.")));
		if (h->form != ETC_HANDLES_INT || !h->count)
			continue;
		at = etc_map_add(&x->handles, etc_map_number(h->v), count);
		if (at == ETC_MAP_NONE)
			return false;
		x->next[i] = at == count ? ETC_NO_NODE : x->head[at];
		x->head[at] = i;
		x->crowded |= ++counts[at] > MOST;
	}
	if (!counts || !x->head || !x->next || !find_owners(x, arena))
		return false;
	find_whole(x);
	return true;
}

uint32_t etc_graph_index_first(const struct etc_graph_index *x, const int64_t *handle)
{
	size_t at = etc_map_get(&x->handles, etc_map_number(handle));

	return at == ETC_MAP_NONE ? ETC_NO_NODE : x->head[at];
}

/* Returns the index of the instruction in maps->handles. ETC_MAP_NONE: the record does not list
 * the instruction, or x->crowded is set. */
static size_t find_instruction(const struct etc_graph_index *x, int64_t instruction)
{
	char text[24];
	int len = snprintf(text, sizeof text, "%lld", (long long)instruction);

	return x->crowded ? ETC_MAP_NONE
	                  : etc_map_get(&x->instructions, (struct etc_str){ text, (size_t)len });
}

const struct etc_handles *etc_graph_index_handles(const struct etc_graph_index *x,
                                                  int64_t instruction)
{
	size_t at = find_instruction(x, instruction);

	return at == ETC_MAP_NONE ? NULL : &x->maps->handles[at].handles;
}

/* Adds the nodes of one debug handle to the contents of a partition, whose list of handles contains
 * this handle `times` times. */
static void add_handle(const struct etc_graph_index *x, const int64_t *handle, uint32_t times,
                       struct etc_contents *c)
{
	uint32_t n = 0, norms = 0, kinds[ETC_DELEGATE_KINDS] = { 0 };

	for (uint32_t i = etc_graph_index_first(x, handle); i != ETC_NO_NODE; i = x->next[i], n++) {
		const struct etc_node *node = &x->graph->nodes[i];
		uint8_t kind = etc_node_delegate_kind(node);

		if (kind < ETC_DELEGATE_KINDS)
			kinds[kind]++;
		norms += etc_str_eq(etc_node_stem(node),
		                    ETC_STR("native_batch_norm_legit_no_training"));
		c->quantised |= etc_node_quantises(node);
		c->surely |= etc_node_quantises_products(node);
		c->values |= etc_node_quantises_values(node);
		c->four |= x->fours && x->fours[i];
		c->channels |= etc_node_quantises_per_channel(node);
		c->dynamic |= etc_node_quantises(node) &&
		              etc_str_starts(etc_node_stem(node), ETC_STR("choose_qparams"));
		c->attention |=
			etc_str_find(node->op, ETC_STR("scaled_dot_product"), 0) != SIZE_MAX;
	}
	for (uint8_t k = 0; k < ETC_DELEGATE_KINDS; k++) {
		uint32_t others = n - kinds[k];

		c->most[k] += kinds[k] < times ? kinds[k] : times;
		c->least[k] += times > others
		                       ? (times - others < kinds[k] ? times - others : kinds[k])
		                       : 0;
	}
	/* a batch normalisation that does not follow a convolution may be in the program as a
	 * convolution: XNNPACK's exporter converts it */
	c->most[ETC_DELEGATE_PRODUCT] += norms < times ? norms : times;
}

bool etc_contents_of_handles(const struct etc_graph_index *x, const struct etc_handles *h,
                             struct etc_contents *c, struct etc_arena *arena)
{
	uint32_t *times = etc_new(arena, uint32_t, h->count);
	struct etc_map seen;

	*c = (struct etc_contents){ 0 };
	etc_map_init(&seen, arena);
	for (uint32_t i = 0; i < h->count && times; i++) {
		size_t at = etc_map_add(&seen, etc_map_number(&h->v[i]), i);

		if (at == ETC_MAP_NONE)
			return false;
		times[at]++;
	}
	for (uint32_t i = 0; i < h->count && times; i++)
		if (times[i])
			add_handle(x, &h->v[i], times[i], c);
	c->surely = c->surely && c->values && c->least[ETC_DELEGATE_PRODUCT];
	c->channels = c->channels && c->least[ETC_DELEGATE_PRODUCT];
	c->tensors = c->quantised && !x->channels;
	c->four = c->four && c->least[ETC_DELEGATE_PRODUCT];
	c->eight = c->quantised && x->eights;
	return times != NULL;
}

const struct etc_graph *etc_graph_of_method(const struct etc_record *r,
                                            const struct etc_method_maps *maps)
{
	const struct etc_graph *graph = etc_record_edge(r);

	for (uint32_t i = 0; i < r->graph_count; i++)
		if (r->graphs[i].kind == ETC_GRAPH_EDGE && r->graphs[i].per_method &&
		    etc_str_eq(r->graphs[i].method, maps->method))
			graph = &r->graphs[i];
	return graph;
}

void etc_graph_index_compare(const struct etc_graph_index *x, int64_t instruction,
                             struct etc_str name, const char *who, char *to, size_t room)
{
	const struct etc_handles *h = etc_graph_index_handles(x, instruction);
	const struct etc_node *one = NULL;
	struct etc_str want = etc_operator_stem(name);

	for (uint32_t i = 0; h && i < h->count; i++)
		for (uint32_t n = etc_graph_index_first(x, &h->v[i]); n != ETC_NO_NODE;
		     n = x->next[n]) {
			one = &x->graph->nodes[n];
			if (etc_str_eq(etc_node_stem(one), want) ||
			    etc_str_eq(etc_operator_stem(one->op), want))
				return;
		}
	if (one)
		snprintf(to, room, "instruction %lld is %.*s %s and %.*s in the record",
		         (long long)instruction, (int)(want.len < 60 ? want.len : 60), want.ptr,
		         who, (int)(one->op.len < 60 ? one->op.len : 60), one->op.ptr);
}

uint32_t etc_graph_index_behind(const struct etc_graph_index *x, uint32_t at)
{
	const struct etc_graph_tensors *out = &x->flow.calls[at].outputs;
	uint32_t value = out->count ? x->flow.tensors[out->first].value : ETC_NO_NODE;

	return value == ETC_NO_NODE ? ETC_NO_NODE : x->flow.behind[value];
}

bool etc_node_runs_as(const struct etc_node *n, struct etc_str kernel)
{
	size_t dot = etc_str_find(n->op, ETC_STR("."), 0);
	size_t colons = etc_str_find(kernel, ETC_STR("::"), 0);

	return dot != SIZE_MAX && colons != SIZE_MAX &&
	       etc_str_eq(etc_str_sub(n->op, 0, dot), etc_str_sub(kernel, 0, colons)) &&
	       etc_str_eq(etc_node_stem(n), etc_operator_stem(kernel));
}

int etc_graph_index_is_node(void *index, uint32_t node, uint32_t instruction)
{
	enum { MOST = 1 << 22 };
	struct etc_graph_index *x = index;
	const size_t at = find_instruction(x, instruction);
	const struct etc_handles *of = &x->graph->nodes[node].debug_handle;
	const struct etc_handles *h = at == ETC_MAP_NONE ? NULL : &x->maps->handles[at].handles;
	size_t listed;

	if (!h || !h->count || of->form != ETC_HANDLES_INT || !of->count)
		return -1;
	listed = etc_map_get(&x->listed, etc_map_number(of->v));
	if (listed == ETC_MAP_NONE || x->owner[listed] != SEVERAL)
		return listed != ETC_MAP_NONE && x->owner[listed] == at;
	if (x->listed_steps > MOST)
		return -1;
	x->listed_steps += h->count;
	for (uint32_t i = 0; i < h->count; i++)
		if (h->v[i] == of->v[0])
			return 1;
	return 0;
}
