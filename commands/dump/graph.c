/* graph.c -- `etcore dump --graph`: writes one graph of an ETRecord as the Inspector's
 * get_exported_program() returns the graph. See record.h. */
#include "commands/dump/record.h"

#include <stdio.h>

#include "base/nearest.h"
#include "base/text.h"
#include "commands/dump/etdump_text.h"
#include "commands/dump/record_text.h"
#include "commands/dump/schema.h"
#include "formats/etrecord/graph_lines.h"
#include "model/graph_line.h"

/* ---- one line of text per node ------------------------------------------------- */

enum {
	/* largest width of the column of names, in terminal columns */
	NAME_MAX = 40,
	TEXT_MAX = 120, /* maximum number of bytes of an argument's text */
	NUMBER = 24     /* size of an array for the text of an integer */
};

/* Returns the word for an enum etc_line_op, such as "placeholder" or "call_function". */
static const char *line_op(unsigned op)
{
	static const char *const names[] = {
		[ETC_LINE_PLACEHOLDER] = "placeholder",
		[ETC_LINE_GET_ATTR] = "get_attr",
		[ETC_LINE_CALL] = "call_function",
		[ETC_LINE_OUTPUT] = "output",
	};

	return op < sizeof names / sizeof names[0] ? names[op] : "";
}

static size_t name_width(const struct etc_graph_lines *lines)
{
	size_t widest = 4;

	for (uint32_t i = 0; i < lines->count; i++) {
		size_t width = etc_utf8_width(lines->v[i].name);

		if (width > widest && width <= NAME_MAX)
			widest = width;
	}
	return widest;
}

/* Returns the target without the prefix that is the same for all operators of a library. */
static struct etc_str short_target(struct etc_str target)
{
	static const struct etc_str prefixes[] = {
		{ "executorch.exir.dialects.edge._ops.", 35 },
		{ "executorch.exir.dialects.edge.ops.", 34 },
		{ "executorch.exir.dialects.backend.ops.", 37 },
		{ "torch.ops.", 10 },
	};

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (etc_str_starts(target, prefixes[i]))
			return etc_str_sub(target, prefixes[i].len, target.len);
	return target;
}

static void arguments(const struct etc_graph_line *line, struct etc_text *out)
{
	etc_text_char(out, '(');
	for (uint32_t i = 0; i < line->argument_count; i++) {
		const struct etc_graph_argument *a = &line->arguments[i];

		etc_text_cstr(out, i ? ", " : "");
		if (a->keyword && a->name.len) {
			etc_view_clean(a->name, out);
			etc_text_char(out, '=');
		}
		etc_view_clean(etc_str_sub(a->text, 0, TEXT_MAX), out);
		etc_text_cstr(out, a->text.len > TEXT_MAX ? "..." : "");
	}
	etc_text_char(out, ')');
}

static void handle(const struct etc_node *node, struct etc_text *out)
{
	char number[NUMBER] = "-";

	if (node && node->debug_handle.count)
		snprintf(number, sizeof number, "%lld", (long long)node->debug_handle.v[0]);
	etc_text_printf(out, "  %6s  ", number);
}

/* Writes the innermost module of the node, and its source line. */
static void origin(const struct etc_node *node, struct etc_text *out)
{
	const struct etc_module *m = node->modules;

	if (node->module_count) {
		m += node->module_count - 1;
		etc_text_cstr(out, "  # ");
		if (m->path.len)
			etc_view_clean(m->path, out);
		else
			etc_text_char(out, '-');
		etc_text_char(out, ' ');
		etc_view_clean(m->klass, out);
	}
	if (node->source_file.len) {
		etc_text_cstr(out, node->module_count ? "  " : "  # ");
		etc_view_clean(node->source_file, out);
		etc_text_printf(out, ":%lu", (unsigned long)node->source_line);
	}
}

static void one_line(const struct etc_graph_line *line, size_t width, struct etc_text *out)
{
	size_t own = etc_utf8_width(line->name);

	etc_text_printf(out, "  %-13s  ", line_op(line->op));
	etc_view_clean(line->name, out);
	if (line->op == ETC_LINE_PLACEHOLDER) {
		etc_text_char(out, '\n');
		return;
	}
	etc_text_repeat(out, " ", own < width ? width - own : 0);
	handle(line->node, out);
	if (line->op != ETC_LINE_OUTPUT)
		etc_view_clean(short_target(line->target), out);
	if (line->op != ETC_LINE_GET_ATTR)
		arguments(line, out);
	if (line->node)
		origin(line->node, out);
	etc_text_char(out, '\n');
}

static void put_graph(const struct etc_graph *g, const struct etc_graph_lines *lines,
                      struct etc_text *out)
{
	size_t width = name_width(lines);

