/* etrecord_graph.c -- reads the nodes of a recorded program's top-level graph.
 *
 * exir/serde/schema.py: ExportedProgram.graph_module.graph.{inputs,nodes}. Everything else,
 * including the nodes of control-flow bodies and delegates, is skipped; the Inspector does not
 * show it either. */
#include "formats/etrecord/graph_draft.h"
#include "formats/etrecord/graph_flow.h"

#include <stdalign.h>

/* Reads the inputs of the graph (placeholders), to mark their names as used. Python marks the name
 * in snake case, although the node itself gets the name as written in the file. */
static void read_graph_inputs(struct etc_graph_reader *gr, const struct etc_json_value *v)
{
	struct etc_json_iter it;
	struct etc_json_value value;
	struct etc_str kind, name;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	while (etc_json_more(&it)) {
		etc_graph_union(&it.value, &kind, &value);
		name = etc_graph_member(gr, &value,
		                        etc_str_eq(kind, ETC_STR("as_sym_int")) ? ETC_STR("as_name")
		                                                                : ETC_STR("name"));
		if (name.len == 0 || gr->verdict)
			continue;
		name = etc_fx_snake_case(gr->r->arena, name);
		gr->nomem |= !name.len || !etc_fx_name(&gr->names, name).len;
	}
}

/* Reads the outputs. The Inspector looks for a node with the name of each output; it finds none for
 * a constant number. */
static void read_graph_outputs(struct etc_graph_reader *gr, const struct etc_json_value *v)
{
	struct etc_json_iter it;
	struct etc_json_value value;
	struct etc_str kind;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return;
	while (etc_json_more(&it)) {
		etc_graph_union(&it.value, &kind, &value);
		if (etc_str_eq(kind, ETC_STR("as_int")) && !gr->g->unsupported.len)
			gr->g->unsupported = ETC_STR("an output of the graph is a number");
	}
}

/* Reserves memory for all nodes. Their number is estimated from the length of the first nodes, and
 * is at most the number that the text can contain. */
static void reserve_nodes(struct etc_graph_reader *gr, const struct etc_json_value *list,
                          const struct etc_json_value *now)
{
	const size_t most = etc_json_rest(list) / sizeof(struct etc_node);
	const uint32_t room = etc_grow_estimate(list, now, gr->seen, most);

	gr->nomem |= !etc_grow_reserve(gr->r->arena, &gr->nodes, sizeof(struct etc_node),
	                               alignof(struct etc_node), room) ||
	             !etc_fx_names_reserve(&gr->names, room);
}

static void read_nodes(struct etc_graph_reader *gr, const struct etc_json_value *v)
{
	struct etc_json_iter it;

	gr->likes = (struct etc_json_likes){ .arena = gr->r->arena };
	gr->nodes = (struct etc_grow){ 0 };
	gr->nameless = false;
	gr->seen = 0;
	if (!etc_json_enter(v, &it))
		return;
	if (gr->flow)
		etc_flow_nodes(gr->flow);
	while (etc_json_more(&it)) {
		const uint32_t before = gr->nodes.count;

		if (!etc_graph_node(gr, &it.value))
			return;
		if (gr->flow)
			etc_flow_node(gr->flow, &it.value, gr->seen - 1,
			              gr->nodes.count > before
			                      ? (struct etc_node *)gr->nodes.items + before
			                      : NULL);
		if (gr->seen == ETC_GROW_SAMPLE && !gr->verdict)
			reserve_nodes(gr, v, &it.value);
	}
	if (gr->right && etc_json_type(v) == ETC_JSON_ARRAY)
		etc_graph_is_right(gr->checker, v);
}

static void read_rest(struct etc_graph_reader *gr, struct etc_str key,
                      const struct etc_json_value *v)
{
	static const struct etc_str rest[] = {
		{ "tensor_values", 13 },     { "sym_int_values", 14 },
		{ "sym_bool_values", 15 },   { "is_single_tensor_return", 23 },
		{ "custom_obj_values", 17 },
	};

	etc_graph_unknown(gr, key, rest, sizeof rest / sizeof *rest);
	if (gr->right)
		etc_graph_check_member(gr->checker, key, v);
	if (gr->flow && etc_str_eq(key, ETC_STR("tensor_values")))
		etc_flow_values(gr->flow, v);
}

static void read_graph(struct etc_graph_reader *gr, const struct etc_json_value *v)
{
	struct etc_json_iter it;

	if (!etc_json_enter(v, &it))
		return;
	while (!gr->nomem && etc_json_more(&it)) {
		if (etc_str_eq(it.key, ETC_STR("inputs")))
			read_graph_inputs(gr, &it.value);
		else if (etc_str_eq(it.key, ETC_STR("outputs")))
			read_graph_outputs(gr, &it.value);
		else if (etc_str_eq(it.key, ETC_STR("nodes")))
			read_nodes(gr, &it.value);
		else
			read_rest(gr, it.key, &it.value);
	}
}

