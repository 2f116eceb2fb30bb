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
		for (uint32_t n = 0; n < r->graphs[i].node_count; n++)
			if (!etc_node_origin(&r->graphs[i], &r->graphs[i].nodes[n], arena))
				return memory(err);
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

/* Where a node comes from, whichever export it is in: decompositions and backends
 * change operators, but not the model's lines. */
static struct etc_str identity(const struct etc_node *n, struct etc_arena *arena)
{
	struct etc_str module = { 0 };

	if (n->module_count)
		module = n->modules[n->module_count - 1].path;
	return etc_arena_printf(arena, ETC_STR_FMT "|" ETC_STR_FMT ":%u", ETC_STR_ARG(module),
	                        ETC_STR_ARG(n->source_file), (unsigned)n->source_line);
}

/* The debug handles of a graph by where they come from: "identity#n" of the n-th. */
struct names {
	struct etc_map of_handle; /* handle, 8 bytes -> place in the arrays */
	struct etc_map of_name;   /* the same by name */
	const int64_t **handle;
	struct etc_str *identity;
	uint32_t count;
};

static struct etc_str key_of(const int64_t *handle)
{
	return (struct etc_str){ (const char *)handle, sizeof *handle };
}

static bool name_handle(struct names *n, const struct etc_node *node, struct etc_map *kinds,
                        uint32_t *seen, struct etc_arena *arena)
{
	size_t at = etc_map_add(&n->of_handle, key_of(node->debug_handle.v), n->count), kind;
	struct etc_str what, name;

	if (at == ETC_MAP_NONE || at < n->count)
		return at != ETC_MAP_NONE;
	what = identity(node, arena);
	kind = what.ptr ? etc_map_add(kinds, what, n->count) : ETC_MAP_NONE;
	if (kind == ETC_MAP_NONE)
		return false;
	name = etc_arena_printf(arena, ETC_STR_FMT "#%u", ETC_STR_ARG(what),
	                        (unsigned)seen[kind]++);
	n->handle[n->count] = node->debug_handle.v;
	n->identity[n->count] = what;
	return name.ptr && etc_map_add(&n->of_name, name, n->count++) != ETC_MAP_NONE;
}

static bool name_handles(const struct etc_gap_graph *g, struct etc_arena *arena, struct names *n)
{
	uint32_t *seen = etc_new(arena, uint32_t, g->lines.count);
	struct etc_map kinds;

	*n = (struct names){ .handle = etc_new(arena, const int64_t *, g->lines.count),
		             .identity = etc_new(arena, struct etc_str, g->lines.count) };
	etc_map_init(&n->of_handle, arena);
	etc_map_init(&n->of_name, arena);
	etc_map_init(&kinds, arena);
	if (!seen || !n->handle || !n->identity)
		return false;
	for (uint32_t i = 0; i < g->lines.count; i++) {
		const struct etc_node *node = call_of(&g->lines.v[i]);

		if (node && !only_quantises(node) && !name_handle(n, node, &kinds, seen, arena))
			return false;
	}
	return true;
}

/* Do common handles come from the same lines? Then both exports number alike. */
static bool number_alike(const struct names *a, const struct names *b)
{
	uint32_t common = 0;

	for (uint32_t i = 0; i < a->count; i++) {
		size_t at = etc_map_get(&b->of_handle, key_of(a->handle[i]));

		if (at == ETC_MAP_NONE)
			continue;
		common++;
		if (!etc_str_eq(a->identity[i], b->identity[at]))
			return false;
	}
	return common > 0;
}

/* "identity#n" -> place in `to`, by the place in `from`. */
static bool pair_names(const struct names *from, const struct names *to, struct etc_arena *arena,
                       uint32_t *place)
{
	uint32_t *seen = etc_new(arena, uint32_t, from->count);
	struct etc_map kinds;

	if (!seen)
		return false;
	etc_map_init(&kinds, arena);
	for (uint32_t i = 0; i < from->count; i++) {
		size_t kind = etc_map_add(&kinds, from->identity[i], i), at;
		struct etc_str name;

		if (kind == ETC_MAP_NONE)
			return false;
		name = etc_arena_printf(arena, ETC_STR_FMT "#%u", ETC_STR_ARG(from->identity[i]),
		                        (unsigned)seen[kind]++);
		if (!name.ptr)
			return false;
		at = etc_map_get(&to->of_name, name);
		place[i] = at == ETC_MAP_NONE ? UINT32_MAX : (uint32_t)at;
	}
	return true;
}

static bool translate(const struct etc_gap_graph *from, const struct etc_gap_graph *to,
                      struct etc_arena *arena, struct etc_gap_translation *out)
{
	int64_t *list = etc_new(arena, int64_t, from->lines.count);
	uint32_t *place = etc_new(arena, uint32_t, from->lines.count);
	struct names a, b;
	uint32_t n = 0;

	*out = (struct etc_gap_translation){ .method = from->method, .to = list };
	etc_map_init(&out->of, arena);
	if (!list || !place || !name_handles(from, arena, &a) || !name_handles(to, arena, &b))
		return false;
	out->same = number_alike(&a, &b);
	if (!pair_names(&a, &b, arena, place))
		return false;
	/* Backwards: of several nodes with one handle the last gives its value. */
	for (uint32_t i = from->lines.count; i-- > 0 && !out->same;) {
		const struct etc_node *node = call_of(&from->lines.v[i]);
		uint32_t made = node ? origin(from, i) : UINT32_MAX;
		size_t at;

		if (made == UINT32_MAX)
			continue;
		at = etc_map_get(&a.of_handle,
		                 key_of(call_of(&from->lines.v[made])->debug_handle.v));
		if (at == ETC_MAP_NONE || place[at] == UINT32_MAX)
			continue;
		list[n] = *b.handle[place[at]];
		at = etc_map_add(&out->of, key_of(node->debug_handle.v), n);
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
