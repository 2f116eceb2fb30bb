/* graph.c -- one graph of an ETRecord for `etcore dump --graph`: what the
 * Inspector's get_exported_program() gives. See record.h */
#include "commands/dump/record.h"

#include "base/nearest.h"
#include "formats/etrecord/graph_lines.h"
#include "commands/dump/graph_text.h"
#include "commands/dump/record_text.h"

/* ---- which graph --------------------------------------------------------- */

/* "a, b, c" of all names, for messages. */
static struct etc_str names_of(const struct etc_record *r, struct etc_arena *arena)
{
	struct etc_text t = { 0 };
	struct etc_str copy;

	for (uint32_t i = 0; i < r->graph_count; i++) {
		etc_text_cstr(&t, i ? ", " : "");
		etc_text_put(&t, r->graphs[i].name);
	}
	copy = etc_arena_str(arena, etc_text_str(&t));
	etc_text_release(&t);
	return copy;
}

/* By the name of the entry; a method stands for its edge program. */
static const struct etc_graph *by_name(const struct etc_record *r, struct etc_str name)
{
	for (uint32_t i = 0; i < r->graph_count; i++)
		if (etc_str_eq(r->graphs[i].name, name))
			return &r->graphs[i];
	for (uint32_t i = 0; i < r->graph_count; i++)
		if (r->graphs[i].kind == ETC_GRAPH_EDGE && etc_str_eq(r->graphs[i].method, name))
			return &r->graphs[i];
	return NULL;
}

static enum etc_status unknown(const struct etc_record *r, struct etc_str name,
                               struct etc_arena *arena, struct etc_error *err)
{
	struct etc_str *names = etc_new(arena, struct etc_str, (size_t)r->graph_count * 2);
	struct etc_str near = { 0 };

	for (uint32_t i = 0; names && i < r->graph_count; i++) {
		names[2 * i] = r->graphs[i].name;
		names[2 * i + 1] = r->graphs[i].method;
	}
	if (names)
		near = etc_nearest(name, names, (size_t)r->graph_count * 2);
	return etc_fail(err, E0521,
	                "'" ETC_STR_FMT "'%s" ETC_STR_FMT "%she record has " ETC_STR_FMT,
	                ETC_STR_ARG(name), near.len ? "; did you mean '" : "", ETC_STR_ARG(near),
	                near.len ? "'? T" : "; t", ETC_STR_ARG(names_of(r, arena)));
}

enum etc_status etc_dump_graph_read(struct etc_dump_record *c, const char *name,
                                    struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_record *r = &c->record;

	if (r->graph_count == 0)
		return etc_fail(err, E0521, "the record has no graph at all");
	c->graph = name[0] ? by_name(r, etc_str_of(name)) : etc_record_edge(r);
	if (!c->graph && name[0])
		return unknown(r, etc_str_of(name), arena, err);
	if (!c->graph)
		return etc_fail(err, E0521, "%s; choose one of " ETC_STR_FMT,
		                r->edge_is_per_method ? "the record has several edge programs"
		                                      : "the record has no edge program",
		                ETC_STR_ARG(names_of(r, arena)));
	return etc_graph_lines(&c->zip, c->graph, arena, &c->lines, err);
}

void etc_dump_graph_text(const struct etc_dump_record *c, struct etc_text *out)
{
	etc_view_graph(c->graph, &c->lines, out);
}

/* ---- JSON ---------------------------------------------------------------- */

/* Empty text is text that is not there. */
static void optional(struct etc_emit *e, const char *name, struct etc_str s)
{
	if (s.len)
		etc_emit_text(e, name, s);
	else
		etc_emit_null(e, name);
}

static void arguments(struct etc_emit *e, const struct etc_graph_line *line)
{
	etc_emit_open(e, "arguments", '[');
	for (uint32_t i = 0; i < line->argument_count; i++) {
		etc_emit_open(e, NULL, '{');
		optional(e, "name", line->arguments[i].name);
		etc_emit_text(e, "text", line->arguments[i].text);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void modules(struct etc_emit *e, const struct etc_node *n)
{
	if (!n->has_modules) {
		etc_emit_null(e, "modules");
		return;
	}
	etc_emit_open(e, "modules", '[');
	for (uint32_t i = 0; i < n->module_count; i++) {
		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "key", n->modules[i].key);
		etc_emit_text(e, "path", n->modules[i].path);
		etc_emit_text(e, "class", n->modules[i].klass);
		etc_emit_close(e);
	}
	etc_emit_close(e);
}

static void node(struct etc_emit *e, const struct etc_node *n)
{
	if (n->debug_handle.form == ETC_HANDLES_INT)
		etc_emit_i64(e, "debug_handle", n->debug_handle.v[0]);
	else
		optional(e, "debug_handle", n->debug_handle.raw);
	modules(e, n);
	optional(e, "file", n->source_file);
	if (n->source_line)
		etc_emit_u64(e, "line", n->source_line);
	else
		etc_emit_null(e, "line");
	optional(e, "source", n->source_text);
	if (n->has_stack_trace)
		etc_emit_text(e, "stack_trace", n->stack_trace);
	else
		etc_emit_null(e, "stack_trace");
}

void etc_dump_graph_json(const struct etc_dump_record *c, struct etc_emit *e)
{
	const struct etc_graph *g = c->graph;

	etc_emit_block(e, "graph", '{');
	etc_emit_text(e, "name", g->name);
	etc_emit_text(e, "method", g->method);
	etc_emit_text(e, "kind", etc_str_of(etc_view_graph_kind(g->kind)));
	etc_emit_bool(e, "truncated", g->truncated);
	etc_emit_block(e, "nodes", '[');
	for (uint32_t i = 0; i < c->lines.count && !e->out->failed; i++) {
		const struct etc_graph_line *line = &c->lines.v[i];

		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "name", line->name);
		etc_emit_text(e, "op", etc_str_of(etc_view_line_op(line->op)));
		etc_emit_text(e, "target", line->target);
		arguments(e, line);
		if (line->node && etc_str_eq(line->target, line->node->target))
			etc_emit_text(e, "op_type", line->node->op);
		if (line->node)
			node(e, line->node);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_close(e);
}
