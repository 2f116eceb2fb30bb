/* graph_lines.c -- see graph_lines.h.
 *
 * The members of a graph come in any order, so inputs, nodes and outputs are collected separately.
 * They get the names that Python would give them. */
#include "formats/etrecord/graph_lines.h"

#include <stdalign.h>

#include "base/map.h"
#include "base/text.h"
#include "formats/container/json.h"
#include "formats/etrecord/etrecord_reader.h"
#include "formats/etrecord/node_text.h"
#include "model/graph_line.h"

/* ---- the text of an argument --------------------------------------------------- */

struct argument_writer {
	struct etc_arena *arena;
	/* buffer for the text of an argument; reused for each argument */
	struct etc_text text;
	struct etc_map aliases;      /* maps a value that Python renames to its index in `names` */
	const struct etc_str *names; /* names of nodes */
	struct etc_str kind;         /* kind of the argument, such as "as_ints" */
	struct etc_str graph;        /* name of the graph, if the kind is as_graph */
	bool nomem;
};

/* Maximum size of the text of one argument, in bytes. The text could otherwise become very large if
 * a list has a value many times, and the value is replaced by a long node name. */
enum { TEXT_MAX = 64 << 20 };

/* Names; the index is the number in the enum ScalarType, Layout or MemoryFormat of
 * exir/serde/schema.py. */
static const char *const scalar_types[] = {
	NULL,      "uint8",    "int8",    "int16",       "int32",         "int64",
	"float16", "float32",  "float64", "complex32",   "complex64",     "complex128",
	"bool",    "bfloat16", "uint16",  "float8_e5m2", "float8_e4m3fn",
};
static const char *const layouts[] = {
	NULL,         "sparse_coo", "sparse_csr", "sparse_csc",
	"sparse_bsr", "sparse_bsc", "_mkldnn",    "strided",
};
static const char *const memory_formats[] = {
	NULL, "contiguous_format", "channels_last", "channels_last_3d", "preserve_format",
};

static const struct {
	struct etc_str kind;
	const char *const *names;
	int64_t count;
} enums[] = {
	{ { "as_scalar_type", 14 }, scalar_types, sizeof scalar_types / sizeof *scalar_types },
	{ { "as_layout", 9 }, layouts, sizeof layouts / sizeof *layouts },
	{ { "as_memory_format", 16 },
	  memory_formats,
	  sizeof memory_formats / sizeof *memory_formats },
};

/* Returns the text of a string; empty for other values. */
static struct etc_str string_of(struct etc_arena *arena, bool *nomem,
                                const struct etc_json_value *v)
{
	struct etc_str s = { 0 };
	bool bad = false;

	if (etc_json_type(v) != ETC_JSON_STRING)
		return s;
	if (!etc_json_unescape(arena, etc_json_inside(v->raw), &s, &bad))
		*nomem |= !bad;
	return s;
}

static void put_int(struct argument_writer *w, struct etc_str kind, struct etc_str raw)
{
	int64_t n;

	for (size_t i = 0; i < sizeof enums / sizeof *enums; i++)
		if (etc_str_eq(kind, enums[i].kind) && etc_json_int(raw, &n) && n > 0 &&
		    n < enums[i].count) {
			etc_text_printf(&w->text, "torch.%s", enums[i].names[n]);
			return;
		}
	etc_text_put(&w->text, raw);
}

static void put_name(struct argument_writer *w, const struct etc_json_value *v)
{
	struct etc_str name = string_of(w->arena, &w->nomem, v);
	size_t at = w->aliases.count ? etc_map_get(&w->aliases, name) : ETC_MAP_NONE;

	etc_text_put(&w->text, at == ETC_MAP_NONE ? name : w->names[at]);
	w->nomem |= w->text.len > TEXT_MAX;
}

static void put_value(struct argument_writer *w, struct etc_str kind,
                      const struct etc_json_value *v);

/* Writes an object such as {"name": x}, {"as_name": x}, {"as_tensor": {...}} or {"type": "cpu",
 * "index": 0}. */
