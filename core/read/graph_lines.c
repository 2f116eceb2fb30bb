/* graph_lines.c -- see graph_lines.h
 *
 * The members of a graph come in any order, so inputs, nodes and outputs are
 * collected apart. Which node of the first reading an element of "nodes" is, its
 * place tells (etc_node.index); names are those that Python gives. */
#include "read/graph_lines.h"

#include "read/etrecord_reader.h"
#include "read/graph_argument.h"
#include "read/node_text.h"

#include <stdalign.h>

struct lines_reader {
	struct etc_arena *arena;
	const struct etc_graph *graph;
	struct etc_argument_writer writer;
	struct etc_grow inputs, nodes, outputs; /* struct etc_graph_line */
	struct etc_grow names;                  /* struct etc_str: what values are called instead */
	uint32_t seen;                          /* elements of "nodes" so far */
	uint32_t next; /* the first node of the graph that is not yet met */
	bool nomem;
};

/* One element of "nodes" while it is read. */
struct element {
	struct etc_str name, target;
	struct etc_grow arguments; /* struct etc_graph_argument */
	struct etc_grow graphs;    /* struct etc_str: subgraphs among the arguments */
	struct etc_grow values;    /* struct value: its outputs */
	uint32_t outputs;
};

/* A value that a node has for others to use. */
struct value {
	struct etc_str name;
	uint32_t output, item; /* of which output; its place in a list */
	bool list;
};

static struct etc_graph_line *add_line(struct lines_reader *lr, struct etc_grow *g, uint8_t op)
{
	struct etc_graph_line *line = ETC_GROW(lr->arena, g, struct etc_graph_line);

	lr->nomem |= !line;
	if (line)
		line->op = op;
	return line;
}

static struct etc_str keep(struct lines_reader *lr)
{
	struct etc_str s = etc_text_str(&lr->writer.text), copy = etc_arena_str(lr->arena, s);

	lr->nomem |= lr->writer.nomem || lr->writer.text.failed || (s.len && !copy.ptr);
	lr->writer.text.len = 0;
	return copy;
}

static struct etc_str string_of(struct lines_reader *lr, const struct etc_json_value *v)
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

/* Kinds that operators take by keyword only. */
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

static void add_argument(struct lines_reader *lr, struct element *x, const struct etc_json_value *v)
{
	struct etc_graph_argument *a =
		ETC_GROW(lr->arena, &x->arguments, struct etc_graph_argument);
	struct etc_json_iter it;
	struct etc_json_value member;
	struct etc_str key, *graph;

	lr->nomem |= !a;
	if (!a || etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_next(&it, &key, &member)) {
		if (etc_str_eq(key, ETC_STR("name"))) {
			a->name = string_of(lr, &member);
		} else if (etc_str_eq(key, ETC_STR("arg"))) {
			etc_argument_put(&lr->writer, &member);
			a->keyword = is_keyword(lr->writer.kind);
			a->text = keep(lr);
			if (!lr->writer.graph.len)
				continue;
			graph = ETC_GROW(lr->arena, &x->graphs, struct etc_str);
			lr->nomem |= !graph;
			if (graph)
				*graph = lr->writer.graph;
		}
	}
}

static void read_arguments(struct lines_reader *lr, struct element *x,
                           const struct etc_json_value *v)
{
	struct etc_json_iter it;
	struct etc_json_value input;
	struct etc_str key;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_next(&it, &key, &input))
		add_argument(lr, x, &input);
}

/* ---- outputs ------------------------------------------------------------- */

static void add_value(struct lines_reader *lr, struct element *x, const struct etc_json_value *v,
                      uint32_t item, bool list)
{
	struct value *out = ETC_GROW(lr->arena, &x->values, struct value);
	struct etc_json_iter it;
	struct etc_json_value member;
	struct etc_str key;

	lr->nomem |= !out;
	if (!out)
		return;
	*out = (struct value){ .output = x->outputs, .item = item, .list = list };
	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (etc_json_next(&it, &key, &member))
		if (etc_str_eq(key, ETC_STR("name")) || etc_str_eq(key, ETC_STR("as_name")))
			out->name = string_of(lr, &member);
}

/* One output: {"as_tensor": {"name": ...}}, {"as_tensors": [...]}, ... */
static void read_output(struct lines_reader *lr, struct element *x, const struct etc_json_value *v)
{
	struct etc_json_iter it, list;
	struct etc_json_value member, item;
	struct etc_str key, ignored;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_next(&it, &key, &member)) {
		if (etc_json_type(&member) == ETC_JSON_OBJECT) {
			add_value(lr, x, &member, 0, false);
		} else if (etc_json_type(&member) == ETC_JSON_ARRAY &&
		           etc_json_enter(&member, &list)) {
			for (uint32_t i = 0; etc_json_next(&list, &ignored, &item); i++)
				add_value(lr, x, &item, i, true);
		}
	}
}

