/* graph_node.c -- see graph_node.h
 *
 * Members may come in any order, so a draft collects them and the node is made
 * at the end: its name depends on its target and on its outputs. */
#include "read/graph_node.h"

#include <stdalign.h>

struct trace {
	struct etc_str text, file, source;
	uint32_t line;
};

struct stack {
	const struct etc_module *modules;
	uint32_t count;
	bool odd;
};

struct draft {
	struct etc_str name, target, op;
	bool has_name, named; /* a text that is not empty; the member is there */
	enum etc_target_kind kind;
	struct etc_node node;
	uint32_t outputs;           /* members of "outputs" */
	bool other_output;          /* one of them is neither tensor, list of tensors nor symbol */
	struct etc_str first_input; /* name of the first input: a delegate's module */
	struct etc_grow graphs;     /* struct etc_str: names of as_graph arguments */
	struct etc_odd_argument odd, odd_positional; /* the first of all, and of unnamed */
	bool double_getitem, odd_metadata;
};

/* --- arguments ---------------------------------------------------------------- */

static const struct {
	struct etc_str kind;
	bool list;
} odd_kinds[] = {
	{ { "as_device", 9 }, false },         { { "as_layout", 9 }, false },
	{ { "as_memory_format", 16 }, false }, { { "as_operator", 11 }, false },
	{ { "as_strings", 10 }, true },
};

static void judge(struct draft *d, struct etc_str name, struct etc_str kind)
{
	for (size_t i = 0; i < sizeof odd_kinds / sizeof *odd_kinds; i++) {
		struct etc_odd_argument odd = { name, kind, odd_kinds[i].list };

		if (!etc_str_eq(kind, odd_kinds[i].kind))
			continue;
		if (!d->odd.kind.len)
			d->odd = odd;
		if (!d->odd_positional.kind.len && name.len == 0)
			d->odd_positional = odd;
	}
}

/* Looks at the first element, which nobody else needs then. */
static bool is_empty_list(const struct etc_json_value *v)
{
	struct etc_json_iter it;
	struct etc_json_value item;
	struct etc_str key;

	return etc_json_type(v) == ETC_JSON_ARRAY && etc_json_enter(v, &it) &&
	       !etc_json_next(&it, &key, &item);
}

static void read_argument(struct etc_graph_reader *gr, struct draft *d, struct etc_str name,
                          const struct etc_json_value *v)
{
	struct etc_str kind, tensor, *graph;
	struct etc_json_value value;

	etc_graph_union(v, &kind, &value);
	if (is_empty_list(&value))
		return;
	if (etc_str_eq(kind, ETC_STR("as_graph"))) {
		graph = ETC_GROW(gr->r->arena, &d->graphs, struct etc_str);
		if (graph)
			*graph = etc_graph_member(gr, &value, ETC_STR("name"));
		gr->nomem |= !graph;
	} else if (gr->nested.count && etc_str_eq(kind, ETC_STR("as_tensor"))) {
		tensor = etc_graph_member(gr, &value, ETC_STR("name"));
		d->double_getitem |= etc_map_get(&gr->nested, tensor) != ETC_MAP_NONE;
	}
	judge(d, name, kind);
}

static void read_inputs(struct etc_graph_reader *gr, struct draft *d,
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
			if (etc_str_eq(key, ETC_STR("name")))
				name = etc_graph_text(gr, &member);
			else if (etc_str_eq(key, ETC_STR("arg")))
				read_argument(gr, d, name, &member);
			else
				etc_graph_unknown(gr, key, NULL, 0);
		}
		if (first)
			d->first_input = name;
	}
}

/* --- outputs ------------------------------------------------------------------ */

static void add_output(struct etc_graph_reader *gr, const struct draft *d, struct etc_str name,
                       bool list, bool sym)
{
	struct etc_node_output *o = ETC_GROW(gr->r->arena, &gr->outputs, struct etc_node_output);

	gr->nomem |= !o;
	if (o)
		*o = (struct etc_node_output){ name, d->outputs, list, sym };
}

