/* graph_text.c -- see graph_text.h */
#include "commands/dump/graph_text.h"

#include "commands/dump/etdump_text.h"
#include "commands/dump/record_text.h"

#include <stdio.h>

/* Widest column of names; longest text of an argument. */
enum { NAME_MAX = 40, TEXT_MAX = 120, NUMBER = 24 };

const char *etc_view_line_op(unsigned op)
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

/* The target without the prefix that all operators of a library share. */
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

/* Writes the innermost module and the source line. */
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

	etc_text_printf(out, "  %-13s  ", etc_view_line_op(line->op));
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

void etc_view_graph(const struct etc_graph *g, const struct etc_graph_lines *lines,
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