static void read_outputs(struct lines_reader *lr, struct element *x, const struct etc_json_value *v)
{
	struct etc_json_iter it;
	struct etc_json_value output;
	struct etc_str key;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	for (; !lr->nomem && etc_json_next(&it, &key, &output); x->outputs++)
		read_output(lr, x, &output);
}

/* ---- lines of a node ----------------------------------------------------- */

/* From now on the value is called what its node is called. */
static void rename_value(struct lines_reader *lr, struct etc_str value, struct etc_str name)
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

static void add_get_attr(struct lines_reader *lr, struct etc_str name)
{
	struct etc_graph_line *line = add_line(lr, &lr->nodes, ETC_LINE_GET_ATTR);

	if (line)
		line->name = line->target = name;
}

static void add_getitem(struct lines_reader *lr, const struct etc_graph_line *from, uint32_t item,
                        struct etc_str name)
{
	struct etc_graph_line *line = add_line(lr, &lr->nodes, ETC_LINE_CALL);
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

/* A node with several values has a getitem node for each; a list among several
 * outputs has one itself. */
static void add_getitems(struct lines_reader *lr, const struct element *x,
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

static void add_call(struct lines_reader *lr, struct element *x, const struct etc_node *node)
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
	line = add_line(lr, &lr->nodes, ETC_LINE_CALL);
	if (!line)
		return;
	line->name = node ? node->name : x->name.len ? x->name : ETC_STR("alloc");
	line->target = x->target;
	line->arguments = a;
	line->argument_count = x->arguments.count;
	line->node = node;
	call = *line; /* the list may move */
	add_getitems(lr, x, &call);
}

static void read_element(struct lines_reader *lr, const struct etc_json_value *v)
{
	const struct etc_graph *g = lr->graph;
	const struct etc_node *node = NULL;
	struct element x = { 0 };
	struct etc_json_iter it;
	struct etc_json_value member;
	struct etc_str key;

	if (lr->next < g->node_count && g->nodes[lr->next].index == lr->seen)
		node = &g->nodes[lr->next++];
	lr->seen++;
	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_next(&it, &key, &member)) {
		if (etc_str_eq(key, ETC_STR("name")))
			x.name = string_of(lr, &member);
		else if (etc_str_eq(key, ETC_STR("target")))
			x.target = string_of(lr, &member);
		else if (etc_str_eq(key, ETC_STR("inputs")))
			read_arguments(lr, &x, &member);
		else if (etc_str_eq(key, ETC_STR("outputs")))
			read_outputs(lr, &x, &member);
	}
	/* What the first reading did not get to is behind the damage. */
	if (!lr->nomem && !etc_json_failed(v->doc) &&
	    (node || lr->next < g->node_count || !g->truncated))
		add_call(lr, &x, node);
}

/* ---- the graph ----------------------------------------------------------- */

/* The inputs of the graph are its placeholders. */
static void read_input(struct lines_reader *lr, const struct etc_json_value *v, uint32_t place)
{
	struct etc_graph_line *line = add_line(lr, &lr->inputs, ETC_LINE_PLACEHOLDER);
	struct etc_str text;

	etc_argument_put(&lr->writer, v);
	text = keep(lr);
	if (!line)
		return;
	if (etc_str_starts(lr->writer.kind, ETC_STR("as_tensor")) ||
	    etc_str_starts(lr->writer.kind, ETC_STR("as_sym")) ||
	    etc_str_eq(lr->writer.kind, ETC_STR("as_custom_obj")))
		line->name = text;
	else /* a number of the export's example inputs: no value of the graph */
		line->name = etc_arena_printf(lr->arena, "arg%lu", (unsigned long)place);
	line->target = line->name;
}

static void read_graph_output(struct lines_reader *lr, struct etc_grow *arguments,
                              const struct etc_json_value *v)
{
	struct etc_graph_argument *a = ETC_GROW(lr->arena, arguments, struct etc_graph_argument);

	etc_argument_put(&lr->writer, v);
	lr->nomem |= !a;
	if (a)
		a->text = keep(lr);
}

