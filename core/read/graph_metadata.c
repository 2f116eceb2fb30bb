/* graph_metadata.c -- what a node's "metadata" says: where it came from. See graph_draft.h */
#include "read/graph_draft.h"

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

void etc_node_take_trace(struct etc_graph_reader *gr, struct etc_node_draft *d,
                         const struct etc_json_value *v)
{
	struct etc_record_reader *r = gr->r;
	struct etc_node *n = &d->node;
	struct trace *t;
	size_t at;

	if (gr->verdict) {
		etc_graph_text(gr, v);
		return;
	}
	at = find_text(&r->trace_index, &r->traces, v->raw);
	if (at != ETC_MAP_NONE && at == r->traces.count) {
		t = ETC_GROW(r->arena, &r->traces, struct trace);
		if (t) {
			t->text = etc_graph_text(gr, v);
			etc_node_source(t->text, &t->file, &t->line, &t->source);
		}
	}
	if (at == ETC_MAP_NONE || at >= r->traces.count) {
		gr->nomem = true;
		return;
	}
	t = (struct trace *)r->traces.items + at;
	n->stack_trace = t->text;
	n->has_stack_trace = t->text.len != 0; /* Python drops an empty one */
	n->source_file = t->file;
	n->source_line = t->line;
	n->source_text = t->source;
}

static bool judge_stack(struct etc_graph_reader *gr, const struct etc_json_value *v,
                        struct etc_node_draft *d)
{
	struct stack s;

	s.modules = etc_node_modules(gr->arena, etc_graph_text(gr, v), &s.count, &s.odd);
	d->odd_metadata |= s.odd;
	return s.modules != NULL;
}

static bool add_stack(struct etc_graph_reader *gr, const struct etc_json_value *v,
                      struct etc_node_draft *d)
{
	struct etc_record_reader *r = gr->r;
	struct etc_node *n = &d->node;
	struct stack *s;
	size_t at;

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

void etc_node_take_stack(struct etc_graph_reader *gr, struct etc_node_draft *d,
                         const struct etc_json_value *v)
{
	if (v->raw.len > 2)
		gr->nomem |= !(gr->verdict ? judge_stack(gr, v, d) : add_stack(gr, v, d));
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
	struct etc_str s = etc_json_type(v) == ETC_JSON_STRING ? etc_graph_text(gr, v) : v->raw;
	struct etc_handles *h = &d->node.debug_handle;
	int64_t *handle = etc_new(gr->arena, int64_t, 1);

	s = etc_str_trim(s);
	gr->nomem |= !handle;
	if (handle && s.len) {
		*h = (struct etc_handles){ .form = ETC_HANDLES_OTHER, .raw = s };
		if (etc_json_classify(s) == ETC_JSON_INT && etc_json_int(s, handle))
			*h = (struct etc_handles){ .form = ETC_HANDLES_INT,
				                   .v = handle,
				                   .count = 1 };
	}
	d->odd_metadata |= h->form == ETC_HANDLES_OTHER;
}

void etc_node_metadata(struct etc_graph_reader *gr, struct etc_node_draft *d,
                       const struct etc_json_value *v)
{
	static const struct {
		struct etc_str key;
		uint32_t name;
		bool text; /* nobody looks at another value */
	} members[] = {
		{ { "debug_handle", 12 }, ETC_NODE_HANDLE, false },
		{ { "stack_trace", 11 }, ETC_NODE_TRACE, true },
		{ { "nn_module_stack", 15 }, ETC_NODE_STACK, true },
		{ { "source_fn_stack", 15 }, ETC_NODE_SOURCE, true },
	};
	struct etc_json_iter it;
	struct etc_json_value value;
	struct etc_str key;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return;
	while (etc_json_next(&it, &key, &value))
		for (size_t i = 0; i < sizeof members / sizeof *members; i++)
			if (etc_str_eq(key, members[i].key) &&
			    (!members[i].text || etc_json_type(&value) == ETC_JSON_STRING))
				etc_node_take(gr, d, members[i].name, &value);
}
