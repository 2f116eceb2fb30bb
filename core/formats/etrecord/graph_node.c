/* graph_node.c -- see graph_node.h.
 *
 * Members may come in any order, and the name of a node depends on its target and outputs. So a
 * draft collects the members, and the node is made at the end. */
#include "formats/etrecord/graph_draft.h"

#include <stdalign.h>

/* --- arguments ---------------------------------------------------------------- */

static const struct {
	struct etc_str kind;
	bool list;
} odd_kinds[] = {
	{ { "as_device", 9 }, false },         { { "as_layout", 9 }, false },
	{ { "as_memory_format", 16 }, false }, { { "as_operator", 11 }, false },
	{ { "as_strings", 10 }, true },
};

static void judge(struct etc_node_shape *s, struct etc_str name, struct etc_str kind)
{
	for (size_t i = 0; i < sizeof odd_kinds / sizeof *odd_kinds; i++) {
		struct etc_odd_argument odd = { name, kind, odd_kinds[i].list };

		if (!etc_str_eq(kind, odd_kinds[i].kind))
			continue;
		if (!s->odd.kind.len)
			s->odd = odd;
		if (!s->odd_positional.kind.len && name.len == 0)
			s->odd_positional = odd;
	}
}

/* Is the value an empty list? Reads at most its first element. */
static bool is_empty_list(const struct etc_json_value *v)
{
	struct etc_json_iter it;

	return etc_json_type(v) == ETC_JSON_ARRAY && etc_json_enter(v, &it) && !etc_json_more(&it);
}

static void read_argument(struct etc_graph_reader *gr, struct etc_node_draft *d,
                          struct etc_str name, const struct etc_json_value *v)
{
	struct etc_str kind, tensor, *graph;
	struct etc_json_value value;

	etc_graph_union(v, &kind, &value);
	if (is_empty_list(&value))
		return;
	if (etc_str_eq(kind, ETC_STR("as_graph"))) {
		gr->unlike = true;
		graph = ETC_GROW(gr->r->arena, &d->graphs, struct etc_str);
		if (graph)
			*graph = etc_graph_member(gr, &value, ETC_STR("name"));
		gr->nomem |= !graph;
	} else if (gr->nested.count && etc_str_eq(kind, ETC_STR("as_tensor"))) {
		tensor = etc_graph_member(gr, &value, ETC_STR("name"));
		d->double_getitem |= etc_map_get(&gr->nested, tensor) != ETC_MAP_NONE;
	}
	judge(&d->shape, name, kind);
}

static void read_inputs(struct etc_graph_reader *gr, struct etc_node_draft *d,
                        const struct etc_json_value *v)
{
	struct etc_json_iter list, it;
	struct etc_json_value input, member;
	struct etc_str key, name;

	if (!etc_json_enter(v, &list))
		return;
	for (bool first = true; etc_json_next(&list, &key, &input); first = false) {
		name = (struct etc_str){ 0 };
		if (etc_json_type(&input) != ETC_JSON_OBJECT || !etc_json_enter(&input, &it))
			continue;
		while (etc_json_next(&it, &key, &member)) {
			if (etc_str_eq(key, ETC_STR("name"))) {
				etc_node_same(gr, &member);
				name = etc_graph_text(gr, &member);
			} else if (etc_str_eq(key, ETC_STR("arg"))) {
				read_argument(gr, d, name, &member);
			} else {
				etc_graph_unknown(gr, key, NULL, 0);
			}
		}
		if (first)
			d->shape.first_input = name;
	}
}

/* --- outputs ------------------------------------------------------------------ */

/* Adds an output that `v` names in its member `key`. */
static void add_output(struct etc_graph_reader *gr, struct etc_node_draft *d,
                       const struct etc_json_value *v, struct etc_str key, bool list)
{
	struct etc_node_output *o = ETC_GROW(gr->r->arena, &gr->outputs, struct etc_node_output);
	struct etc_json_iter it;

	gr->nomem |= !o;
	if (!o)
		return;
	*o = (struct etc_node_output){ .group = d->shape.outputs,
		                       .list = list,
		                       .sym = etc_str_eq(key, ETC_STR("as_name")) };
	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (etc_json_more(&it))
		if (etc_str_eq(it.key, key))
			etc_node_take(gr, d, ETC_NODE_OUTPUT, &it.value);
}