/* Reads the schema version, {"major": 5, "minor": 4}. Returns whether the deserialiser of
 * ExecuTorch 1.5 accepts it: major version 5, or 0.0. Records of 2023 have an integer instead. */
static bool read_version(const struct etc_json_value *v)
{
	struct etc_json_iter it;
	int64_t major = -1, minor = -1, *to;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return false;
	while (etc_json_more(&it)) {
		to = etc_str_eq(it.key, ETC_STR("major"))   ? &major
		     : etc_str_eq(it.key, ETC_STR("minor")) ? &minor
		                                            : NULL;
		if (to && etc_json_type(&it.value) == ETC_JSON_INT)
			etc_json_int(it.value.raw, to);
	}
	return major == 5 || (major == 0 && minor == 0);
}

struct program {
	bool has_graph, known_version;
};

static struct program read_program(struct etc_graph_reader *gr, const struct etc_json_value *root)
{
	static const struct etc_str rest[] = {
		{ "graph_module", 12 },      { "schema_version", 14 }, { "opset_version", 13 },
		{ "range_constraints", 17 }, { "dialect", 7 },         { "verifiers", 9 },
	};
	static const struct etc_str module_rest[] = { { "signature", 9 },
		                                      { "module_call_graph", 17 } };
	struct program p = { false, false };
	struct etc_json_iter it, module;
	struct etc_json_value member, part;
	struct etc_str key;

	if (!etc_json_enter(root, &it))
		return p;
	while (!gr->nomem && etc_json_next(&it, &key, &member)) {
		if (etc_str_eq(key, ETC_STR("schema_version")))
			p.known_version = read_version(&member);
		etc_graph_unknown(gr, key, rest, sizeof rest / sizeof *rest);
		if (!etc_str_eq(key, ETC_STR("graph_module")) || !etc_json_enter(&member, &module))
			continue;
		while (!gr->nomem && etc_json_next(&module, &key, &part))
			if (etc_str_eq(key, ETC_STR("graph"))) {
				read_graph(gr, &part);
				p.has_graph = true;
			} else {
				etc_graph_unknown(gr, key, module_rest,
				                  sizeof module_rest / sizeof *module_rest);
			}
	}
	return p;
}

static struct program read_document(struct etc_graph_reader *gr, struct etc_json *doc)
{
	struct etc_json_value root;

	struct etc_arena scratch;
	struct program p;

	etc_fx_names_init(&gr->names, gr->r->arena);
	etc_map_init(&gr->nested, gr->r->arena);
	etc_arena_init(&scratch, etc_arena_whole(gr->r->arena));
	gr->arena = gr->verdict ? &scratch : gr->r->arena;
	gr->right = gr->checker != NULL;
	etc_json_root(doc, &root);
	p = read_program(gr, &root);
	etc_arena_release(&scratch);
	return p;
}

static void refuse(struct etc_graph *g, enum etc_code code, struct etc_str reason)
{
	if (g->python_refuses)
		return;
	g->python_refuses = (uint32_t)code;
	g->python_reason = reason;
}

/* Records damage in the graph itself; nodes read before the damage are kept. */
static void damaged(struct etc_graph_reader *gr, const struct etc_error *why)
{
	struct etc_arena *arena = gr->r->arena;

	gr->g->truncated = true;
	refuse(gr->g, why->code,
	       etc_arena_printf(arena, ETC_STR_FMT ": %s", ETC_STR_ARG(gr->g->name), why->text));
	etc_note_each(gr->r->notes, W0416, ETC_STR_FMT ": %s", ETC_STR_ARG(gr->g->name), why->text);
}

/* If the deserialiser of ExecuTorch 1.5 refuses the graph, stores the reason: an unknown member,
 * nodes without names, another schema version, or odd metadata. */
