/* gap_graph.c -- maps the nodes of one export to the nodes of another; see gap_graph.h */
#include "commands/numeric/gap_graph.h"

#include "base/ascii.h"
#include "base/map.h"
#include "commands/numeric/gap_nodes.h"
#include "formats/etrecord/graph_flow.h"
#include "formats/etrecord/graph_lines.h"
#include "formats/container/zip.h"
#include "formats/pickle/torch_save.h"

/* The weights of a graph are one entry of the record's archive. If the entry is compressed, it is
 * read only if it has at most this many bytes when unpacked; exporters do not compress it. */
enum { UNPACKED_MOST = 1 << 20 };

/* Reads the weights of a graph. These include numbers of the model's source code, such as the eps
 * of a normalisation. */
static enum etc_status read_weights(const struct etc_zip *zip, struct etc_gap_graph *g,
                                    struct etc_arena *arena, struct etc_error *err)
{
	struct etc_str name =
		etc_arena_printf(arena, ETC_STR_FMT "_state_dict", ETC_STR_ARG(g->graph->name));
	const struct etc_zip_entry *e;
	struct etc_pickle_fault fault = { 0 };
	struct etc_error why = { .at = -1 };
	struct etc_zip_data data;

	ETC_NEED(name.ptr, err);
	e = etc_zip_find(zip, name);
	if (!e || !e->size || (e->method && e->size > UNPACKED_MOST))
		return ETC_OK;
	if (etc_zip_read(zip, e, e->size, arena, &data, &why) != ETC_OK)
		return why.code == E0904 ? etc_no_memory(err) : ETC_OK;
	if (etc_torch_load(data.bytes, ETC_PICKLE_TORCH, arena, &g->weights, &fault) !=
	    ETC_PICKLE_READ)
		g->weights = NULL;
	return ETC_OK;
}

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
		g->graph = &r->graphs[i];
		ETC_TRY(etc_graph_flow_read(&zip, g->graph, arena, &g->tensors, err));
		ETC_TRY(read_weights(&zip, g, arena, err));
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

/* ---- are two graphs of the same program? ---------------------------------------------- */

static bool same_handles(const struct etc_handle_entry *a, const struct etc_handle_entry *b,
                         uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!etc_str_eq(a[i].key, b[i].key) || a[i].handles.count != b[i].handles.count ||
		    memcmp(a[i].handles.v, b[i].handles.v,
		           a[i].handles.count * sizeof *a[i].handles.v) != 0)
			return false;
	return true;
}

static bool same_maps(const struct etc_method_maps *a, const struct etc_method_maps *b)
{
	bool same = a && b && a->handle_count == b->handle_count &&
	            a->delegate_count == b->delegate_count &&
	            a->num_outs_count == b->num_outs_count &&
	            same_handles(a->handles, b->handles, a->handle_count);

	for (uint32_t i = 0; same && i < a->delegate_count; i++)
		same = etc_str_eq(a->delegates[i].key, b->delegates[i].key);
	for (uint32_t i = 0; same && i < a->num_outs_count; i++)
		same = etc_str_eq(a->num_outs[i].key, b->num_outs[i].key) &&
		       a->num_outs[i].outputs == b->num_outs[i].outputs;
	return same;
}

static bool same_lines(const struct etc_graph_lines *a, const struct etc_graph_lines *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++) {
		const struct etc_graph_line *x = &a->v[i], *y = &b->v[i];
		bool same = x->op == y->op && x->argument_count == y->argument_count &&
		            etc_str_eq(x->name, y->name) && etc_str_eq(x->target, y->target);

		for (uint32_t k = 0; same && k < x->argument_count; k++)
			same = etc_str_eq(x->arguments[k].text, y->arguments[k].text);
		if (!same)
			return false;
	}
	return true;
}