static void put_object(struct argument_writer *w, struct etc_str kind,
                       const struct etc_json_value *v)
{
	struct etc_json_iter it;
	bool graph = etc_str_eq(kind, ETC_STR("as_graph"));

	if (!etc_json_enter(v, &it))
		return;
	while (etc_json_more(&it)) {
		if (etc_json_type(&it.value) == ETC_JSON_NULL)
			continue;
		if (etc_str_eq(it.key, ETC_STR("name")) || etc_str_eq(it.key, ETC_STR("as_name"))) {
			if (graph)
				w->graph = string_of(w->arena, &w->nomem, &it.value);
			put_name(w, &it.value);
		} else if (etc_str_starts(it.key, ETC_STR("as_"))) {
			put_value(w, it.key, &it.value);
		} else if (etc_str_eq(it.key, ETC_STR("type"))) {
			etc_text_put(&w->text, string_of(w->arena, &w->nomem, &it.value));
		} else if (etc_str_eq(it.key, ETC_STR("index"))) {
			etc_text_char(&w->text, ':');
			etc_text_put(&w->text, it.value.raw);
		}
	}
}

static void put_list(struct argument_writer *w, struct etc_str kind, const struct etc_json_value *v)
{
	struct etc_json_iter it;
	bool none = etc_str_eq(kind, ETC_STR("as_none"));

	if (w->nomem || !etc_json_enter(v, &it))
		return;
	etc_text_cstr(&w->text, none ? "None" : "[");
	for (bool first = true; !w->nomem && etc_json_more(&it); first = false) {
		etc_text_cstr(&w->text, first ? "" : ", ");
		put_value(w, kind, &it.value);
	}
	etc_text_cstr(&w->text, none ? "" : "]");
}

static void put_value(struct argument_writer *w, struct etc_str kind,
                      const struct etc_json_value *v)
{
	switch (etc_json_type(v)) {
	case ETC_JSON_OBJECT:
		put_object(w, kind, v);
		break;
	case ETC_JSON_ARRAY:
		put_list(w, kind, v);
		break;
	case ETC_JSON_TRUE:
	case ETC_JSON_FALSE:
		etc_text_cstr(&w->text, etc_str_eq(kind, ETC_STR("as_none")) ? "None"
		                        : etc_json_type(v) == ETC_JSON_TRUE  ? "True"
		                                                             : "False");
		break;
	case ETC_JSON_NULL:
		etc_text_cstr(&w->text, "None");
		break;
	case ETC_JSON_INT:
		put_int(w, kind, v->raw);
		break;
	case ETC_JSON_STRING:
		etc_text_put(&w->text, etc_str_eq(kind, ETC_STR("as_operator"))
		                               ? etc_json_inside(v->raw)
		                               : v->raw);
		break;
	case ETC_JSON_FLOAT:
		etc_text_put(&w->text, v->raw);
		break;
	case ETC_JSON_BAD:
		etc_json_verify(v);
		break;
	}
}

/* Appends the value of a union Argument (exir/serde/schema.py) to w->text, with names of nodes
 * and Python literals. Walks the whole value. */
static void put_argument(struct argument_writer *w, const struct etc_json_value *argument)
{
	struct etc_json_iter it;

	w->kind = w->graph = (struct etc_str){ 0 };
	if (etc_json_type(argument) != ETC_JSON_OBJECT || !etc_json_enter(argument, &it))
		return;
	/* Releases before 0.4 write all members of a union; those that are not set are null. */
	while (etc_json_more(&it)) {
		if (w->kind.len || etc_json_type(&it.value) == ETC_JSON_NULL)
			continue;
		w->kind = it.key;
		put_value(w, it.key, &it.value);
	}
	if (!w->kind.len)
		etc_text_cstr(&w->text, "None");
}

/* ---- one element of "nodes": lines for its subgraphs, its call, and each value it returns */