static void compare_release(struct etc_graph_reader *gr, bool known_version)
{
	struct etc_arena *arena = gr->r->arena;
	const struct etc_str name = gr->g->name;

	if (gr->later.len && known_version)
		etc_note(gr->r->notes, N0428, ETC_STR_FMT ": '" ETC_STR_FMT "'", ETC_STR_ARG(name),
		         ETC_STR_ARG(gr->later));
	if (gr->later.len)
		refuse(gr->g, E0814,
		       etc_arena_printf(arena, ETC_STR_FMT ": unknown member '" ETC_STR_FMT "'",
		                        ETC_STR_ARG(name), ETC_STR_ARG(gr->later)));
	else if (gr->nameless)
		refuse(gr->g, E0814,
		       etc_arena_printf(arena, ETC_STR_FMT ": nodes without a name, as before 1.0",
		                        ETC_STR_ARG(name)));
	else if (!known_version)
		refuse(gr->g, E0814,
		       etc_arena_printf(arena, ETC_STR_FMT ": a schema version that is not 5",
		                        ETC_STR_ARG(name)));
	else if (gr->odd_metadata)
		refuse(gr->g, E0895,
		       etc_arena_printf(
			       arena, ETC_STR_FMT ": node '" ETC_STR_FMT "': %s", ETC_STR_ARG(name),
			       ETC_STR_ARG(gr->odd),
			       gr->odd_metadata & ETC_ODD_MODULES
				       ? "modules that are not 'key,path,class' with ';' between, "
					 "as when a module's name has a ';' or a ','"
				       : "a debug handle that is no integer"));
}

/* Checks against the schema those parts of the graph that were skipped while it was read. The
 * deserialiser of ExecuTorch 1.5 also refuses a graph for faults in these parts. */
static void compare_schema(struct etc_graph_reader *gr, struct etc_str text, struct etc_json *doc)
{
	struct etc_arena *arena = gr->r->arena;
	struct etc_json_value root;
	struct etc_str why;

	if (gr->g->python_refuses || !gr->checker)
		return;
	if (etc_json_long_number(text)) {
		refuse(gr->g, E0814,
		       etc_arena_printf(arena, ETC_STR_FMT ": a number of more than 4300 digits",
		                        ETC_STR_ARG(gr->g->name)));
		return;
	}
	etc_json_root(doc, &root);
	why = etc_graph_check_schema(gr->checker, &root);
	if (why.len)
		refuse(gr->g, E0814,
		       etc_arena_printf(arena, ETC_STR_FMT ": " ETC_STR_FMT,
		                        ETC_STR_ARG(gr->g->name), ETC_STR_ARG(why)));
}

/* Stores the tensors of a graph that was read to its end. */
static bool store_flow(struct etc_graph_reader *gr)
{
	struct etc_graph_flow *flow = etc_new(gr->r->arena, struct etc_graph_flow, 1);

	gr->g->tensors = flow;
	return flow && etc_flow_end(gr->flow, flow);
}

enum etc_status etc_record_read_graph(struct etc_record_reader *r, const struct etc_zip_entry *e,
                                      struct etc_graph *g, struct etc_error *err)
{
	struct etc_graph_checker checker;
	struct etc_graph_reader gr = {
		.r = r,
		.g = g,
		.verdict = g->kind == ETC_GRAPH_EXPORTED && !(r->want & ETC_RECORD_GRAPHS),
	};
	struct etc_error why = { 0 };
	struct etc_json *doc = NULL;
	struct etc_str text = { 0 };
	size_t room = 0;
	struct program p = { false, false };
	enum etc_status st = etc_record_text(r, e, &text, &room, &why);

	if (st == ETC_OK)
		st = etc_json_open_long(text, room, r->arena, &doc, &why);
	etc_graph_checker_init(&checker, r->arena);
	if (r->want & ETC_RECORD_INSPECTOR)
		gr.checker = &checker;
	if (r->want & ETC_RECORD_LATER)
		g->read_origin = etc_node_read_origin;
	if (r->want & ETC_RECORD_FLOWS && g->kind == ETC_GRAPH_EDGE) {
		gr.flow = etc_flow_begin(r->arena);
		gr.nomem = !gr.flow;
	}
	if (st == ETC_OK) {
		p = read_document(&gr, doc);
		if (gr.unsettled && !gr.nomem && !etc_json_failed(doc)) {
			gr.verdict = false;
			p = read_document(&gr, doc);
		}
		st = gr.nomem ? etc_no_memory(&why) : etc_json_check_end(doc, &why);
		if (st == ETC_OK && !p.has_graph)
			st = etc_fail(&why, E0406, "there is no graph in it");
		if (etc_json_unreadable(doc)) {
			gr.nodes.count = 0;
			g->unsupported = (struct etc_str){ 0 };
		}
	}
	if (gr.flow && st == ETC_OK && !store_flow(&gr))
		st = etc_no_memory(&why);
	g->nodes = gr.nodes.items;
	g->node_count = gr.nodes.count;
	if (gr.nomem || why.code == E0904 || why.code == E0905) {
		etc_json_close(doc);
		if (err)
			*err = why;
		return st;
	}
	if (st != ETC_OK)
		damaged(&gr, &why);
	else
		compare_release(&gr, p.known_version);
	if (st == ETC_OK)
		compare_schema(&gr, text, doc);
	etc_json_close(doc);
	return ETC_OK;
}