static void read_output(struct etc_graph_reader *gr, struct draft *d,
                        const struct etc_json_value *v)
{
	struct etc_json_value value, item;
	struct etc_json_iter it;
	struct etc_str kind, key;

	etc_graph_union(v, &kind, &value);
	if (etc_str_eq(kind, ETC_STR("as_tensor"))) {
		add_output(gr, d, etc_graph_member(gr, &value, ETC_STR("name")), false, false);
	} else if (etc_str_eq(kind, ETC_STR("as_tensors")) &&
	           etc_json_type(&value) == ETC_JSON_ARRAY) {
		if (!etc_json_enter(&value, &it))
			return;
		while (etc_json_next(&it, &key, &item))
			add_output(gr, d, etc_graph_member(gr, &item, ETC_STR("name")), true,
			           false);
	} else if (etc_str_eq(kind, ETC_STR("as_sym_int")) ||
	           etc_str_eq(kind, ETC_STR("as_sym_bool"))) {
		add_output(gr, d, etc_graph_member(gr, &value, ETC_STR("as_name")), false, true);
	} else {
		d->other_output = true;
	}
}

static void read_outputs(struct etc_graph_reader *gr, struct draft *d,
                         const struct etc_json_value *v)
{
	struct etc_json_iter it;
	struct etc_json_value output;
	struct etc_str key;

	gr->outputs.count = 0;
	d->outputs = 0;
	if (!etc_json_enter(v, &it))
		return;
	while (etc_json_next(&it, &key, &output)) {
		read_output(gr, d, &output);
		d->outputs++;
	}
}

/* --- metadata ----------------------------------------------------------------- */

/* Which of the texts it is; known->count: none of them. */
static size_t find_text(struct etc_map *index, struct etc_grow *known, struct etc_str raw)
{
	enum { MOST = 1024 };

	if (known->count == MOST) {
		etc_map_clear(index);
		known->count = 0;
	}
	return etc_map_add(index, raw, known->count);
}

static bool add_trace(struct etc_graph_reader *gr, const struct etc_json_value *v,
                      struct etc_node *n)
{
	struct etc_record_reader *r = gr->r;
	struct trace *t;
	size_t at;

	if (gr->verdict) {
		etc_graph_text(gr, v);
		return true;
	}
	at = find_text(&r->trace_index, &r->traces, v->raw);
	if (at != ETC_MAP_NONE && at == r->traces.count) {
		t = ETC_GROW(r->arena, &r->traces, struct trace);
		if (t) {
			t->text = etc_graph_text(gr, v);
			etc_node_source(t->text, &t->file, &t->line, &t->source);
		}
	}
	if (at == ETC_MAP_NONE || at >= r->traces.count)
		return false;
	t = (struct trace *)r->traces.items + at;
	n->stack_trace = t->text;
	n->has_stack_trace = t->text.len != 0; /* Python drops an empty one */
	n->source_file = t->file;
	n->source_line = t->line;
	n->source_text = t->source;
	return true;
}

static bool judge_stack(struct etc_graph_reader *gr, const struct etc_json_value *v,
                        struct draft *d)
{
	struct stack s;

	s.modules = etc_node_modules(gr->arena, etc_graph_text(gr, v), &s.count, &s.odd);
	d->odd_metadata |= s.odd;
	return s.modules != NULL;
}

static bool add_stack(struct etc_graph_reader *gr, const struct etc_json_value *v, struct draft *d)
{
	struct etc_record_reader *r = gr->r;
	struct etc_node *n = &d->node;
	struct stack *s;
	size_t at;

	if (v->raw.len <= 2)
		return true;
	if (gr->verdict)
		return judge_stack(gr, v, d);
	at = find_text(&r->stack_index, &r->stacks, v->raw);
	if (at != ETC_MAP_NONE && at == r->stacks.count) {
		s = ETC_GROW(r->arena, &r->stacks, struct stack);
		if (s)
			s->modules = etc_node_modules(r->arena, etc_graph_text(gr, v), &s->count,
			                              &s->odd);
		if (!s || !s->modules)
			return false;
	}
	if (at == ETC_MAP_NONE || at >= r->stacks.count)
		return false;
	s = (struct stack *)r->stacks.items + at;
	d->odd_metadata |= s->odd;
	n->has_modules = true;
	n->modules = s->modules;
	n->module_count = s->count;
	return true;
}

static void read_debug_handle(struct etc_graph_reader *gr, const struct etc_json_value *v,
                              struct etc_node *n)
{
	struct etc_str s = etc_json_type(v) == ETC_JSON_STRING ? etc_graph_text(gr, v) : v->raw;
	int64_t *handle = etc_new(gr->arena, int64_t, 1);