/* State while the lines of a graph are made. */
struct lines_reader {
	struct etc_arena *arena;
	const struct etc_graph *graph;
	struct argument_writer writer;
	struct etc_grow inputs, nodes, outputs; /* struct etc_graph_line */
	/* a struct etc_graph_line for each input in the graph's signature: the kind of the
	 * input, and the name of its weight */
	struct etc_grow specs;
	struct etc_grow
		changed; /* the signature's outputs, as lines; those with a weight's name are
	                          * buffers that the graph changes */
	/* elements are struct etc_str: the names of nodes, which replace the names of values */
	struct etc_grow names;
	uint32_t seen; /* number of elements of the list "nodes" that were read so far */
	/* index in graph->nodes of the first node that was not made from an earlier element */
	uint32_t next;
	bool nomem;
};

/* State while one element of "nodes" is read. */
struct element {
	struct etc_str name, target;
	struct etc_grow arguments; /* struct etc_graph_argument */
	struct etc_grow graphs;    /* struct etc_str: subgraphs among the arguments */
	struct etc_grow values;    /* struct value: its outputs */
	uint32_t outputs;
};

/* A value that a node returns. */
struct value {
	struct etc_str name;
	uint32_t output, item; /* `output`: index of the output that is the value, or that is a list
	                        * with the value; `item`: index in that list */
	bool list;
};

/* Adds a line with the operation `op` to `g`. Returns NULL and sets lr->nomem if out of memory. */
static struct etc_graph_line *add_line(struct lines_reader *lr, struct etc_grow *g, uint8_t op)
{
	struct etc_graph_line *line = ETC_GROW(lr->arena, g, struct etc_graph_line);

	lr->nomem |= !line;
	if (line)
		line->op = op;
	return line;
}

/* Returns a copy of the text in lr->writer, and empties the writer. */
static struct etc_str take_text(struct lines_reader *lr)
{
	struct etc_str s = etc_text_str(&lr->writer.text), copy = etc_arena_str(lr->arena, s);

	lr->nomem |= lr->writer.nomem || lr->writer.text.failed || (s.len && !copy.ptr);
	lr->writer.text.len = 0;
	return copy;
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

static void add_argument(struct lines_reader *lr, struct element *x, const struct etc_json_value *v)
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
			a->name = string_of(lr->arena, &lr->nomem, &it.value);
		} else if (etc_str_eq(it.key, ETC_STR("arg"))) {
			put_argument(&lr->writer, &it.value);
			a->keyword = is_keyword(lr->writer.kind);
			a->text = take_text(lr);
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

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_more(&it))
		add_argument(lr, x, &it.value);
}

/* ---- outputs ------------------------------------------------------------- */

static void add_value(struct lines_reader *lr, struct element *x, const struct etc_json_value *v,
                      uint32_t item, bool list)
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
			out->name = string_of(lr->arena, &lr->nomem, &it.value);
}

/* Reads one output: {"as_tensor": {"name": ...}}, {"as_tensors": [...]}, ... */
static void read_output(struct lines_reader *lr, struct element *x, const struct etc_json_value *v)
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

static void read_outputs(struct lines_reader *lr, struct element *x, const struct etc_json_value *v)
{
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	for (; !lr->nomem && etc_json_more(&it); x->outputs++)
		read_output(lr, x, &it.value);
}

/* ---- lines of a node ----------------------------------------------------- */

/* Renames a value to the name of its node. */
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

/* Adds a getitem line for each value of a node that has several values. A list that is one of
 * several outputs gets a getitem line, too. */
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
	call = *line; /* a copy, because adding lines may move the list */
	add_getitems(lr, x, &call);
}

/* Adds the lines of one element of "nodes": its subgraphs, the call, and a getitem for each value
 * if there are several. The first pass may have made a node of the element; this node is found by
 * the element's index. */
