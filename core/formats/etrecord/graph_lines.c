/* graph_lines.c -- see graph_lines.h.
 *
 * The members of a graph come in any order, so inputs, nodes and outputs are collected separately;
 * they get the names that Python gives them. */
#include "formats/etrecord/graph_lines.h"

#include "formats/etrecord/graph_element.h"

#include <stdalign.h>

/* Adds a placeholder for an input of the graph. */
static void read_input(struct etc_lines_reader *lr, const struct etc_json_value *v, uint32_t place)
{
	struct etc_graph_line *line = etc_lines_add(lr, &lr->inputs, ETC_LINE_PLACEHOLDER);
	struct etc_str text;

	etc_argument_put(&lr->writer, v);
	text = etc_lines_text(lr);
	if (!line)
		return;
	if (etc_str_starts(lr->writer.kind, ETC_STR("as_tensor")) ||
	    etc_str_starts(lr->writer.kind, ETC_STR("as_sym")) ||
	    etc_str_eq(lr->writer.kind, ETC_STR("as_custom_obj")))
		line->name = text;
	else /* a constant of the export's example inputs, no value of the graph */
		line->name = etc_arena_printf(lr->arena, "arg%lu", (unsigned long)place);
	line->target = line->name;
}

static void read_graph_output(struct etc_lines_reader *lr, struct etc_grow *arguments,
                              const struct etc_json_value *v)
{
	struct etc_graph_argument *a = ETC_GROW(lr->arena, arguments, struct etc_graph_argument);

	etc_argument_put(&lr->writer, v);
	lr->nomem |= !a;
	if (a)
		a->text = etc_lines_text(lr);
}

static void read_list(struct etc_lines_reader *lr, struct etc_str which,
                      const struct etc_json_value *v, struct etc_grow *outputs)
{
	struct etc_json_iter it;
	bool nodes = etc_str_eq(which, ETC_STR("nodes"));
	bool inputs = etc_str_eq(which, ETC_STR("inputs"));

	if (!(nodes || inputs || etc_str_eq(which, ETC_STR("outputs"))) ||
	    etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	/* The last of two members of one name counts. */
	*(nodes ? &lr->nodes : inputs ? &lr->inputs : outputs) = (struct etc_grow){ 0 };
	lr->next = lr->seen = nodes ? 0 : lr->seen;
	for (uint32_t i = 0; !lr->nomem && etc_json_more(&it); i++) {
		if (nodes)
			etc_graph_element(lr, &it.value);
		else if (inputs)
			read_input(lr, &it.value, i);
		else
			read_graph_output(lr, outputs, &it.value);
	}
}

/* The outputs precede the nodes in the file, so their names are resolved last. */
static void add_output(struct etc_lines_reader *lr, const struct etc_grow *outputs)
{
	struct etc_graph_line *line = etc_lines_add(lr, &lr->outputs, ETC_LINE_OUTPUT);
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

static void read_graph(struct etc_lines_reader *lr, const struct etc_json_value *v,
                       struct etc_grow *outputs)
{
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_more(&it))
		read_list(lr, it.key, &it.value, outputs);
}

/* Reads {"parameter": {"arg": {...}, "parameter_name": "a.weight"}}. */
static void read_spec(struct etc_lines_reader *lr, const struct etc_json_value *v)
{
	struct etc_graph_line *spec = etc_lines_add(lr, &lr->specs, ETC_LINE_PLACEHOLDER);
	struct etc_json_iter kind, it;
	bool bad;

	if (!spec || etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &kind))
		return;
	while (!lr->nomem && etc_json_more(&kind)) {
		spec->input = etc_str_eq(kind.key, ETC_STR("user_input")) ? ETC_INPUT_USER
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

/* Reads graph_module.signature: what the inputs are. */
static void read_signature(struct etc_lines_reader *lr, const struct etc_json_value *v)
{
	struct etc_json_iter it, list;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (!lr->nomem && etc_json_more(&it)) {
		if (!etc_str_eq(it.key, ETC_STR("input_specs")) ||
		    etc_json_type(&it.value) != ETC_JSON_ARRAY || !etc_json_enter(&it.value, &list))
			continue;
		lr->specs = (struct etc_grow){ 0 };
		while (!lr->nomem && etc_json_more(&list))
			read_spec(lr, &list.value);
	}
}

/* Reads graph_module of the program. */
static void read_program(struct etc_lines_reader *lr, const struct etc_json_value *root)
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

/* The n-th input of the signature is the n-th input of the graph. */
static void describe_inputs(struct etc_lines_reader *lr)
{
	struct etc_graph_line *line = lr->inputs.items;
	const struct etc_graph_line *spec = lr->specs.items;

	for (uint32_t i = 0; lr->specs.count == lr->inputs.count && i < lr->inputs.count; i++) {
		line[i].input = spec[i].input;
		line[i].weight = spec[i].weight;
	}
}

static enum etc_status join(struct etc_lines_reader *lr, struct etc_graph_lines *out,
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
	struct etc_lines_reader lr = { .arena = arena, .graph = graph, .writer.arena = arena };
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