	s = etc_str_trim(s);
	gr->nomem |= !handle;
	if (!handle || s.len == 0)
		return;
	n->debug_handle = (struct etc_handles){ .form = ETC_HANDLES_OTHER, .raw = s };
	if (etc_json_classify(s) == ETC_JSON_INT && etc_json_int(s, handle))
		n->debug_handle =
			(struct etc_handles){ .form = ETC_HANDLES_INT, .v = handle, .count = 1 };
}

static void read_metadata(struct etc_graph_reader *gr, struct draft *d,
                          const struct etc_json_value *v)
{
	struct etc_json_iter it;
	struct etc_json_value value;
	struct etc_str key, list;
	struct etc_node *n = &d->node;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (etc_json_next(&it, &key, &value)) {
		bool text = etc_json_type(&value) == ETC_JSON_STRING;

		if (etc_str_eq(key, ETC_STR("debug_handle"))) {
			read_debug_handle(gr, &value, n);
			d->odd_metadata |= n->debug_handle.form == ETC_HANDLES_OTHER;
		} else if (text && etc_str_eq(key, ETC_STR("stack_trace"))) {
			gr->nomem |= !add_trace(gr, &value, n);
		} else if (text && etc_str_eq(key, ETC_STR("nn_module_stack"))) {
			gr->nomem |= !add_stack(gr, &value, d);
		} else if (text && etc_str_eq(key, ETC_STR("source_fn_stack"))) {
			list = etc_graph_text(gr, &value);
			n->has_source_fn = list.len != 0;
			n->source_fn = etc_node_last_item(list);
		}
	}
}

/* --- the node ------------------------------------------------------------------ */

static bool name_taken(struct etc_graph_reader *gr, struct etc_str candidate)
{
	struct etc_str name = etc_fx_name(&gr->names, candidate);

	gr->nomem |= !name.len;
	return name.len != 0;
}

/* The single value that the node is, or NULL if it has several or none. */
static const struct etc_node_output *single(const struct etc_graph_reader *gr,
                                            const struct draft *d)
{
	const struct etc_node_output *o = gr->outputs.items;

	return d->outputs == 1 && gr->outputs.count == 1 && !o->list ? o : NULL;
}

static struct etc_str candidate(struct etc_graph_reader *gr, const struct draft *d)
{
	const struct etc_node_output *one = single(gr, d);

	if (d->kind == ETC_TARGET_ALLOC)
		return ETC_STR("alloc");
	if ((d->kind == ETC_TARGET_EDGE || d->kind == ETC_TARGET_DELEGATE) && one && !one->sym)
		return one->name;
	if (d->kind != ETC_TARGET_EDGE && d->kind != ETC_TARGET_DELEGATE) {
		if (d->has_name)
			return d->name;
		if (one)
			return one->name;
	}
	return etc_fx_snake_case(gr->r->arena, d->op);
}

/* Python makes a getitem node per output, which takes a name; for a list
 * among several outputs one more, and then its values are out of reach. */
static void take_getitems(struct etc_graph_reader *gr, const struct draft *d)
{
	const struct etc_node_output *o = gr->outputs.items;
	uint32_t group = UINT32_MAX;

	if (single(gr, d))
		return;
	for (uint32_t i = 0; i < gr->outputs.count; i++) {
		if (o[i].list && d->outputs > 1) {
			if (o[i].group != group && !name_taken(gr, ETC_STR("getitem")))
				return;
			gr->nomem |= etc_map_add(&gr->nested, o[i].name, 0) == ETC_MAP_NONE;
		}
		group = o[i].group;
		if (!name_taken(gr, o[i].name))
			return;
	}
}

/* Operators with an argument of type Device that is neither optional nor a
 * keyword: only there it becomes a positional argument again. */
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
	};

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (etc_str_ends(op, etc_str_of(ops[i])))
			return true;
	return false;
}