bool etc_gap_same_program(const struct etc_gap_graphs *a, const struct etc_record *of_a,
                          const struct etc_gap_graphs *b, const struct etc_record *of_b)
{
	bool same = a->count == b->count;

	for (uint32_t i = 0; same && i < a->count; i++)
		same = etc_str_eq(a->v[i].method, b->v[i].method) &&
		       same_lines(&a->v[i].lines, &b->v[i].lines) &&
		       same_maps(etc_record_method(of_a, a->v[i].method),
		                 etc_record_method(of_b, b->v[i].method));
	return same;
}

/* ---- matching lines of two exports ---------------------------------------------------- */

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

const struct etc_graph_tensor *etc_gap_output_of(const struct etc_gap_graph *g,
                                                 const struct etc_node *n)
{
	const struct etc_graph_tensors *out;

	if (!g->tensors.whole)
		return NULL;
	out = &g->tensors.calls[n - g->graph->nodes].outputs;
	return out->count && g->tensors.tensors[out->first].known ? &g->tensors.tensors[out->first]
	                                                          : NULL;
}

bool etc_gap_may_vanish(const struct etc_node *n)
{
	static const char *const names[] = { "view_copy",       "view",       "alias_copy",
		                             "alias",           "clone",      "_clone_dim_order",
		                             "lift_fresh_copy", "detach_copy" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (etc_str_eq(etc_gap_operator_of(n), etc_str_of(names[i])))
			return true;
	return false;
}

bool etc_gap_is_model_input(const struct etc_graph_line *line)
{
	const struct etc_str name = line->name;

	if (line->op != ETC_LINE_PLACEHOLDER || line->input != ETC_INPUT_UNKNOWN)
		return line->input == ETC_INPUT_USER;
	return !etc_str_starts(name, ETC_STR("_lifted_")) &&
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

/* Returns the line that computes the value of line `i`. Lines that only quantise or dequantise the
 * value are skipped. UINT32_MAX: the value comes from a line that is not a call, such as an
 * input. */
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

/* Returns the origin of a node: its module and source line. It is the same in every export, because
 * decompositions and backends change operators, but not the lines of the model's source code. */
static struct etc_str origin_text(const struct etc_node *n, struct etc_arena *arena)
{
	struct etc_str module = { 0 };

	if (n->module_count)
		module = n->modules[n->module_count - 1].path;
	return etc_arena_printf(arena, ETC_STR_FMT "|" ETC_STR_FMT ":%u", ETC_STR_ARG(module),
	                        ETC_STR_ARG(n->source_file), (unsigned)n->source_line);
}

/* The debug handles of a graph, each with a name: "ORIGIN#N" is the N-th handle whose node has that
 * origin (module and source line). */
struct names {
	struct etc_map of_handle; /* maps a handle (8 bytes) to its index in the arrays */
	struct etc_map of_name;   /* maps a name to its index in the arrays */
	struct etc_map of_kind;   /* maps an origin to its index in `alike` */
	const int64_t **handle;
	struct etc_str *origin, *name;
	uint32_t *alike; /* per origin: number of handles with that origin */
	uint32_t count;
};

static bool name_handle(struct names *n, const struct etc_node *node, struct etc_arena *arena)
{
	size_t at = etc_map_add(&n->of_handle, etc_map_number(node->debug_handle.v), n->count),
	       kind;
	struct etc_str what, name;

	if (at == ETC_MAP_NONE || at < n->count)
		return at != ETC_MAP_NONE;
	what = origin_text(node, arena);
	kind = what.ptr ? etc_map_add(&n->of_kind, what, n->count) : ETC_MAP_NONE;
	if (kind == ETC_MAP_NONE)
		return false;
	name = etc_arena_printf(arena, ETC_STR_FMT "#%u", ETC_STR_ARG(what),
	                        (unsigned)n->alike[kind]++);
	n->handle[n->count] = node->debug_handle.v;
	n->origin[n->count] = what;
	n->name[n->count] = name;
	return name.ptr && etc_map_add(&n->of_name, name, n->count++) != ETC_MAP_NONE;
}

static bool name_handles(const struct etc_gap_graph *g, struct etc_arena *arena, struct names *n)
{
	uint32_t lines = g->lines.count;

	*n = (struct names){ .handle = etc_new(arena, const int64_t *, lines),
		             .origin = etc_new(arena, struct etc_str, lines),
		             .name = etc_new(arena, struct etc_str, lines),
		             .alike = etc_new(arena, uint32_t, lines) };
	etc_map_init(&n->of_handle, arena);
	etc_map_init(&n->of_name, arena);
	etc_map_init(&n->of_kind, arena);
	if (!n->handle || !n->origin || !n->name || !n->alike)
		return false;
	for (uint32_t i = 0; i < lines; i++) {
		const struct etc_node *node = etc_gap_called_node(&g->lines.v[i]);

		if (node && !etc_node_quantises(node) && !name_handle(n, node, arena))
			return false;
	}
	return true;
}

/* Does each debug handle that occurs in both graphs belong to the same origin in both? If so, both
 * exports number the handles in the same way. False if the graphs have no handle in common. */
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

/* Returns the index in `to` of the handle with the same name (origin and number) as handle `i` of
 * `from`. UINT32_MAX: there is none, or the exports have different numbers of handles with that
 * origin. */
static uint32_t counterpart(const struct names *from, uint32_t i, const struct names *to)
{
	size_t at = etc_map_get(&to->of_name, from->name[i]);
	size_t here = etc_map_get(&from->of_kind, from->origin[i]);
	size_t there = etc_map_get(&to->of_kind, from->origin[i]);

	if (at == ETC_MAP_NONE || there == ETC_MAP_NONE || from->alike[here] != to->alike[there])
		return UINT32_MAX;
	return (uint32_t)at;
}

/* ---- lines of a handle ------------------------------------------------------------------ */

/* The lines of each handle, as linked lists. */
struct chains {
	struct etc_map first; /* maps a handle to its first line */
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

static bool is_op(const struct etc_gap_graph *g, uint32_t i, const char *name)
{
	const struct etc_node *n = etc_gap_called_node(&g->lines.v[i]);

	return n && etc_str_eq(etc_gap_operator_of(n), etc_str_of(name));
}

/* Returns input `k` of line `i`; UINT32_MAX: there is none. */
static uint32_t input_of(const struct etc_gap_graph *g, uint32_t i, uint32_t k)
{
	const uint32_t *first = g->flow.first_input;

	return k < first[i + 1] - first[i] ? g->flow.inputs[first[i] + k] : UINT32_MAX;
}

/* Is line `i` a weight, or a weight that was only moved, repeated or quantised? Here, parameters,
 * buffers and constants count as weights. */
static bool is_weight(const struct etc_gap_graph *g, uint32_t i)
{
	while (i != UINT32_MAX && g->lines.v[i].op == ETC_LINE_CALL) {
		const struct etc_node *n = etc_gap_called_node(&g->lines.v[i]);
		bool moves = n && (etc_gap_may_vanish(n) || etc_node_quantises(n) ||
		                   is_op(g, i, "permute_copy") || is_op(g, i, "t_copy") ||
		                   is_op(g, i, "expand_copy"));

		for (uint32_t k = 1; moves && input_of(g, i, k) != UINT32_MAX; k++)
			moves = is_weight(g, input_of(g, i, k));
		i = moves ? input_of(g, i, 0) : UINT32_MAX;
	}
	return i != UINT32_MAX && g->lines.v[i].op == ETC_LINE_PLACEHOLDER &&
	       !etc_gap_is_model_input(&g->lines.v[i]);
}

static uint64_t elements_of(const struct etc_gap_graph *g, uint32_t i)
{
	const struct etc_node *n = etc_gap_called_node(&g->lines.v[i]);
	const struct etc_graph_tensor *t = n ? etc_gap_output_of(g, n) : NULL;
	uint64_t count = t != NULL;

	for (uint32_t d = 0; t && d < t->rank; d++)
		count *= t->sizes[d] > 0 ? (uint64_t)t->sizes[d] : 0;
	return count;
}

/* Is line `i` an expand_copy whose result has the same number of elements as its input? */
static bool repeats_nothing(const struct etc_gap_graph *g, uint32_t i)
{
	uint32_t from = input_of(g, i, 0);

	return is_op(g, i, "expand_copy") && from != UINT32_MAX && elements_of(g, i) &&
	       elements_of(g, i) == elements_of(g, from);
}

/* Does line `i` only change the layout of a value? Such lines are a view, a weight that is copied,
 * transposed or dequantised, or an expansion that repeats no element. Decompositions of a linear
 * layer add such lines. */
static bool is_layout(const struct etc_gap_graph *g, uint32_t i)
{
	const struct etc_node *n = etc_gap_called_node(&g->lines.v[i]);

	return n && !etc_node_quantises(n) &&
	       (etc_gap_may_vanish(n) || is_weight(g, i) || repeats_nothing(g, i));
}

/* If line `i` adds a bias to the product of a value and a weight, returns the line of that product;
 * else UINT32_MAX. (A linear layer whose input has three dimensions may be decomposed in this
 * way.) */
static uint32_t product_of(const struct etc_gap_graph *g, uint32_t i)
{
	uint32_t from = input_of(g, i, 0), bias = input_of(g, i, 1);

	if (!is_op(g, i, "add") || g->lines.v[i].argument_count != 2 || bias == UINT32_MAX ||
	    !is_weight(g, bias))
		return UINT32_MAX;
	while (from != UINT32_MAX && is_layout(g, from))
		from = input_of(g, from, 0);
	return from != UINT32_MAX && is_op(g, from, "bmm") && input_of(g, from, 1) != UINT32_MAX &&
	                       is_weight(g, input_of(g, from, 1))
	               ? from
	               : UINT32_MAX;
}

static bool is_summed(const struct etc_gap_graph *g, uint32_t i)
{
	bool summed = false;

	for (uint32_t k = i + 1; k < g->lines.count && is_op(g, i, "bmm") && !summed; k++)
		summed = product_of(g, k) == i;
	return summed;
}

/* A handle of one graph whose lines are being paired with the lines of a handle of the other
 * graph. */
struct member {
	const struct etc_gap_graph *g;
	const struct chains *c;
	uint32_t first;
	/* do not pair lines that only change a layout, or for which is_summed() is true */
	bool loosely;
	bool exactly; /* also pair the lines that quantise or dequantise */
};

static bool computes(const struct member *m, uint32_t i)
{
	return (m->exactly || !etc_node_quantises(m->g->lines.v[i].node)) &&
	       !(m->loosely && (is_layout(m->g, i) || is_summed(m->g, i)));
}

/* Returns the first line of the handle, from line `i` on, for which computes() is true; UINT32_MAX:
 * there is none. */
static uint32_t computing(const struct member *m, uint32_t i)
{
	while (i != UINT32_MAX && !computes(m, i))
		i = m->c->next[i];
	return i;
}

/* Sets *i and *k to the next lines of the handles `a` and `b`; if *i is UINT32_MAX, to their first
 * lines. Returns false if one of the handles has no further line; its index is then UINT32_MAX. */
static bool next_pair(const struct member *a, const struct member *b, uint32_t *i, uint32_t *k)
{
	bool begins = *i == UINT32_MAX;

	*i = computing(a, begins ? a->first : a->c->next[*i]);
	*k = computing(b, begins ? b->first : b->c->next[*k]);
	return *i != UINT32_MAX && *k != UINT32_MAX;
}

static bool is_linear(const struct etc_gap_graph *g, uint32_t i, bool *bias)
{
	const struct etc_graph_line *line = &g->lines.v[i];
	struct etc_str op = etc_gap_operator_of(line->node);
	bool linear = etc_str_eq(op, ETC_STR("linear"));

	*bias = etc_str_eq(op, ETC_STR("addmm")) || product_of(g, i) != UINT32_MAX ||
	        (linear && line->argument_count > 2 &&
	         !etc_str_eq(line->arguments[2].text, ETC_STR("None")));
	return linear || *bias || etc_str_eq(op, ETC_STR("mm"));
}

static bool is_number(struct etc_str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (etc_is_word(text.ptr[i]) && (text.ptr[i] < '0' || text.ptr[i] > '9'))
			return false;
	return true;
}

/* Removes the namespace: "aten.where.self" becomes "where.self". This is needed because records
 * leave out the namespace of some operators. */
static struct etc_str overload_of(struct etc_str op)
{
	size_t end = last_dot(op);

	return etc_str_sub(op, end ? last_dot(etc_str_sub(op, 0, end - 1)) : 0, op.len);
}

/* Do the two lines call the same operator, with the same numbers as arguments? With a->loosely, two
 * different forms of a linear layer count as the same operator, provided that both or neither have
 * a bias. */
static bool same_operator(const struct member *a, uint32_t i, const struct member *b, uint32_t k)
{
	const struct etc_graph_line *x = &a->g->lines.v[i], *y = &b->g->lines.v[k];
	bool bias, other;

	if (a->loosely && is_linear(a->g, i, &bias) && is_linear(b->g, k, &other))
		return bias == other;
	for (uint32_t n = 0; n < x->argument_count && n < y->argument_count; n++)
		if (is_number(x->arguments[n].text) && is_number(y->arguments[n].text) &&
		    !etc_str_eq(x->arguments[n].text, y->arguments[n].text))
			return false;
	return etc_str_eq(overload_of(x->node->op), overload_of(y->node->op));
}

/* A line may read the result of another line with the same debug handle through a getitem. Goes
 * from line `i` back to the nearest line that computed the value and has the handle of `m`, and
 * returns that line. If there is a getitem between the two lines, sets *item to the index of the
 * output that the getitem reads; otherwise *item is empty. UINT32_MAX: a line with another handle
 * computed the value. */
static uint32_t source_of(const struct member *m, uint32_t i, struct etc_str *item)
{
	const int64_t handle = m->g->lines.v[m->first].node->debug_handle.v[0];
	const uint32_t *first = m->g->flow.first_input;

	*item = ETC_STR_NONE;
	for (;;) {
		const struct etc_graph_line *l = &m->g->lines.v[i];

		if (l->op != ETC_LINE_CALL || !l->node || !l->node->debug_handle.count ||
		    ((m->exactly || !etc_node_quantises(l->node)) &&
		     l->node->debug_handle.v[0] != handle))
			return UINT32_MAX;
		if (!etc_gap_called_node(l) && l->argument_count > 1)
			*item = l->arguments[1].text;
		else if (computes(m, i))
			return i;
		if (first[i] == first[i + 1])
			return UINT32_MAX;
		i = m->g->flow.inputs[first[i]];
	}
}

/* Searches flow.inputs[*at .. end) for the next input that was computed by a line with the handle
 * of `m`. Returns source_of() of that input, and sets *at to the index after the input. UINT32_MAX:
 * there is no such input. */
static uint32_t next_source(const struct member *m, uint32_t *at, uint32_t end,
                            struct etc_str *item)
{
	uint32_t found = UINT32_MAX;

	while (found == UINT32_MAX && *at < end)
		found = source_of(m, m->g->flow.inputs[(*at)++], item);
	return found;
}

/* Do line `i` of handle `a` and line `k` of handle `b` read the same values? Only values that lines
 * of the same handle (`a` or `b`) computed are compared. line[x] is the line of `b` that is paired
 * with line x of `a`. */
static bool take_the_same(const struct member *a, uint32_t i, const struct member *b, uint32_t k,
                          const uint32_t *line)
{
	uint32_t p = a->g->flow.first_input[i], q = b->g->flow.first_input[k], x, y;
	struct etc_str of_x, of_y;

	for (;;) {
		x = next_source(a, &p, a->g->flow.first_input[i + 1], &of_x);
		y = next_source(b, &q, b->g->flow.first_input[k + 1], &of_y);
		if (x == UINT32_MAX || y == UINT32_MAX)
			return x == y;
		if (line[x] != y || !etc_str_eq(of_x, of_y))
			return false;
	}
}

/* Pairs the lines of handles `a` and `b` one by one. If the lines of a pair call different
 * operators, or read lines that are not paired, pairs no lines and returns false. */
static bool pair_each(const struct member *a, const struct member *b, uint32_t *line)
{
	uint32_t i = UINT32_MAX, k = UINT32_MAX;
	bool good = true;

	while (next_pair(a, b, &i, &k))
		good &= same_operator(a, i, b, k);
	if (!good || i != k)
		return false;
	while (next_pair(a, b, &i, &k))
		line[i] = k;
	while (next_pair(a, b, &i, &k))
		good &= take_the_same(a, i, b, k, line);
	while (!good && next_pair(a, b, &i, &k))
		line[i] = UINT32_MAX;
	return good;
}

/* Pairs the lines of handle `x` with the lines of handle `y` of the other graph. If both handles
 * are decomposed in the same way, pairs their lines one by one; linear layers may then have
 * different forms. In any case pairs the exits of the handles (the lines that compute the handles'
 * values), if these are known. */
static void pair_lines(const struct etc_gap_graph *from, const struct chains *a, int64_t x,
                       const struct etc_gap_graph *to, const struct chains *b, int64_t y,
                       uint32_t *line)
{
	size_t p = etc_map_get(&a->first, etc_map_number(&x)),
	       q = etc_map_get(&b->first, etc_map_number(&y));
	uint32_t end = etc_gap_exit_of(from, &x, 1), other = etc_gap_exit_of(to, &y, 1);

	if (p == ETC_MAP_NONE || q == ETC_MAP_NONE)
		return;
	for (int how = 0; how < 4; how++) {
		const bool loosely = how & 1, exactly = how < 2;
		const struct member m = { from, a, (uint32_t)p, loosely, exactly };
		const struct member n = { to, b, (uint32_t)q, loosely, exactly };

		if (pair_each(&m, &n, line))
			break;
	}
	if (end != UINT32_MAX && other != UINT32_MAX)
		line[end] = other;
}

const uint32_t *etc_gap_lines_of_nodes(const struct etc_gap_graph *g,
                                       const struct etc_reference_method *from,
                                       struct etc_arena *arena)
{
	uint32_t *line = etc_new(arena, uint32_t, from->node_count);
	/* index: first line of a handle; value: the line that is expected for the next node of the
	 * handle */
	uint32_t *due = etc_new(arena, uint32_t, g->lines.count);
	bool *differs = etc_new(arena, bool, g->lines.count);
	struct chains c;

	if (!line || !due || !differs || !chain_lines(g, arena, &c))
		return NULL;
	for (uint32_t i = 0; i < g->lines.count; i++)
		due[i] = i;
	for (uint32_t i = 0; i < from->node_count; i++) {
		const struct etc_reference *n = &from->nodes[i];
		size_t at = etc_map_get(&c.first, etc_map_number(n->handle));

		line[i] = at == ETC_MAP_NONE ? UINT32_MAX : due[at];
		if (line[i] != UINT32_MAX && n->op_count == 1 &&
		    etc_str_eq(overload_of(n->ops[0].name),
		               overload_of(g->lines.v[line[i]].node->op)))
			due[at] = c.next[line[i]];
		else if (at != ETC_MAP_NONE)
			differs[at] = true;
	}
	for (uint32_t i = 0; i < from->node_count; i++) {
		size_t at = etc_map_get(&c.first, etc_map_number(from->nodes[i].handle));

		if (at != ETC_MAP_NONE && (differs[at] || due[at] != UINT32_MAX))
			line[i] = UINT32_MAX;
	}
	return line;
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
	/* translates each handle once, at the first line of the handle */
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
