/* graph_metadata.c -- reads the origin of a node from its "metadata". See graph_draft.h */
#include "formats/etrecord/graph_draft.h"

/* Returns the text between a string's quotes, to be decoded later. Its escapes are validated now,
 * because invalid escapes are damage of the graph. */
static struct etc_str keep(const struct etc_json_value *v)
{
	struct etc_str inside = etc_json_inside(v->raw);

	if (!etc_json_escapes(inside))
		etc_json_reject(v, "a string with valid escapes");
	return inside;
}

void etc_node_take_trace(struct etc_graph_reader *gr, struct etc_node_draft *d,
                         const struct etc_json_value *v)
{
	(void)gr;
	d->node.trace_json = keep(v);
	d->node.has_stack_trace =
		d->node.trace_json.len != 0; /* Python drops an empty stack trace */
}

void etc_node_take_stack(struct etc_graph_reader *gr, struct etc_node_draft *d,
                         const struct etc_json_value *v)
{
	if (v->raw.len <= 2)
		return;
	d->node.has_modules = true;
	d->node.stack_json = etc_json_inside(v->raw);
	if (etc_node_plain_modules(d->node.stack_json)) /* this is the most frequent form */
		return;
	d->node.stack_json = keep(v);
	if (etc_node_odd_modules(etc_graph_text(gr, v)))
		d->odd_metadata |= ETC_ODD_MODULES;
}

bool etc_node_read_origin(struct etc_node *n, struct etc_arena *arena)
{
	const struct etc_str trace = n->trace_json, stack = n->stack_json;
	struct etc_str text;
	bool bad, odd;

	n->trace_json = n->stack_json = (struct etc_str){ 0 };
	if (trace.len) {
		if (!etc_json_unescape(arena, trace, &n->stack_trace, &bad))
			return false;
		etc_node_source(n->stack_trace, &n->source_file, &n->source_line, &n->source_text);
	}
	if (stack.len) {
		if (!etc_json_unescape(arena, stack, &text, &bad))
			return false;
		n->modules = etc_node_modules(arena, text, &n->module_count, &odd);
		if (odd)
			n->module_count = 0;
	}
	return !stack.len || n->modules;
}

void etc_node_take_source(struct etc_graph_reader *gr, struct etc_node_draft *d,
                          const struct etc_json_value *v)
{
	struct etc_str list = etc_graph_text(gr, v);

	d->node.has_source_fn = list.len != 0;
	d->node.source_fn = etc_node_last_item(list);
}

void etc_node_take_handle(struct etc_graph_reader *gr, struct etc_node_draft *d,
                          const struct etc_json_value *v)
{
	const bool text = etc_json_type(v) == ETC_JSON_STRING;
	struct etc_str s = text ? etc_json_inside(v->raw) : v->raw;
	struct etc_handles *h = &d->node.debug_handle;
	int64_t *handle = etc_new(gr->arena, int64_t, 1);
	bool whole = etc_json_classify(s) == ETC_JSON_INT;

	gr->nomem |= !handle;
	if (!whole) {
		s = etc_str_trim(text ? etc_graph_text(gr, v) : s);
		whole = etc_json_classify(s) == ETC_JSON_INT;
	}
	if (handle && s.len) {
		*h = (struct etc_handles){ .form = ETC_HANDLES_OTHER, .raw = s };
		if (whole && etc_json_int(s, handle))
			*h = (struct etc_handles){ .form = ETC_HANDLES_INT,
				                   .count = 1,
				                   .v = handle };
	}
	if (h->form == ETC_HANDLES_OTHER)
		d->odd_metadata |= ETC_ODD_HANDLE;
}

void etc_node_metadata(struct etc_graph_reader *gr, struct etc_node_draft *d,
                       const struct etc_json_value *v)
{
	static const struct {
		struct etc_str key;
		uint32_t name;
		bool text; /* only a string is read; values of other types are ignored */
	} members[] = {
		{ { "debug_handle", 12 }, ETC_NODE_HANDLE, false },
		{ { "stack_trace", 11 }, ETC_NODE_TRACE, true },
		{ { "nn_module_stack", 15 }, ETC_NODE_STACK, true },
		{ { "source_fn_stack", 15 }, ETC_NODE_SOURCE, true },
	};
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (etc_json_more(&it))
		for (size_t i = 0; i < sizeof members / sizeof *members; i++)
			if (etc_str_eq(it.key, members[i].key) &&
			    (!members[i].text || etc_json_type(&it.value) == ETC_JSON_STRING))
				etc_node_take(gr, d, members[i].name, &it.value);
}
