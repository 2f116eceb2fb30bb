/* graph_element.c -- see graph_element.h. */
#include "formats/etrecord/graph_element.h"

#include "formats/etrecord/node_text.h"

#include <stdalign.h>

/* State while one element of "nodes" is read. */
struct element {
	struct etc_str name, target;
	struct etc_grow arguments; /* struct etc_graph_argument */
	struct etc_grow graphs;    /* struct etc_str: subgraphs among the arguments */
	struct etc_grow values;    /* struct value: its outputs */
	uint32_t outputs;
};

/* A value that a node makes. */
struct value {
	struct etc_str name;
	uint32_t output, item; /* index of the output; index in its list */
	bool list;
};

struct etc_graph_line *etc_lines_add(struct etc_lines_reader *lr, struct etc_grow *g, uint8_t op)
{
	struct etc_graph_line *line = ETC_GROW(lr->arena, g, struct etc_graph_line);

	lr->nomem |= !line;
	if (line)
		line->op = op;
	return line;
}

struct etc_str etc_lines_text(struct etc_lines_reader *lr)
{
	struct etc_str s = etc_text_str(&lr->writer.text), copy = etc_arena_str(lr->arena, s);

	lr->nomem |= lr->writer.nomem || lr->writer.text.failed || (s.len && !copy.ptr);
	lr->writer.text.len = 0;
	return copy;
}

static struct etc_str string_of(struct etc_lines_reader *lr, const struct etc_json_value *v)
{
	struct etc_str s = { 0 };
	bool bad = false;

	if (etc_json_type(v) != ETC_JSON_STRING)
		return s;
	if (!etc_json_unescape(lr->arena, etc_json_inside(v->raw), &s, &bad))
		lr->nomem |= !bad;
	return s;
}

/* ---- arguments ----------------------------------------------------------- */

/* Do operators accept arguments of this kind only by keyword? */
static bool is_keyword(struct etc_str kind)
{
	static const struct etc_str kinds[] = { { "as_scalar_type", 14 },
		                                { "as_layout", 9 },
		                                { "as_device", 9 },
		                                { "as_memory_format", 16 } };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (etc_str_eq(kind, kinds[i]))
			return true;
	return false;
}

static void add_argument(struct etc_lines_reader *lr, struct element *x,
                         const struct etc_json_value *v)
{
	struct etc_graph_argument *a =
		ETC_GROW(lr->arena, &x->arguments, struct etc_graph_argument);
	struct etc_json_iter it;
	struct etc_str *graph;

	lr->nomem |= !a;
	if (!a || etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("name"))) {
			a->name = string_of(lr, &it.value);
		} else if (etc_str_eq(it.key, ETC_STR("arg"))) {
			etc_argument_put(&lr->writer, &it.value);
			a->keyword = is_keyword(lr->writer.kind);
			a->text = etc_lines_text(lr);
			if (!lr->writer.graph.len)
				continue;
			graph = ETC_GROW(lr->arena, &x->graphs, struct etc_str);
			lr->nomem |= !graph;
			if (graph)
				*graph = lr->writer.graph;
		}
	}
}

static void read_arguments(struct etc_lines_reader *lr, struct element *x,
                           const struct etc_json_value *v)
{
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_more(&it))
		add_argument(lr, x, &it.value);
}

/* ---- outputs ------------------------------------------------------------- */

static void add_value(struct etc_lines_reader *lr, struct element *x,
                      const struct etc_json_value *v, uint32_t item, bool list)
{
	struct value *out = ETC_GROW(lr->arena, &x->values, struct value);
	struct etc_json_iter it;

	lr->nomem |= !out;
	if (!out)
		return;
	*out = (struct value){ .output = x->outputs, .item = item, .list = list };
	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (etc_json_more(&it))
		if (etc_str_eq(it.key, ETC_STR("name")) || etc_str_eq(it.key, ETC_STR("as_name")))
			out->name = string_of(lr, &it.value);
}

/* One output: {"as_tensor": {"name": ...}}, {"as_tensors": [...]}, ... */
static void read_output(struct etc_lines_reader *lr, struct element *x,
                        const struct etc_json_value *v)
{
	struct etc_json_iter it, list;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_more(&it)) {
		if (etc_json_type(&it.value) == ETC_JSON_OBJECT) {
			add_value(lr, x, &it.value, 0, false);
		} else if (etc_json_type(&it.value) == ETC_JSON_ARRAY &&
		           etc_json_enter(&it.value, &list)) {
			for (uint32_t i = 0; etc_json_more(&list); i++)
				add_value(lr, x, &list.value, i, true);
		}
	}
}

static void read_outputs(struct etc_lines_reader *lr, struct element *x,
                         const struct etc_json_value *v)
{
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	for (; !lr->nomem && etc_json_more(&it); x->outputs++)
		read_output(lr, x, &it.value);
}

