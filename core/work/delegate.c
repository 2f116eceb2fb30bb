/* delegate.c -- see delegate.h
 *
 * XNNPACK logs its operators in the order of the graph's nodes. Some nodes have no event, since
 * XNNPACK fuses, folds or drops them, and some events have no debug handle, since the partitioner
 * added their nodes. */
#include "work/delegate.h"

#include "formats/program/delegate_graph.h"
#include "model/xnode.h"

static const uint32_t NONE = UINT32_MAX;

/* For each type of node, by its number in XNodeUnion: the operator of operators.def whose formula
 * the node has, and up to two names under which XNNPACK logs the node. An unused name is empty. */
static const struct kind {
	struct etc_str stem, words[2];
} kinds[] = {
#define X(number, stem, a, b) \
	[number] = { { stem, sizeof stem - 1 }, { { a, sizeof a - 1 }, { b, sizeof b - 1 } } },
#include "work/nodes.def"
};

static const struct kind *kind_of(uint8_t number)
{
	return number < sizeof kinds / sizeof *kinds && kinds[number].stem.len ? &kinds[number]
	                                                                       : NULL;
}

/* ---- operands --------------------------------------------------------------------- */

/* For each XNNDatatype: the bits of an element, and the arithmetic of a product whose left-hand
 * side has that type. */
static const struct {
	uint8_t bits, type;
} types[] = {
	[1] = { 32, ETC_WORK_FP32 },   /* fp32 */
	[2] = { 16, ETC_WORK_FP16 },   /* fp16 */
	[3] = { 8, ETC_WORK_INT8 },    /* qint8 */
	[4] = { 8, ETC_WORK_INT8 },    /* quint8 */
	[5] = { 32, ETC_WORK_OTHER },  /* qint32 */
	[6] = { 8, ETC_WORK_INT8 },    /* qcint8 */
	[7] = { 32, ETC_WORK_OTHER },  /* qcint32 */
	[8] = { 4, ETC_WORK_INT8 },    /* qcint4 */
	[9] = { 8, ETC_WORK_INT8 },    /* qdint8 */
	[10] = { 4, ETC_WORK_INT8 },   /* qbint4 */
	[11] = { 8, ETC_WORK_INT8 },   /* qpint8 */
	[12] = { 32, ETC_WORK_OTHER }, /* int32 */
	[13] = { 32, ETC_WORK_FP32 },  /* pfp32 */
	[14] = { 16, ETC_WORK_BF16 },  /* bf16 */
};

static struct etc_operand operand(const struct etc_delegate_graph *g, uint32_t value)
{
	const struct etc_delegate_value *v = value < g->value_count ? &g->values[value] : NULL;
	struct etc_operand o = { .type = ETC_WORK_OTHER };

	if (!v || v->rank > ETC_OPERAND_RANK)
		return o;
	if (v->type < sizeof types / sizeof *types) {
		o.bits = types[v->type].bits;
		o.type = types[v->type].type;
	}
	o.rank = v->rank;
	o.dynamic = v->unsized;
	o.more = v->scaling.bytes;
	for (uint32_t i = 0; i < v->rank; i++)
		o.size[i] = v->sizes[i];
	return o;
}

/* Transposes the right-hand side of a product. Called if the operator has XNNPACK's flag for
 * that. */
static void transpose(struct etc_operand *o)
{
	uint64_t last;

	if (o->rank < 2)
		return;
	last = o->size[o->rank - 1];
	o->size[o->rank - 1] = o->size[o->rank - 2];
	o->size[o->rank - 2] = last;
}

/* Returns the work of one operator. `formulas` is a cache with an entry for each kind of
 * operator. */
static struct etc_work work_of(const struct etc_delegate_graph *g,
                               const struct etc_delegate_operator *d,
                               const struct etc_formula **formulas)
{
	const struct kind *kind = kind_of(d->kind);
	struct etc_operand in[ETC_DELEGATE_INPUTS], out = operand(g, d->output);
	struct etc_operation op = {
		.in = in, .out = &out, .in_count = d->input_count, .out_count = 1
	};

	if (!kind)
		return (struct etc_work){ .why = ETC_WORK_NO_FORMULA };
	op.stem = kind->stem;
	for (uint32_t i = 0; i < d->input_count; i++) {
		in[i] = operand(g, d->inputs[i]);
		for (uint32_t k = 0; k < i; k++)
			in[i].again = in[i].again || d->inputs[k] == d->inputs[i];
	}
	if ((d->kind == ETC_XNODE_BMM || d->kind == ETC_XNODE_FULLY_CONNECTED) && d->transposed &&
	    d->input_count > 1)
		transpose(&in[1]);
	op.window = (uint64_t)d->window[0] * d->window[1];
	op.transposed = d->kind == ETC_XNODE_CONV_TRANSPOSE;
	if (d->channels[0] &&
	    __builtin_mul_overflow(op.window, (uint64_t)d->channels[op.transposed], &op.window))
		return (struct etc_work){ .why = ETC_WORK_BEYOND };
	/* a dynamic quantisation has a formula of its own, because it also finds the ranges of the
	 * values that it quantises */
	if (d->kind == ETC_XNODE_CONVERT)
		op.stem = etc_str_of(
			out.type != ETC_WORK_INT8
				? in[0].type == ETC_WORK_INT8 ? "dequantize_per_tensor" : "to"
			: g->values[d->output].type == 9 || g->values[d->output].type == 11
				? "quantize_dynamic"
				: "quantize_per_tensor");
	else if (formulas[d->kind])
		op.formula = formulas[d->kind];
	else
		op.formula = formulas[d->kind] = etc_work_formula(op.stem);
	return etc_work_of(&op);
}