static void find_unsupported(struct etc_graph_reader *gr, const struct draft *d)
{
	const struct etc_odd_argument *odd = &d->odd;

	if (gr->g->unsupported.len || d->kind == ETC_TARGET_ALLOC)
		return;
	if (d->double_getitem) {
		gr->g->unsupported = etc_arena_printf(gr->r->arena,
		                                      "node '" ETC_STR_FMT
		                                      "': an argument comes out of a list of lists",
		                                      ETC_STR_ARG(d->node.name));
		return;
	}
	if (d->kind == ETC_TARGET_HOP)
		odd = &d->odd_positional;
	if (d->kind == ETC_TARGET_EDGE || d->kind == ETC_TARGET_ATEN)
		if (!etc_str_eq(odd->kind, ETC_STR("as_device")) || !takes_device(d->target))
			return;
	if (odd->kind.len)
		gr->g->unsupported = etc_arena_printf(
			gr->r->arena,
			"Unsupported argument encountered%s: node '" ETC_STR_FMT "', " ETC_STR_FMT,
			odd->list ? " in list" : "", ETC_STR_ARG(d->node.name),
			ETC_STR_ARG(etc_str_sub(odd->kind, 3, odd->kind.len)));
}

/* Where nobody asks for the node. The verdict names a node that is odd, and lists among several
 * outputs change how arguments are read. */
static bool only_judge(struct etc_graph_reader *gr, const struct draft *d)
{
	const struct etc_node_output *o = gr->outputs.items;

	for (uint32_t i = 0; i < gr->outputs.count; i++)
		gr->unsettled |= o[i].list && d->outputs > 1;
	gr->unsettled |= d->odd_metadata;
	gr->nameless |= !d->named;
	etc_arena_reuse(gr->arena);
	return !gr->nomem;
}

static bool finish(struct etc_graph_reader *gr, struct draft *d)
{
	const struct etc_str *graphs = d->graphs.items;
	struct etc_node *n;

	if (gr->verdict)
		return only_judge(gr, d);
	d->kind = etc_node_target(d->target, &d->op);
	for (uint32_t i = 0; i < d->graphs.count; i++)
		if (!name_taken(gr, graphs[i]))
			return false;
	if (d->kind == ETC_TARGET_DELEGATE &&
	    !name_taken(gr, etc_fx_snake_case(gr->r->arena, d->first_input)))
		return false;
	d->node.name = etc_fx_name(&gr->names, candidate(gr, d));
	if (!d->node.name.len) {
		gr->nomem = true;
		return false;
	}
	if (d->kind != ETC_TARGET_SYM)
		take_getitems(gr, d);
	find_unsupported(gr, d);
	gr->nameless |= !d->named;
	if (d->kind == ETC_TARGET_ALLOC)
		return !gr->nomem;
	n = ETC_GROW(gr->r->arena, &gr->nodes, struct etc_node);
	gr->nomem |= !n;
	if (!n)
		return false;
	if (d->odd_metadata && !gr->odd.len)
		gr->odd = d->node.name;
	d->node.op = d->op;
	d->node.target = d->target;
	d->node.foreign = d->kind == ETC_TARGET_STRANGE;
	/* The deserialiser sets an empty dict where the exporter had none. */
	if (d->kind == ETC_TARGET_ATEN || d->kind == ETC_TARGET_HOP || d->kind == ETC_TARGET_SYM)
		d->node.has_modules = true;
	*n = d->node;
	return !gr->nomem;
}

bool etc_graph_node(struct etc_graph_reader *gr, const struct etc_json_value *v)
{
	struct draft d = { 0 };
	struct etc_json_iter it;
	struct etc_json_value member;
	struct etc_str key;

	gr->outputs.count = 0;
	d.node.index = gr->seen++;
	if (!etc_json_enter(v, &it))
		return false;
	while (!gr->nomem && etc_json_next(&it, &key, &member)) {
		if (etc_str_eq(key, ETC_STR("name"))) {
			d.name = etc_graph_text(gr, &member);
			d.has_name = d.name.len != 0;
			d.named = true;
		} else if (etc_str_eq(key, ETC_STR("target"))) {
			d.target = etc_graph_text(gr, &member);
		} else if (etc_str_eq(key, ETC_STR("inputs"))) {
			read_inputs(gr, &d, &member);
		} else if (etc_str_eq(key, ETC_STR("outputs"))) {
			read_outputs(gr, &d, &member);
		} else if (etc_str_eq(key, ETC_STR("metadata"))) {
			read_metadata(gr, &d, &member);
		} else {
			etc_graph_unknown(gr, key, NULL, 0);
		}
	}
	return !gr->nomem && !etc_json_failed(v->doc) && finish(gr, &d);
}