/* ---- lines of a node ----------------------------------------------------- */

/* Renames a value to the name of its node. */
static void rename_value(struct etc_lines_reader *lr, struct etc_str value, struct etc_str name)
{
	struct etc_str *to;

	if (!value.len || etc_str_eq(value, name))
		return;
	to = ETC_GROW(lr->arena, &lr->names, struct etc_str);
	lr->nomem |=
		!to || etc_map_add(&lr->writer.aliases, value, lr->names.count - 1) == ETC_MAP_NONE;
	if (to)
		*to = name;
	lr->writer.names = lr->names.items;
}

static void add_get_attr(struct etc_lines_reader *lr, struct etc_str name)
{
	struct etc_graph_line *line = etc_lines_add(lr, &lr->nodes, ETC_LINE_GET_ATTR);

	if (line)
		line->name = line->target = name;
}

static void add_getitem(struct etc_lines_reader *lr, const struct etc_graph_line *from,
                        uint32_t item, struct etc_str name)
{
	struct etc_graph_line *line = etc_lines_add(lr, &lr->nodes, ETC_LINE_CALL);
	struct etc_graph_argument *a = etc_new(lr->arena, struct etc_graph_argument, 2);

	lr->nomem |= !a;
	if (lr->nomem)
		return;
	a[0].text = from->name;
	a[1].text = etc_arena_printf(lr->arena, "%lu", (unsigned long)item);
	*line = (struct etc_graph_line){ .op = ETC_LINE_CALL,
		                         .name = name,
		                         .target = ETC_STR("_operator.getitem"),
		                         .arguments = a,
		                         .argument_count = 2,
		                         .node = from->node };
}

/* A node with several values gets a getitem node for each; a list among several outputs gets
 * one of its own too. */
static void add_getitems(struct etc_lines_reader *lr, const struct element *x,
                         const struct etc_graph_line *call)
{
	const struct value *v = x->values.items;
	struct etc_graph_line inner = { .name = ETC_STR("getitem"), .node = call->node };

	if (x->outputs == 1 && x->values.count == 1 && !v[0].list) {
		rename_value(lr, v[0].name, call->name);
		return;
	}
	for (uint32_t i = 0; i < x->values.count && !lr->nomem; i++) {
		bool nested = v[i].list && x->outputs > 1;

		if (nested && v[i].item == 0)
			add_getitem(lr, call, v[i].output, inner.name);
		add_getitem(lr, nested ? &inner : call, v[i].list ? v[i].item : v[i].output,
		            v[i].name);
	}
}

static void add_call(struct etc_lines_reader *lr, struct element *x, const struct etc_node *node)
{
	struct etc_graph_argument *a = x->arguments.items;
	const struct etc_str *graphs = x->graphs.items;
	struct etc_graph_line *line, call;
	struct etc_str op;

	if (etc_node_target(x->target, &op) == ETC_TARGET_DELEGATE && x->arguments.count) {
		add_get_attr(lr, a[0].name);
		a[0].text = a[0].name;
		a[0].name = (struct etc_str){ 0 };
	}
	for (uint32_t i = 0; i < x->graphs.count; i++)
		add_get_attr(lr, graphs[i]);
	line = etc_lines_add(lr, &lr->nodes, ETC_LINE_CALL);
	if (!line)
		return;
	line->name = node ? node->name : x->name.len ? x->name : ETC_STR("alloc");
	line->target = x->target;
	line->arguments = a;
	line->argument_count = x->arguments.count;
	line->node = node;
	call = *line; /* adding lines may move the list */
	add_getitems(lr, x, &call);
}

void etc_graph_element(struct etc_lines_reader *lr, const struct etc_json_value *v)
{
	const struct etc_graph *g = lr->graph;
	const struct etc_node *node = NULL;
	struct element x = { 0 };
	struct etc_json_iter it;

	if (lr->next < g->node_count && g->nodes[lr->next].index == lr->seen)
		node = &g->nodes[lr->next++];
	lr->seen++;
	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("name")))
			x.name = string_of(lr, &it.value);
		else if (etc_str_eq(it.key, ETC_STR("target")))
			x.target = string_of(lr, &it.value);
		else if (etc_str_eq(it.key, ETC_STR("inputs")))
			read_arguments(lr, &x, &it.value);
		else if (etc_str_eq(it.key, ETC_STR("outputs")))
			read_outputs(lr, &x, &it.value);
	}
	/* No `node` in a damaged graph: the first pass stopped at the damage, before this node. */
	if (!lr->nomem && !etc_json_failed(v->doc) &&
	    (node || lr->next < g->node_count || !g->truncated))
		add_call(lr, &x, node);
}