static void read_element(struct lines_reader *lr, const struct etc_json_value *v)
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
			x.name = string_of(lr->arena, &lr->nomem, &it.value);
		else if (etc_str_eq(it.key, ETC_STR("target")))
			x.target = string_of(lr->arena, &lr->nomem, &it.value);
		else if (etc_str_eq(it.key, ETC_STR("inputs")))
			read_arguments(lr, &x, &it.value);
		else if (etc_str_eq(it.key, ETC_STR("outputs")))
			read_outputs(lr, &x, &it.value);
	}
	/* In a damaged graph an element without `node` gets no lines: the first pass stopped at the
	 * damage before this element. */
	if (!lr->nomem && !etc_json_failed(v->doc) &&
	    (node || lr->next < g->node_count || !g->truncated))
		add_call(lr, &x, node);
}

/* Adds a placeholder for an input of the graph. */
static void read_input(struct lines_reader *lr, const struct etc_json_value *v, uint32_t place)
{
	struct etc_graph_line *line = add_line(lr, &lr->inputs, ETC_LINE_PLACEHOLDER);
	struct etc_str text;

	put_argument(&lr->writer, v);
	text = take_text(lr);
	if (!line)
		return;
	if (etc_str_starts(lr->writer.kind, ETC_STR("as_tensor")) ||
	    etc_str_starts(lr->writer.kind, ETC_STR("as_sym")) ||
	    etc_str_eq(lr->writer.kind, ETC_STR("as_custom_obj")))
		line->name = text;
	else /* a constant among the example inputs of the export, which is not a value of the
	      * graph */
		line->name = etc_arena_printf(lr->arena, "arg%lu", (unsigned long)place);
	line->target = line->name;
}

static void read_graph_output(struct lines_reader *lr, struct etc_grow *arguments,
                              const struct etc_json_value *v)
{
	struct etc_graph_argument *a = ETC_GROW(lr->arena, arguments, struct etc_graph_argument);

	put_argument(&lr->writer, v);
	lr->nomem |= !a;
	if (a)
		a->text = take_text(lr);
}

static void read_list(struct lines_reader *lr, struct etc_str which, const struct etc_json_value *v,
                      struct etc_grow *outputs)
{
	struct etc_json_iter it;
	bool nodes = etc_str_eq(which, ETC_STR("nodes"));
	bool inputs = etc_str_eq(which, ETC_STR("inputs"));

	if (!(nodes || inputs || etc_str_eq(which, ETC_STR("outputs"))) ||
	    etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	/* If a member occurs twice in the object, the last one counts, as in Python. */
	*(nodes ? &lr->nodes : inputs ? &lr->inputs : outputs) = (struct etc_grow){ 0 };
	lr->next = lr->seen = nodes ? 0 : lr->seen;
	for (uint32_t i = 0; !lr->nomem && etc_json_more(&it); i++) {
		if (nodes)
			read_element(lr, &it.value);
		else if (inputs)
			read_input(lr, &it.value, i);
		else
			read_graph_output(lr, outputs, &it.value);
	}
}

/* Adds the line of the outputs. Their names are resolved here, after the nodes, because the outputs
 * precede the nodes in the file. */
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

static void read_graph(struct lines_reader *lr, const struct etc_json_value *v,
                       struct etc_grow *outputs)
{
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_more(&it))
		read_list(lr, it.key, &it.value, outputs);
}

/* Reads {"parameter": {"arg": {...}, "parameter_name": "a.weight"}} of the inputs, or
 * {"buffer_mutation": {"arg": {...}, "buffer_name": "cache"}} of the outputs. */
static void read_spec(struct lines_reader *lr, struct etc_grow *specs,
                      const struct etc_json_value *v)
{
	struct etc_graph_line *spec = add_line(lr, specs, ETC_LINE_PLACEHOLDER);
	struct etc_json_iter kind, it;
	bool bad;

	if (!spec || etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &kind))
		return;
	while (!lr->nomem && etc_json_more(&kind)) {
		spec->input = etc_str_eq(kind.key, ETC_STR("user_input"))        ? ETC_INPUT_USER
		              : etc_str_eq(kind.key, ETC_STR("buffer_mutation")) ? ETC_INPUT_CHANGED
		                                                                 : ETC_INPUT_STATE;
		if (etc_json_type(&kind.value) != ETC_JSON_OBJECT ||
		    !etc_json_enter(&kind.value, &it))
			continue;
		while (!lr->nomem && etc_json_more(&it))
			if (etc_str_ends(it.key, ETC_STR("_name")) &&
			    etc_json_type(&it.value) == ETC_JSON_STRING)
				lr->nomem =
					!etc_json_unescape(lr->arena, etc_json_inside(it.value.raw),
				                           &spec->weight, &bad);
	}
}