/* Computes the work of all nodes. */
static enum etc_status count_all(struct etc_work_graph *w, struct etc_arena *arena,
                                 struct etc_error *err)
{
	const struct etc_formula *formulas[sizeof kinds / sizeof *kinds] = { NULL };
	const struct etc_delegate_graph *g = &w->graph;

	w->all = (struct etc_work){ .why = ETC_WORK_NONE };
	w->works = etc_new(arena, struct etc_work, g->count);
	ETC_NEED(w->works, err);
	for (uint32_t i = 0; i < g->count; i++) {
		w->works[i] = work_of(g, &g->operators[i], formulas);
		etc_work_add(&w->all, &w->works[i]);
	}
	return ETC_OK;
}

enum etc_status etc_work_graph_resize(const struct etc_work_graph *g,
                                      const struct etc_call_argument *args, uint32_t count,
                                      struct etc_arena *arena, struct etc_work_graph *out,
                                      struct etc_error *err)
{
	*out = *g;
	ETC_TRY(etc_delegate_sizes(&g->graph, args, count, arena, &out->graph, err));
	return count_all(out, arena, err);
}

enum etc_status etc_work_graph_read(struct etc_span blob, struct etc_arena *arena,
                                    struct etc_work_graph *out, struct etc_error *err)
{
	const struct etc_delegate_graph *g = &out->graph;

	*out = (struct etc_work_graph){ .read = false };
	etc_map_init(&out->handles, arena);
	ETC_TRY(etc_delegate_graph_read_whole(blob, arena, &out->graph, &out->read, err));
	if (!out->read)
		return ETC_OK;
	out->first = etc_new(arena, uint32_t, g->count);
	out->next = etc_new(arena, uint32_t, g->count);
	ETC_NEED(out->first && out->next, err);
	for (uint32_t i = g->count; i-- > 0;) {
		const size_t known = out->handles.count,
			     at = etc_map_add(&out->handles, etc_map_number(&g->nodes[i].handle),
		                              known);

		ETC_NEED(at != ETC_MAP_NONE, err);
		out->next[i] = at == known ? NONE : out->first[at];
		out->first[at] = i;
	}
	return count_all(out, arena, err);
}

/* ---- events ----------------------------------------------------------------------- */

/* State while the events of one call are matched with nodes. */
struct matching {
	const struct etc_work_graph *g;
	struct etc_work_event *events;
	uint32_t count;
	uint32_t *node; /* for each event, its node, or NONE */
	uint32_t *next; /* for each event, the next event with the same handle, or NONE */
	bool *taken;    /* for each node: does an event have it? */
	/* for each event: has a search for its node been made (assign()), whatever its result? */
	bool *tried;
};

static bool may_be(const struct matching *m, uint32_t node, const struct etc_work_event *e)
{
	const struct kind *kind = kind_of(m->g->graph.operators[node].kind);

	return kind && e->operator_name.len &&
	       (etc_str_eq(e->operator_name, kind->words[0]) ||
	        etc_str_eq(e->operator_name, kind->words[1]));
}

static bool is_same(const struct etc_work *a, const struct etc_work *b)
{
	return a->why == b->why && a->flops == b->flops && a->read == b->read &&
	       a->written == b->written && a->type == b->type;
}

/* Events of a call that cannot be distinguished, in the order of the log, and the nodes to which
 * these events may belong, in the order of the graph. */
struct candidates {
	uint32_t *events, *nodes;
	uint32_t event_count, node_count;
};

/* Assigns the nodes of `c` to its events. If there are as many nodes as events, event i gets node i
 * and its work. If there are more nodes, and all have the same work, each event gets this work, but
 * no node. In all other cases nothing is assigned. */
static void assign(struct matching *m, const struct candidates *c)
{
	bool same = c->node_count >= c->event_count && c->node_count > 0;

	for (uint32_t i = 1; i < c->node_count && same; i++)
		same = is_same(&m->g->works[c->nodes[i]], &m->g->works[c->nodes[0]]);
	for (uint32_t i = 0; i < c->event_count; i++) {
		const uint32_t e = c->events[i];

		if (c->node_count == c->event_count) {
			m->node[e] = c->nodes[i];
			m->taken[c->nodes[i]] = true;
			m->events[e].work = m->g->works[c->nodes[i]];
		} else if (same) {
			m->events[e].work = m->g->works[c->nodes[0]];
		}
	}
}

static bool is_open(const struct matching *m, uint32_t e)
{
	return m->events[e].work.why == ETC_WORK_NO_NODE;
}

