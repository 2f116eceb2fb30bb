/* hierarchy.c -- the order in which the Inspector visits nodes with its option
 * enable_module_hierarchy.
 *
 * FXOperatorGraph._compose_op_graph moves nodes that have both a source_fn_stack and an
 * nn_module_stack into subgraphs, one for each (function, type) of the innermost source
 * function. Subgraphs follow the other nodes, in order of first appearance. This affects
 * only the order of nodes with the same debug handle. */
#include "inspector/inspector.h"

#include "base/map.h"

/* Returns the name that a type has after Python has deserialised the graph. The deserialiser looks
 * the type up in Python's modules `torch` and `operator`. If it finds the type, the name is the
 * type's __name__ (for an operator of torch, with its overload); otherwise the name does not
 * change. */
static struct etc_str type_name(struct etc_str type)
{
	size_t dot = 0;

	if (etc_str_starts(type, ETC_STR("torch.ops."))) {
		dot = etc_str_find(type, ETC_STR("."), 10);
		return dot == SIZE_MAX ? type : etc_str_sub(type, dot + 1, type.len);
	}
	if (!etc_str_starts(type, ETC_STR("torch.")) &&
	    !etc_str_starts(type, ETC_STR("_operator.")))
		return type;
	for (size_t i = 0; i < type.len; i++)
		if (type.ptr[i] == '.')
			dot = i;
	return etc_str_sub(type, dot + 1, type.len);
}

/* Returns the key of the node's subgraph: source_fn[0] and the name of source_fn[1]. The node has
 * both in a text such as "name,torch.nn.Linear". */
static struct etc_str module_key(const struct etc_node *n, struct etc_arena *arena)
{
	size_t comma = etc_str_find(n->source_fn, ETC_STR(","), 0);
	struct etc_str type;

	if (comma == SIZE_MAX)
		return n->source_fn;
	type = type_name(etc_str_sub(n->source_fn, comma + 1, n->source_fn.len));
	return etc_arena_printf(arena, ETC_STR_FMT "," ETC_STR_FMT,
	                        ETC_STR_ARG(etc_str_sub(n->source_fn, 0, comma)),
	                        ETC_STR_ARG(type));
}

const struct etc_node **etc_insp_order(const struct etc_graph *g, bool hierarchy,
                                       struct etc_arena *arena)
{
	const struct etc_node **order = etc_new(arena, const struct etc_node *, g->node_count);
	uint32_t *group, *first, groups = 1;
	struct etc_map known;

	for (uint32_t i = 0; order && !hierarchy && i < g->node_count; i++)
		order[i] = &g->nodes[i];
	if (!order || !hierarchy)
		return order;
	/* for each node, the number of its subgraph (module_key()), from 1; 0: the node has no
	 * source_fn or no modules, or is `foreign` */
	group = etc_new(arena, uint32_t, g->node_count);
	first = etc_new(arena, uint32_t, (size_t)g->node_count + 2);
	if (!group || !first)
		return NULL;
	etc_map_init(&known, arena);
	for (uint32_t i = 0; i < g->node_count; i++) {
		const struct etc_node *n = &g->nodes[i];

		if (n->has_source_fn && n->has_modules && !n->foreign) {
			struct etc_str key = module_key(n, arena);
			size_t at = key.ptr ? etc_map_add(&known, key, groups) : ETC_MAP_NONE;

			if (at == ETC_MAP_NONE)
				return NULL;
			groups += at == groups;
			group[i] = (uint32_t)at;
		}
		first[group[i] + 1]++;
	}
	for (uint32_t k = 1; k < groups; k++)
		first[k] += first[k - 1];
	for (uint32_t i = 0; i < g->node_count; i++)
		order[first[group[i]]++] = &g->nodes[i];
	return order;
}