static void read_output(struct etc_graph_reader *gr, struct etc_node_draft *d,
                        const struct etc_json_value *v)
{
	struct etc_json_value value;
	struct etc_json_iter it;
	struct etc_str kind;

	etc_graph_union(v, &kind, &value);
	if (etc_str_eq(kind, ETC_STR("as_tensor"))) {
		add_output(gr, d, &value, ETC_STR("name"), false);
	} else if (etc_str_eq(kind, ETC_STR("as_tensors")) &&
	           etc_json_type(&value) == ETC_JSON_ARRAY) {
		if (!etc_json_enter(&value, &it))
			return;
		while (etc_json_more(&it))
			add_output(gr, d, &it.value, ETC_STR("name"), true);
	} else if (etc_str_eq(kind, ETC_STR("as_sym_int")) ||
	           etc_str_eq(kind, ETC_STR("as_sym_bool"))) {
		add_output(gr, d, &value, ETC_STR("as_name"), false);
	}
}

static void read_outputs(struct etc_graph_reader *gr, struct etc_node_draft *d,
                         const struct etc_json_value *v)
{
	struct etc_json_iter it;

	/* If the node has two members "outputs", the last one counts. Only a walk over the node
	 * handles this case, so the node is not remembered for comparison with later nodes. */
	gr->unlike |= d->shape.outputs != 0;
	gr->outputs.count = 0;
	d->shape.outputs = 0;
	if (!etc_json_enter(v, &it))
		return;
	while (!gr->nomem && etc_json_more(&it)) {
		read_output(gr, d, &it.value);
		d->shape.outputs++;
	}
}

/* --- the node ------------------------------------------------------------------ */

static bool name_taken(struct etc_graph_reader *gr, struct etc_str candidate)
{
	struct etc_str name = etc_fx_name(&gr->names, candidate);

	gr->nomem |= !name.len;
	return name.len != 0;
}

/* Returns the only output value of the node, which gives the node its name; NULL if there are
 * several or none. */
static const struct etc_node_output *single(const struct etc_graph_reader *gr,
                                            const struct etc_node_draft *d)
{
	const struct etc_node_output *o = gr->outputs.items;

	return d->shape.outputs == 1 && gr->outputs.count == 1 && !o->list ? o : NULL;
}

static struct etc_str candidate(struct etc_graph_reader *gr, const struct etc_node_draft *d)
{
	const struct etc_node_output *one = single(gr, d);

	if (d->shape.kind == ETC_TARGET_ALLOC)
		return ETC_STR("alloc");
	if ((d->shape.kind == ETC_TARGET_EDGE || d->shape.kind == ETC_TARGET_DELEGATE) && one &&
	    !one->sym)
		return one->name;
	if (d->shape.kind != ETC_TARGET_EDGE && d->shape.kind != ETC_TARGET_DELEGATE) {
		if (d->has_name)
			return d->name;
		if (one)
			return one->name;
	}
	return etc_fx_snake_case(gr->r->arena, d->shape.op);
}

/* Takes the names of the getitem nodes that Python makes, one for each output. If one of several
 * outputs is a list, Python makes an additional getitem node for the list as a whole. Arguments
 * then cannot refer to the values of the list, so these values are added to gr->nested. */
static void take_getitems(struct etc_graph_reader *gr, const struct etc_node_draft *d)
{
	const struct etc_node_output *o = gr->outputs.items;
	uint32_t group = UINT32_MAX;

	if (single(gr, d))
		return;
	for (uint32_t i = 0; i < gr->outputs.count; i++) {
		if (o[i].list && d->shape.outputs > 1) {
			if (o[i].group != group && !name_taken(gr, ETC_STR("getitem")))
				return;
			gr->nomem |= etc_map_add(&gr->nested, o[i].name, 0) == ETC_MAP_NONE;
		}
		group = o[i].group;
		if (!name_taken(gr, o[i].name))
			return;
	}
}

/* Is `op` an operator with a required, positional argument of type Device? The Inspector's graph
 * builder rejects a Device as a positional argument. */
static bool takes_device(struct etc_str op)
{
	static const char *const ops[] = {
		"aten.to.device",
		"aten.to.prim_Device",
		"aten._resize_output.default",
		"aten._resize_output_.default",
		"prims.device_put.default",
		"prims.inductor_seed.default",
		"prims.inductor_seeds.default",
		NULL,
	};

	return etc_str_ending(op, ops);
}

static void find_unsupported(struct etc_graph_reader *gr, const struct etc_node_draft *d)
{
	const struct etc_odd_argument *odd = &d->shape.odd;

	if (gr->g->unsupported.len || d->shape.kind == ETC_TARGET_ALLOC)
		return;
	if (d->double_getitem) {
		gr->g->unsupported = etc_arena_printf(gr->r->arena,
		                                      "node '" ETC_STR_FMT
		                                      "': an argument comes out of a list of lists",
		                                      ETC_STR_ARG(d->node.name));
		return;
	}
	if (d->shape.kind == ETC_TARGET_HOP)
		odd = &d->shape.odd_positional;
	if (d->shape.kind == ETC_TARGET_EDGE || d->shape.kind == ETC_TARGET_ATEN)
		if (!etc_str_eq(odd->kind, ETC_STR("as_device")) || !takes_device(d->shape.target))
			return;
	if (odd->kind.len)
		gr->g->unsupported = etc_arena_printf(
			gr->r->arena,
			"Unsupported argument encountered%s: node '" ETC_STR_FMT "', " ETC_STR_FMT,
			odd->list ? " in list" : "", ETC_STR_ARG(d->node.name),
			ETC_STR_ARG(etc_str_sub(odd->kind, 3, odd->kind.len)));
}