/* Adds event `e` to the candidates if it has the operator `operator_name`, and neither a node nor a
 * work yet. */
static void gather(const struct matching *m, uint32_t e, struct etc_str operator_name,
                   struct candidates *c)
{
	if (m->node[e] != NONE || !is_open(m, e) ||
	    !etc_str_eq(m->events[e].operator_name, operator_name))
		return;
	c->events[c->event_count++] = e;
	m->tried[e] = true;
}

/* Returns the index of the event's handle in the graph's list. ETC_MAP_NONE: the event has no
 * handle, or the graph does not have it. */
static size_t handle_at(const struct matching *m, uint32_t e)
{
	return m->events[e].handle
	               ? etc_map_get(&m->g->handles, etc_map_number(&m->events[e].handle))
	               : ETC_MAP_NONE;
}

/* Matches events with nodes that have the same handle and operator. `head` is scratch memory with a
 * number for each handle. All of these numbers must be UINT32_MAX at first. */
static void match_handles(struct matching *m, struct candidates *c, uint32_t *head)
{
	for (uint32_t e = m->count; e-- > 0;) {
		const size_t at = handle_at(m, e);

		if (at == ETC_MAP_NONE)
			continue;
		m->next[e] = head[at];
		head[at] = e;
	}
	for (uint32_t e = 0; e < m->count; e++) {
		const size_t at = m->tried[e] ? ETC_MAP_NONE : handle_at(m, e);

		if (at == ETC_MAP_NONE)
			continue;
		c->node_count = c->event_count = 0;
		for (uint32_t n = m->g->first[at]; n != NONE; n = m->g->next[n])
			if (may_be(m, n, &m->events[e]))
				c->nodes[c->node_count++] = n;
		for (uint32_t i = e; i != NONE; i = m->next[i])
			gather(m, i, m->events[e].operator_name, c);
		assign(m, c);
	}
	memset(m->tried, 0, m->count * sizeof *m->tried);
}

/* Matches the events [from, to) with the nodes [low, high), by operator and order. */
static void match_range(struct matching *m, uint32_t from, uint32_t to, uint32_t low, uint32_t high,
                        struct candidates *c)
{
	for (uint32_t e = from; e < to; e++) {
		if (!is_open(m, e) || m->tried[e])
			continue;
		c->node_count = c->event_count = 0;
		for (uint32_t n = low; n < high; n++)
			if (!m->taken[n] && may_be(m, n, &m->events[e]))
				c->nodes[c->node_count++] = n;
		for (uint32_t i = e; i < to; i++)
			if (m->events[i].handle == m->events[e].handle)
				gather(m, i, m->events[e].operator_name, c);
		assign(m, c);
	}
}

static bool is_fixed(const struct matching *m, uint32_t e)
{
	return m->node[e] != NONE && m->events[e].handle;
}

/* Finds nodes for the events that have none yet. An event may have only a node between two others:
 * the nodes of the nearest events before and after it that have a debug handle and a node. */
static void match_between(struct matching *m, struct candidates *c)
{
	uint32_t low = 0, from = 0;

	for (uint32_t e = 0; e <= m->count; e++) {
		if (e < m->count && !is_fixed(m, e))
			continue;
		match_range(m, from, e, low, e < m->count ? m->node[e] : m->g->graph.count, c);
		low = e < m->count ? m->node[e] + 1 : low;
		from = e + 1;
	}
}

/* Are the matched nodes in the order of the events, as XNNPACK logs them? */
static bool in_order(const struct matching *m)
{
	uint32_t low = 0;

	for (uint32_t e = 0; e < m->count; e++) {
		if (m->node[e] == NONE)
			continue;
		if (m->node[e] < low)
			return false;
		low = m->node[e] + 1;
	}
	return true;
}

static void forget(struct matching *m)
{
	for (uint32_t e = 0; e < m->count; e++)
		m->events[e].work = (struct etc_work){ .why = ETC_WORK_NO_NODE };
}

enum etc_status etc_work_graph_match(const struct etc_work_graph *g, struct etc_work_event *events,
                                     uint32_t count, struct etc_arena *scratch,
                                     struct etc_error *err)
{
	struct matching m = { .g = g,
		              .events = events,
		              .count = count,
		              .node = etc_new(scratch, uint32_t, count),
		              .next = etc_new(scratch, uint32_t, count),
		              .tried = etc_new(scratch, bool, count),
		              .taken = etc_new(scratch, bool, g->graph.count) };
	struct candidates c = { .events = etc_new(scratch, uint32_t, count),
		                .nodes = etc_new(scratch, uint32_t, g->graph.count) };
	uint32_t *head = etc_new(scratch, uint32_t, g->handles.count);

	ETC_NEED(m.node && m.next && m.tried && m.taken && c.events && c.nodes && head, err);
	forget(&m);
	memset(m.node, 0xff, count * sizeof *m.node);
	memset(m.next, 0xff, count * sizeof *m.next);
	memset(head, 0xff, g->handles.count * sizeof *head);
	match_handles(&m, &c, head);
	if (in_order(&m))
		match_between(&m, &c);
	if (!in_order(&m))
		forget(&m);
	return ETC_OK;
}