	etc_text_cstr(out, "graph ");
	etc_view_quoted(g->name, out);
	etc_text_printf(out, ", %s, method ", etc_view_graph_kind(g->kind));
	etc_view_quoted(g->method, out);
	etc_text_printf(out, "%s\n  %-13s  name", g->truncated ? ", damaged after these nodes" : "",
	                "op");
	etc_text_repeat(out, " ", width - 4);
	etc_text_printf(out, "  %6s  target(arguments)  # module, class  source\n", "handle");
	for (uint32_t i = 0; i < lines->count && !out->failed; i++)
		one_line(&lines->v[i], width, out);
}

/* ---- choosing the graph -------------------------------------------------- */

/* Returns the names of all graphs of the record as "a, b, c", for messages. */
static struct etc_str names_of(const struct etc_record *r, struct etc_arena *arena)
{
	struct etc_text t = { 0 };

	for (uint32_t i = 0; i < r->graph_count; i++) {
		etc_text_cstr(&t, i ? ", " : "");
		etc_text_put(&t, r->graphs[i].name);
	}
	return etc_text_keep(&t, arena);
}

/* Finds the graph with that name. If `name` is the name of a method, finds the edge program of the
 * method. */
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
	put_graph(c->graph, &c->lines, out);
}

/* ---- JSON ---------------------------------------------------------------- */

static void debug_handle(const struct etc_walk *w, const char *name, const void *node)
{
	const struct etc_handles *h = &((const struct etc_node *)node)->debug_handle;

	if (h->form == ETC_HANDLES_INT)
		etc_emit_i64(w->e, name, h->v[0]);
	else if (h->raw.len)
		etc_emit_text(w->e, name, h->raw);
	else
		etc_emit_null(w->e, name);
}

static void op_type(const struct etc_walk *w, const char *name, const void *node)
{
	const struct etc_graph_line *line = w->up->object;
	const struct etc_node *n = node;

	if (etc_str_eq(line->target, n->target))
		etc_emit_text(w->e, name, n->op);
}

/* clang-format off */
#define ARGUMENT struct etc_graph_argument
static const struct etc_schema argument = { ETC_SCHEMA(ARGUMENT,
	{ ETC_FIELD(ARGUMENT, "name", name), ETC_FIELD_IF(ARGUMENT, name.len) },
	{ ETC_FIELD(ARGUMENT, "text", text) }) };

static const struct etc_schema module = { ETC_SCHEMA(struct etc_module,
	{ ETC_FIELD(struct etc_module, "key", key) },
	{ ETC_FIELD(struct etc_module, "path", path) },
	{ ETC_FIELD(struct etc_module, "class", klass) }) };

#define NODE struct etc_node
static const struct etc_schema node = { ETC_SCHEMA(NODE,
	{ ETC_FIELD_BY("op_type", op_type) },
	{ ETC_FIELD_BY("debug_handle", debug_handle) },
	{ ETC_FIELD_TABLES(NODE, "modules", modules, module_count, module),
	  ETC_FIELD_IF(NODE, has_modules) },
	{ ETC_FIELD(NODE, "file", source_file), ETC_FIELD_IF(NODE, source_file.len) },
	{ ETC_FIELD(NODE, "line", source_line), ETC_FIELD_IF(NODE, source_line) },
	{ ETC_FIELD(NODE, "source", source_text), ETC_FIELD_IF(NODE, source_text.len) },
	{ ETC_FIELD(NODE, "stack_trace", stack_trace), ETC_FIELD_IF(NODE, has_stack_trace) }),
	.bare = true };

#define LINE struct etc_graph_line
static const struct etc_schema line = { ETC_SCHEMA(LINE,
	{ ETC_FIELD(LINE, "name", name) },
	{ ETC_FIELD(LINE, "op", op), .word = line_op },
	{ ETC_FIELD(LINE, "target", target) },
	{ ETC_FIELD_TABLES(LINE, "arguments", arguments, argument_count, argument) },
	{ ETC_FIELD_AS(LINK, LINE, NULL, node), .of = &node, ETC_FIELD_IF(LINE, node), .omit = true }) };

#define RECORD struct etc_dump_record
#define GRAPH struct etc_graph
static const struct etc_schema head = { ETC_SCHEMA(GRAPH,
	{ ETC_FIELD(GRAPH, "name", name) },
	{ ETC_FIELD(GRAPH, "method", method) },
	{ ETC_FIELD(GRAPH, "kind", kind), .word = etc_view_graph_kind },
	{ ETC_FIELD(GRAPH, "truncated", truncated) }), .bare = true };

static const struct etc_schema graph = { ETC_SCHEMA(RECORD,
	{ ETC_FIELD_AS(LINK, RECORD, NULL, graph), .of = &head },
	{ ETC_FIELD_TABLES(RECORD, "nodes", lines.v, lines.count, line), .lines = true }),
	.lines = true };
/* clang-format on */

void etc_dump_graph_json(const struct etc_dump_record *c, struct etc_emit *e)
{
	etc_walk_table(&(struct etc_walk){ .e = e }, "graph", &graph, c);
}
