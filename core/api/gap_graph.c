/* gap_graph.c -- see gap_graph.h */
#include "api/gap_graph.h"

#include "read/graph_lines.h"
#include "read/zip.h"

static enum etc_status memory(struct etc_error *err)
{
	return etc_fail(err, E0904, "nodes of the graphs");
}

enum etc_status etc_gap_graphs_read(const struct etc_inputs *in, struct etc_arena *arena,
                                    struct etc_gap_graphs *out, struct etc_error *err)
{
	const struct etc_record *r = &in->record;
	struct etc_zip zip;
	struct etc_error why = { .at = -1 };

	*out = (struct etc_gap_graphs){ 0 };
	if (!in->etrecord.path || etc_zip_open(in->etrecord.bytes, arena, &zip, &why) != ETC_OK)
		return why.code == E0904 ? memory(err) : ETC_OK;
	out->v = etc_new(arena, struct etc_gap_graph, r->graph_count);
	if (!out->v)
		return memory(err);
	for (uint32_t i = 0; i < r->graph_count; i++) {
		struct etc_gap_graph *g = &out->v[out->count];
		enum etc_status st;

		if (r->graphs[i].kind != ETC_GRAPH_EDGE)
			continue;
		st = etc_graph_lines(&zip, &r->graphs[i], arena, &g->lines, &why);
		if (st != ETC_OK && (why.code == E0904 || why.code == E0905))
			return memory(err);
		if (st != ETC_OK)
			continue;
		g->method = r->graphs[i].method;
		ETC_TRY(etc_gap_flow_make(&g->lines, arena, &g->flow, err));
		out->count++;
	}
	return ETC_OK;
}

struct etc_gap_graph *etc_gap_graph_of(const struct etc_gap_graphs *g, struct etc_str method)
{
	for (uint32_t i = 0; i < g->count; i++)
		if (etc_str_eq(g->v[i].method, method))
			return &g->v[i];
	return g->count == 1 && !method.len ? &g->v[0] : NULL;
}

/* ---- another export ------------------------------------------------------------------- */

static const struct etc_node *call_of(const struct etc_graph_line *line)
{
	return line->op == ETC_LINE_CALL && line->node &&
	                       etc_str_eq(line->node->name, line->name) &&
	                       line->node->debug_handle.count
	               ? line->node
	               : NULL;
}

static bool only_quantises(const struct etc_node *n)
{
	return etc_str_starts(n->op, ETC_STR("quantized_decomposed.")) ||
	       etc_str_starts(n->op, ETC_STR("torchao."));
}

/* The line whose value line `i` has, quantised or not; UINT32_MAX: an input's. */
static uint32_t origin(const struct etc_gap_graph *g, uint32_t i)
{
	while (i != UINT32_MAX) {
		const struct etc_node *n = call_of(&g->lines.v[i]);
		const uint32_t *first = g->flow.first_input;

		if (!n)
			return UINT32_MAX;
		if (!only_quantises(n))
			return i;
		i = first[i] < first[i + 1] ? g->flow.inputs[first[i]] : UINT32_MAX;
	}
	return i;
}

/* What a node is, whichever export it is in. */
static struct etc_str identity(const struct etc_node *n, struct etc_arena *arena)
{
	struct etc_str module = { 0 };

	if (n->module_count)
		module = n->modules[n->module_count - 1].path;
	return etc_arena_printf(arena, ETC_STR_FMT "|" ETC_STR_FMT "|" ETC_STR_FMT ":%u",
	                        ETC_STR_ARG(n->op), ETC_STR_ARG(module),
	                        ETC_STR_ARG(n->source_file), (unsigned)n->source_line);
}

/* Numbers the nodes of a graph by what they are: "identity#n" -> line. */
static bool name_lines(const struct etc_gap_graph *g, struct etc_arena *arena,
                       struct etc_str *names, struct etc_map *index)
{
	uint32_t *seen = etc_new(arena, uint32_t, g->lines.count);
	struct etc_map kinds;
	uint32_t kind = 0;

	if (!seen)
		return false;
	etc_map_init(&kinds, arena);
	etc_map_init(index, arena);
	for (uint32_t i = 0; i < g->lines.count; i++) {
		const struct etc_node *n = call_of(&g->lines.v[i]);
		struct etc_str what;
		size_t k;

		if (!n || only_quantises(n))
			continue;
		what = identity(n, arena);
		k = what.ptr ? etc_map_add(&kinds, what, kind) : ETC_MAP_NONE;
		if (k == ETC_MAP_NONE)
			return false;
		kind += k == kind;
		names[i] = etc_arena_printf(arena, ETC_STR_FMT "#%u", ETC_STR_ARG(what),
		                            (unsigned)seen[k]++);
		if (!names[i].ptr || etc_map_add(index, names[i], i) == ETC_MAP_NONE)
			return false;
	}
	return true;
}

static bool translate(const struct etc_gap_graph *from, const struct etc_gap_graph *to,
                      struct etc_arena *arena, struct etc_gap_translation *out)
{
	struct etc_str *of_from = etc_new(arena, struct etc_str, from->lines.count);
	struct etc_str *of_to = etc_new(arena, struct etc_str, to->lines.count);
	int64_t *list = etc_new(arena, int64_t, from->lines.count);
	struct etc_map ignored, index;
	uint32_t n = 0;

	*out = (struct etc_gap_translation){ .method = from->method, .to = list };
	etc_map_init(&out->of, arena);
	if (!of_from || !of_to || !list || !name_lines(from, arena, of_from, &ignored) ||
	    !name_lines(to, arena, of_to, &index))
		return false;
	/* Backwards: of several nodes with one handle the last gives its value. */
	for (uint32_t i = from->lines.count; i-- > 0;) {
		const struct etc_node *node = call_of(&from->lines.v[i]);
		uint32_t made = node ? origin(from, i) : UINT32_MAX;
		size_t at = made != UINT32_MAX ? etc_map_get(&index, of_from[made]) : ETC_MAP_NONE;

		if (at == ETC_MAP_NONE)
			continue;
		list[n] = call_of(&to->lines.v[at])->debug_handle.v[0];
		at = etc_map_add(
			&out->of,
			(struct etc_str){ (const char *)node->debug_handle.v, sizeof(int64_t) }, n);
		if (at == ETC_MAP_NONE)
			return false;
		n += at == n;
	}
	return true;
}

enum etc_status etc_gap_translate(const struct etc_gap_graphs *from,
                                  const struct etc_gap_graphs *to, struct etc_arena *arena,
                                  struct etc_gap_translations *out, struct etc_error *err)
{
	struct etc_gap_translation *v = etc_new(arena, struct etc_gap_translation, from->count);

	*out = (struct etc_gap_translations){ .v = v };
	if (!v)
		return memory(err);
	for (uint32_t i = 0; i < from->count; i++) {
		const struct etc_gap_graph *other = etc_gap_graph_of(to, from->v[i].method);

		if (!other && from->count == 1 && to->count == 1)
			other = &to->v[0];
		if (other && !translate(&from->v[i], other, arena, &v[out->count++]))
			return memory(err);
	}
	return ETC_OK;
}
