/* gap_graph.c -- see gap_graph.h */
#include "commands/numeric/gap_graph.h"

#include "base/map.h"
#include "commands/numeric/gap_nodes.h"
#include "formats/etrecord/graph_lines.h"
#include "formats/container/zip.h"

enum etc_status etc_gap_graphs_read(const struct etc_inputs *in, struct etc_arena *arena,
                                    struct etc_gap_graphs *out, struct etc_error *err)
{
	const struct etc_record *r = &in->record;
	struct etc_zip zip;
	struct etc_error why = { .at = -1 };

	*out = (struct etc_gap_graphs){ 0 };
	if (!in->etrecord.path || etc_zip_open(in->etrecord.bytes, arena, &zip, &why) != ETC_OK)
		return why.code == E0904 ? etc_no_memory(err) : ETC_OK;
	out->v = etc_new(arena, struct etc_gap_graph, r->graph_count);
	ETC_NEED(out->v, err);
	for (uint32_t i = 0; i < r->graph_count; i++) {
		struct etc_gap_graph *g = &out->v[out->count];
		enum etc_status st;

		if (r->graphs[i].kind != ETC_GRAPH_EDGE)
			continue;
		for (uint32_t n = 0; n < r->graphs[i].node_count; n++)
			ETC_NEED(etc_node_origin(&r->graphs[i], &r->graphs[i].nodes[n], arena),
			         err);
		st = etc_graph_lines(&zip, &r->graphs[i], arena, &g->lines, &why);
		if (st != ETC_OK && (why.code == E0904 || why.code == E0905))
			return etc_no_memory(err);
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

static size_t last_dot(struct etc_str s)
{
	while (s.len && s.ptr[s.len - 1] != '.')
		s.len--;
	return s.len;
}

struct etc_str etc_gap_operator_of(const struct etc_node *n)
{
	size_t end = last_dot(n->op);
	struct etc_str name = end ? etc_str_sub(n->op, 0, end - 1) : n->op;

	return etc_str_sub(name, last_dot(name), name.len);
}

bool etc_gap_is_model_input(const struct etc_graph_line *line)
{
	const struct etc_str name = line->name;

	return line->op == ETC_LINE_PLACEHOLDER &&
	       !(name.len > 2 && name.ptr[1] == '_' &&
	         (name.ptr[0] == 'p' || name.ptr[0] == 'b' || name.ptr[0] == 'c'));
}

const struct etc_node *etc_gap_called_node(const struct etc_graph_line *line)
{
	return line->op == ETC_LINE_CALL && line->node &&
	                       etc_str_eq(line->node->name, line->name) &&
	                       line->node->debug_handle.count
	               ? line->node
	               : NULL;
}

/* The line that computes the value of line `i`, skipping quantisation and dequantisation;
 * UINT32_MAX if it is an input. */
static uint32_t origin(const struct etc_gap_graph *g, uint32_t i)
{
	while (i != UINT32_MAX) {
		const struct etc_node *n = etc_gap_called_node(&g->lines.v[i]);
		const uint32_t *first = g->flow.first_input;

		if (!n)
			return UINT32_MAX;
		if (!etc_node_quantises(n))
			return i;
		i = first[i] < first[i + 1] ? g->flow.inputs[first[i]] : UINT32_MAX;
	}
	return i;
}

/* The origin of a node (module and source line), which is the same in every export:
 * decompositions and backends change operators, but not the model's lines. */
static struct etc_str identity(const struct etc_node *n, struct etc_arena *arena)
{
	struct etc_str module = { 0 };

	if (n->module_count)
		module = n->modules[n->module_count - 1].path;
	return etc_arena_printf(arena, ETC_STR_FMT "|" ETC_STR_FMT ":%u", ETC_STR_ARG(module),
	                        ETC_STR_ARG(n->source_file), (unsigned)n->source_line);
}

/* The debug handles of a graph by origin: "origin#n" is the n-th handle with that origin. */
struct names {
	struct etc_map of_handle; /* handle, 8 bytes -> index in the arrays */
	struct etc_map of_name;   /* name -> index in the arrays */
	struct etc_map of_kind;   /* origin -> index in `alike` */
	const int64_t **handle;
	struct etc_str *identity, *name;
	uint32_t *alike; /* number of handles with that origin */
	uint32_t count;
};

static bool name_handle(struct names *n, const struct etc_node *node, struct etc_arena *arena)
{
	size_t at = etc_map_add(&n->of_handle, etc_map_number(node->debug_handle.v), n->count),
	       kind;
	struct etc_str what, name;

	if (at == ETC_MAP_NONE || at < n->count)
		return at != ETC_MAP_NONE;
	what = identity(node, arena);
	kind = what.ptr ? etc_map_add(&n->of_kind, what, n->count) : ETC_MAP_NONE;
	if (kind == ETC_MAP_NONE)
		return false;
	name = etc_arena_printf(arena, ETC_STR_FMT "#%u", ETC_STR_ARG(what),
	                        (unsigned)n->alike[kind]++);
	n->handle[n->count] = node->debug_handle.v;
	n->identity[n->count] = what;
	n->name[n->count] = name;
	return name.ptr && etc_map_add(&n->of_name, name, n->count++) != ETC_MAP_NONE;
}

static bool name_handles(const struct etc_gap_graph *g, struct etc_arena *arena, struct names *n)
{
	uint32_t lines = g->lines.count;

	*n = (struct names){ .handle = etc_new(arena, const int64_t *, lines),
		             .identity = etc_new(arena, struct etc_str, lines),
		             .name = etc_new(arena, struct etc_str, lines),
		             .alike = etc_new(arena, uint32_t, lines) };
	etc_map_init(&n->of_handle, arena);
	etc_map_init(&n->of_name, arena);
	etc_map_init(&n->of_kind, arena);
	if (!n->handle || !n->identity || !n->name || !n->alike)
		return false;
	for (uint32_t i = 0; i < lines; i++) {
		const struct etc_node *node = etc_gap_called_node(&g->lines.v[i]);

		if (node && !etc_node_quantises(node) && !name_handle(n, node, arena))
			return false;
	}
	return true;
}

/* Do common handles have the same origins? Then both exports number handles in the same
 * way. */
static bool number_alike(const struct names *a, const struct names *b)
{
	uint32_t common = 0;

	for (uint32_t i = 0; i < a->count; i++) {
		size_t at = etc_map_get(&b->of_handle, etc_map_number(a->handle[i]));

		if (at == ETC_MAP_NONE)
			continue;
		common++;
		if (!etc_str_eq(a->name[i], b->name[at]))
			return false;
	}
	return common > 0;
}

/* The handle with the same origin and number, provided that both exports have the same
 * number of handles with that origin. */
static uint32_t counterpart(const struct names *from, uint32_t i, const struct names *to)
{
	size_t at = etc_map_get(&to->of_name, from->name[i]);
	size_t here = etc_map_get(&from->of_kind, from->identity[i]);
	size_t there = etc_map_get(&to->of_kind, from->identity[i]);

	if (at == ETC_MAP_NONE || there == ETC_MAP_NONE || from->alike[here] != to->alike[there])
		return UINT32_MAX;
	return (uint32_t)at;
}

/* ---- lines of a handle ------------------------------------------------------------------ */

/* All lines, chained by handle. */
struct chains {
	struct etc_map first; /* handle -> its first line */
	uint32_t *next;       /* next line of the same handle; UINT32_MAX: none */
};

static bool chain_lines(const struct etc_gap_graph *g, struct etc_arena *arena, struct chains *c)
{
	uint32_t *last = etc_new(arena, uint32_t, g->lines.count);

	c->next = etc_new(arena, uint32_t, g->lines.count);
	etc_map_init(&c->first, arena);
	if (!last || !c->next)
		return false;
	for (uint32_t i = 0; i < g->lines.count; i++) {
		const struct etc_node *node = etc_gap_called_node(&g->lines.v[i]);
		size_t at;

		c->next[i] = UINT32_MAX;
		if (!node)
			continue;
		at = etc_map_add(&c->first, etc_map_number(node->debug_handle.v), i);
		if (at == ETC_MAP_NONE)
			return false;
		if (at != i)
			c->next[last[at]] = i;
		last[at] = i;
	}
	return true;
}

/* The next line from `i` on that does more than quantise. */
static uint32_t computing(const struct etc_gap_graph *g, const struct chains *c, uint32_t i)
{
	while (i != UINT32_MAX && etc_node_quantises(g->lines.v[i].node))
		i = c->next[i];
	return i;
}

/* Pairs the lines of handle `x` with the lines of the other graph's handle `y`: one by one if both
 * are decomposed into the same operators, else only the lines that compute the handle's value. */
static void pair_lines(const struct etc_gap_graph *from, const struct chains *a, int64_t x,
                       const struct etc_gap_graph *to, const struct chains *b, int64_t y,
                       uint32_t *line)
{
	size_t p = etc_map_get(&a->first, etc_map_number(&x)),
	       q = etc_map_get(&b->first, etc_map_number(&y));
	uint32_t end = etc_gap_exit_of(from, &x, 1), other = etc_gap_exit_of(to, &y, 1);
	uint32_t i, k;

	if (p == ETC_MAP_NONE || q == ETC_MAP_NONE)
		return;
	i = computing(from, a, (uint32_t)p);
	k = computing(to, b, (uint32_t)q);
	while (i != UINT32_MAX && k != UINT32_MAX &&
	       etc_str_eq(from->lines.v[i].node->op, to->lines.v[k].node->op)) {
		i = computing(from, a, a->next[i]);
		k = computing(to, b, b->next[k]);
	}
	if (i == UINT32_MAX && k == UINT32_MAX) {
		i = computing(from, a, (uint32_t)p);
		k = computing(to, b, (uint32_t)q);
		for (; i != UINT32_MAX && k != UINT32_MAX;
		     i = computing(from, a, a->next[i]), k = computing(to, b, b->next[k]))
			line[i] = k;
	}
	if (end != UINT32_MAX && other != UINT32_MAX)
		line[end] = other;
}

static bool translate(const struct etc_gap_graph *from, const struct etc_gap_graph *to,
                      struct etc_arena *arena, struct etc_gap_translation *out)
{
	uint32_t *line = etc_new(arena, uint32_t, from->lines.count);
	struct names a, b;
	struct chains x, y;
	bool alike;

	*out = (struct etc_gap_translation){ .method = from->method, .line = line };
	if (!line || !name_handles(from, arena, &a) || !name_handles(to, arena, &b) ||
	    !chain_lines(from, arena, &x) || !chain_lines(to, arena, &y))
		return false;
	alike = number_alike(&a, &b);
	for (uint32_t i = 0; i < from->lines.count; i++)
		line[i] = UINT32_MAX;
	/* Each handle once, at its first line. */
	for (uint32_t i = 0; i < from->lines.count; i++) {
		const struct etc_node *node = etc_gap_called_node(&from->lines.v[i]);
		uint32_t made, place;
		size_t at;

		if (!node || etc_map_get(&x.first, etc_map_number(node->debug_handle.v)) != i)
			continue;
		if (alike) {
			pair_lines(from, &x, *node->debug_handle.v, to, &y, *node->debug_handle.v,
			           line);
			continue;
		}
		made = origin(from, i);
		at = made == UINT32_MAX
		             ? ETC_MAP_NONE
		             : etc_map_get(&a.of_handle,
		                           etc_map_number(etc_gap_called_node(&from->lines.v[made])
		                                                  ->debug_handle.v));
		place = at == ETC_MAP_NONE ? UINT32_MAX : counterpart(&a, (uint32_t)at, &b);
		if (place != UINT32_MAX)
			pair_lines(from, &x, *node->debug_handle.v, to, &y, *b.handle[place], line);
	}
	return true;
}

enum etc_status etc_gap_translate(const struct etc_gap_graphs *from,
                                  const struct etc_gap_graphs *to, struct etc_arena *arena,
                                  struct etc_gap_translations *out, struct etc_error *err)
{
	struct etc_gap_translation *v = etc_new(arena, struct etc_gap_translation, from->count);

	*out = (struct etc_gap_translations){ .v = v };
	ETC_NEED(v, err);
	for (uint32_t i = 0; i < from->count; i++) {
		const struct etc_gap_graph *other = etc_gap_graph_of(to, from->v[i].method);

		if (!other && from->count == 1 && to->count == 1)
			other = &to->v[0];
		if (other && !translate(&from->v[i], other, arena, &v[out->count++]))
			return etc_no_memory(err);
	}
	return ETC_OK;
}