/* Reads graph_module.signature: which inputs are the user's, which are weights, and which are
 * buffers that the graph changes. */
static void read_signature(struct lines_reader *lr, const struct etc_json_value *v)
{
	struct etc_json_iter it, list;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_more(&it)) {
		bool inputs = etc_str_eq(it.key, ETC_STR("input_specs"));
		struct etc_grow *specs = inputs ? &lr->specs : &lr->changed;

		if ((!inputs && !etc_str_eq(it.key, ETC_STR("output_specs"))) ||
		    etc_json_type(&it.value) != ETC_JSON_ARRAY || !etc_json_enter(&it.value, &list))
			continue;
		*specs = (struct etc_grow){ 0 };
		while (!lr->nomem && etc_json_more(&list))
			read_spec(lr, specs, &list.value);
	}
}

/* Reads the member graph_module of an exported program; `root` is its JSON. */
static void read_program(struct lines_reader *lr, const struct etc_json_value *root)
{
	struct etc_json_iter program, module;
	struct etc_json_value a, b;
	struct etc_grow outputs = { 0 };
	struct etc_str key;

	if (etc_json_type(root) != ETC_JSON_OBJECT || !etc_json_enter(root, &program))
		return;
	while (!lr->nomem && etc_json_next(&program, &key, &a)) {
		if (!etc_str_eq(key, ETC_STR("graph_module")) ||
		    etc_json_type(&a) != ETC_JSON_OBJECT || !etc_json_enter(&a, &module))
			continue;
		while (!lr->nomem && etc_json_next(&module, &key, &b)) {
			if (etc_str_eq(key, ETC_STR("graph")))
				read_graph(lr, &b, &outputs);
			else if (etc_str_eq(key, ETC_STR("signature")))
				read_signature(lr, &b);
		}
	}
	if (!lr->graph->truncated)
		add_output(lr, &outputs);
}

/* Copies kind and weight name of each input from the signature. Input i of the signature is input i
 * of the graph. Does nothing if the two have different numbers of inputs. */
static void describe_inputs(struct lines_reader *lr)
{
	struct etc_graph_line *line = lr->inputs.items;
	const struct etc_graph_line *spec = lr->specs.items, *output = lr->changed.items;
	struct etc_map changed;

	etc_map_init(&changed, lr->arena);
	for (uint32_t i = 0; i < lr->changed.count && !lr->nomem; i++)
		if (output[i].input == ETC_INPUT_CHANGED && output[i].weight.len)
			lr->nomem = etc_map_add(&changed, output[i].weight, i) == ETC_MAP_NONE;
	for (uint32_t i = 0; lr->specs.count == lr->inputs.count && i < lr->inputs.count; i++) {
		line[i].input = etc_map_get(&changed, spec[i].weight) == ETC_MAP_NONE
		                        ? spec[i].input
		                        : ETC_INPUT_CHANGED;
		line[i].weight = spec[i].weight;
	}
}

static enum etc_status join(struct lines_reader *lr, struct etc_graph_lines *out,
                            struct etc_error *err)
{
	const struct etc_grow *parts[] = { &lr->inputs, &lr->nodes, &lr->outputs };
	size_t count = (size_t)lr->inputs.count + lr->nodes.count + lr->outputs.count;
	struct etc_graph_line *all = etc_new(lr->arena, struct etc_graph_line, count);

	if (!all || lr->nomem)
		return etc_no_memory(err);
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
		describe_inputs(&lr);
		st = join(&lr, out, err);
	}
	etc_json_close(doc);
	etc_text_release(&lr.writer.text);
	return st;
}