static void read_list(struct lines_reader *lr, struct etc_str which, const struct etc_json_value *v,
                      struct etc_grow *outputs)
{
	struct etc_json_iter it;
	struct etc_json_value item;
	struct etc_str key;
	bool nodes = etc_str_eq(which, ETC_STR("nodes"));
	bool inputs = etc_str_eq(which, ETC_STR("inputs"));

	if (!(nodes || inputs || etc_str_eq(which, ETC_STR("outputs"))) ||
	    etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	/* The last of two members of one name counts. */
	*(nodes ? &lr->nodes : inputs ? &lr->inputs : outputs) = (struct etc_grow){ 0 };
	lr->next = lr->seen = nodes ? 0 : lr->seen;
	for (uint32_t i = 0; !lr->nomem && etc_json_next(&it, &key, &item); i++) {
		if (nodes)
			read_element(lr, &item);
		else if (inputs)
			read_input(lr, &item, i);
		else
			read_graph_output(lr, outputs, &item);
	}
}

/* The outputs stand before the nodes, so their names come last. */
static void add_output(struct lines_reader *lr, const struct etc_grow *outputs)
{
	struct etc_graph_line *line = add_line(lr, &lr->outputs, ETC_LINE_OUTPUT);
	struct etc_graph_argument *a = outputs->items;

	for (uint32_t i = 0; i < outputs->count; i++) {
		size_t at = etc_map_get(&lr->writer.aliases, a[i].text);

		if (at != ETC_MAP_NONE)
			a[i].text = lr->writer.names[at];
	}
	if (line)
		*line = (struct etc_graph_line){ .op = ETC_LINE_OUTPUT,
			                         .name = ETC_STR("output"),
			                         .target = ETC_STR("output"),
			                         .arguments = a,
			                         .argument_count = outputs->count };
}

/* graph_module.graph of the program. */
static void read_program(struct lines_reader *lr, const struct etc_json_value *root)
{
	struct etc_json_iter program, module, graph;
	struct etc_json_value a, b, c;
	struct etc_grow outputs = { 0 };
	struct etc_str key;

	if (etc_json_type(root) != ETC_JSON_OBJECT || !etc_json_enter(root, &program))
		return;
	while (!lr->nomem && etc_json_next(&program, &key, &a)) {
		if (!etc_str_eq(key, ETC_STR("graph_module")) ||
		    etc_json_type(&a) != ETC_JSON_OBJECT || !etc_json_enter(&a, &module))
			continue;
		while (!lr->nomem && etc_json_next(&module, &key, &b)) {
			if (!etc_str_eq(key, ETC_STR("graph")) ||
			    etc_json_type(&b) != ETC_JSON_OBJECT || !etc_json_enter(&b, &graph))
				continue;
			while (!lr->nomem && etc_json_next(&graph, &key, &c))
				read_list(lr, key, &c, &outputs);
		}
	}
	if (!lr->graph->truncated)
		add_output(lr, &outputs);
}

static enum etc_status join(struct lines_reader *lr, struct etc_graph_lines *out,
                            struct etc_error *err)
{
	const struct etc_grow *parts[] = { &lr->inputs, &lr->nodes, &lr->outputs };
	size_t count = (size_t)lr->inputs.count + lr->nodes.count + lr->outputs.count;
	struct etc_graph_line *all = etc_new(lr->arena, struct etc_graph_line, count);

	if (!all || lr->nomem)
		return etc_fail(err, E0905, "lines of the graph");
	out->v = all;
	out->count = (uint32_t)count;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (parts[i]->count)
			memcpy(all, parts[i]->items, parts[i]->count * sizeof *all);
		all += parts[i]->count;
	}
	return ETC_OK;
}

enum etc_status etc_graph_lines(const struct etc_zip *zip, const struct etc_graph *graph,
                                struct etc_arena *arena, struct etc_graph_lines *out,
                                struct etc_error *err)
{
	struct etc_record_reader r = { .zip = *zip, .arena = arena };
	struct lines_reader lr = { .arena = arena, .graph = graph, .writer.arena = arena };
	const struct etc_zip_entry *e = etc_zip_find(zip, graph->name);
	struct etc_json_value root;
	struct etc_json *doc = NULL;
	enum etc_status st;

	*out = (struct etc_graph_lines){ 0 };
	if (!e)
		return ETC_OK;
	etc_map_init(&lr.writer.aliases, arena);
	st = etc_record_json(&r, e, &doc, err);
	if (st == ETC_OK) {
		etc_json_root(doc, &root);
		read_program(&lr, &root);
		st = join(&lr, out, err);
	}
	etc_json_close(doc);
	etc_text_release(&lr.writer.text);
	return st;
}