/* Handles a node if the caller only needs to know whether the Inspector would accept the graph.
 * Sets `unsettled` if nodes and names are needed nevertheless: for an error that names a node with
 * odd metadata, or because one of several outputs is a list, which changes how later arguments are
 * read. */
static bool only_judge(struct etc_graph_reader *gr, const struct etc_node_draft *d)
{
	const struct etc_node_output *o = gr->outputs.items;

	for (uint32_t i = 0; i < gr->outputs.count; i++)
		gr->unsettled |= o[i].list && d->shape.outputs > 1;
	gr->unsettled |= d->odd_metadata != 0;
	gr->nameless |= !d->shape.named;
	etc_arena_reuse(gr->arena);
	return !gr->nomem;
}

static bool finish(struct etc_graph_reader *gr, struct etc_node_draft *d)
{
	const struct etc_str *graphs = d->graphs.items;
	struct etc_node *n;

	if (gr->verdict)
		return only_judge(gr, d);
	for (uint32_t i = 0; i < d->graphs.count; i++)
		if (!name_taken(gr, graphs[i]))
			return false;
	if (d->shape.kind == ETC_TARGET_DELEGATE &&
	    !name_taken(gr, etc_fx_snake_case(gr->r->arena, d->shape.first_input)))
		return false;
	d->node.name = etc_fx_name(&gr->names, candidate(gr, d));
	if (!d->node.name.len) {
		gr->nomem = true;
		return false;
	}
	if (d->shape.kind != ETC_TARGET_SYM)
		take_getitems(gr, d);
	find_unsupported(gr, d);
	gr->nameless |= !d->shape.named;
	if (d->shape.kind == ETC_TARGET_ALLOC)
		return !gr->nomem;
	n = ETC_GROW(gr->r->arena, &gr->nodes, struct etc_node);
	gr->nomem |= !n;
	if (!n)
		return false;
	if (d->odd_metadata && !gr->odd_metadata) {
		gr->odd = d->node.name;
		gr->odd_metadata = d->odd_metadata;
	}
	d->node.op = d->shape.op;
	d->node.target = d->shape.target;
	d->node.foreign = d->shape.kind == ETC_TARGET_STRANGE;
	/* if the exporter wrote no module stack, the deserialiser sets an empty dict */
	if (d->shape.kind == ETC_TARGET_ATEN || d->shape.kind == ETC_TARGET_HOP ||
	    d->shape.kind == ETC_TARGET_SYM)
		d->node.has_modules = true;
	*n = d->node;
	gr->nomem |= !gr->g->read_origin && !etc_node_read_origin(n, gr->r->arena);
	return !gr->nomem;
}

static bool walk(struct etc_graph_reader *gr, const struct etc_json_value *v,
                 struct etc_node_draft *d)
{
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return false;
	while (!gr->nomem && etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("name"))) {
			etc_node_take(gr, d, ETC_NODE_NAME, &it.value);
			d->shape.named = true;
		} else if (etc_str_eq(it.key, ETC_STR("target"))) {
			etc_node_same(gr, &it.value);
			d->shape.target = etc_graph_text(gr, &it.value);
		} else if (etc_str_eq(it.key, ETC_STR("inputs"))) {
			read_inputs(gr, d, &it.value);
		} else if (etc_str_eq(it.key, ETC_STR("outputs"))) {
			read_outputs(gr, d, &it.value);
		} else if (etc_str_eq(it.key, ETC_STR("metadata"))) {
			etc_node_metadata(gr, d, &it.value);
		} else {
			etc_graph_unknown(gr, it.key, NULL, 0);
		}
	}
	d->shape.kind = etc_node_target(d->shape.target, &d->shape.op);
	return true;
}

bool etc_graph_node(struct etc_graph_reader *gr, const struct etc_json_value *v)
{
	struct etc_node_draft d = { .node.index = gr->seen++ };

	gr->outputs.count = 0;
	if (!etc_node_like(gr, v, &d)) {
		etc_node_begin(gr, v);
		if (!walk(gr, v, &d))
			return false;
		etc_node_learn(gr, v, &d);
	}
	return !gr->nomem && !etc_json_failed(v->doc) && finish(gr, &d);
}
