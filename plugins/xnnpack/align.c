/* align.c -- finds the node of each event by aligning events with nodes; see align.h.
 *
 * A place is a possible partner of an event (struct place). Cell (e, p) of a grid stands for the
 * first e events, assigned to some of the first p places. The forward pass marks the cells that can
 * be reached from the first cell; the backward pass marks those from which the last cell can be
 * reached. Each cell has one bit for each pass. Event e may have place p if cell (e, p) is marked
 * by the forward pass, and cell (e + 1, p + 1) by the backward pass. In each row of the grid, only
 * the range of reachable cells is visited, which is a single cell as long as every place has an
 * event. */
#include "align.h"

#include "match.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CELLS ((uint64_t)1 << 24)

/* A possible partner of an event: a node, or the clamp that XNNPACK adds after a node. */
struct place {
	const struct xnnpack_node *node;
	bool is_clamp;
	bool may_lack; /* the node may have no event */
};

struct range {
	uint64_t low, high; /* inclusive */
};

struct grid {
	const struct xnnpack_event *events;
	struct place *places;
	uint64_t event_count, place_count;
	uint8_t *forward, *backward;
	/* rows[e]: the smallest and the largest place p such that the cell (e, p) can be reached
	 * from the cell (0, 0) */
	struct range *rows;
};

/* Properties of a delegate call that decide which nodes may have no event. `lookups`: some event is
 * a table lookup. `squares`: some event is a sum of squares. `unknown`: the name of some event is
 * not in the table of operators. */
struct traits {
	bool lookups, squares, unknown;
	bool widened; /* half floats of the call are computed as fp32 */
};

/* The kinds of nodes that only move data. When XNNPACK adds conversions, it may run these nodes
 * before the conversions. */
static const uint8_t moves[] = { KIND_TRANSPOSE, KIND_RESHAPE, KIND_COPY,  KIND_CAT2, KIND_CAT3,
	                         KIND_CAT4,      KIND_CAT5,    KIND_SLICE, KIND_PAD };

static bool is_in(unsigned kind, const uint8_t *kinds, size_t count)
{
	return memchr(kinds, (int)kind, count) != NULL;
}

static uint64_t cell(const struct grid *g, uint64_t event, uint64_t place)
{
	return event * (g->place_count + 1) + place;
}

static bool get(const uint8_t *bits, uint64_t i)
{
	return bits[i / 8] >> (i % 8) & 1;
}

static void set(uint8_t *bits, uint64_t i)
{
	bits[i / 8] |= (uint8_t)(1u << (i % 8));
}

static bool fits(const struct xnnpack_event *event, const struct place *place)
{
	if (place->is_clamp)
		return xnnpack_event_is_clamp(event);
	return xnnpack_event_fits(event, place->node);
}

static void reach_cell(struct grid *g, uint64_t e, uint64_t p)
{
	struct range *row = &g->rows[e];

	set(g->forward, cell(g, e, p));
	row->low = p < row->low ? p : row->low;
	row->high = p > row->high ? p : row->high;
}

static void reach(struct grid *g)
{
	for (uint64_t e = 0; e <= g->event_count; e++)
		g->rows[e].low = UINT64_MAX;
	reach_cell(g, 0, 0);
	for (uint64_t e = 0; e <= g->event_count; e++) {
		for (uint64_t p = g->rows[e].low; p <= g->rows[e].high; p++) {
			if (!get(g->forward, cell(g, e, p)))
				continue;
			if (p < g->place_count && g->places[p].may_lack)
				reach_cell(g, e, p + 1);
			if (e < g->event_count && !g->events[e].known)
				reach_cell(g, e + 1, p);
			else if (e < g->event_count && p < g->place_count &&
			         fits(&g->events[e], &g->places[p]))
				reach_cell(g, e + 1, p + 1);
		}
	}
	/* Cells that cannot be reached from the first cell belong to no complete alignment, so the
	 * backward pass skips them. */
	set(g->backward, cell(g, g->event_count, g->place_count));
	for (uint64_t e = g->event_count + 1; e-- > 0;) {
		for (uint64_t p = g->rows[e].high + 1; p-- > g->rows[e].low;) {
			bool ends = get(g->backward, cell(g, e, p));

			if (!get(g->forward, cell(g, e, p)))
				continue;
			if (p < g->place_count && g->places[p].may_lack)
				ends = ends || get(g->backward, cell(g, e, p + 1));
			if (e < g->event_count && !g->events[e].known)
				ends = ends || get(g->backward, cell(g, e + 1, p));
			else if (!ends && e < g->event_count && p < g->place_count &&
			         get(g->backward, cell(g, e + 1, p + 1)))
				ends = fits(&g->events[e], &g->places[p]);
			if (ends)
				set(g->backward, cell(g, e, p));
		}
	}
}

static bool may_take(const struct grid *g, uint64_t e, uint64_t p)
{
	return get(g->forward, cell(g, e, p)) && get(g->backward, cell(g, e + 1, p + 1)) &&
	       fits(&g->events[e], &g->places[p]);
}

/* Returns the properties of the node of event `e` on which all of its candidates agree; a property
 * on which they differ is 0. A table lookup has no properties, because it stands for several nodes.
 * The clamp after a node has no handle, because the blob has no node for it. */
static struct xnnpack_match agree(const struct grid *g, uint64_t e)
{
	struct xnnpack_match m = { 0, 0 };
	bool first = true;

	if (!g->events[e].known || xnnpack_event_is_lookup(&g->events[e]))
		return m;
	for (uint64_t p = g->rows[e].low; p <= g->rows[e].high && p < g->place_count; p++) {
		const struct place *place = &g->places[p];
		struct xnnpack_match one = { place->node->handle, place->node->rows };

		if (!may_take(g, e, p))
			continue;
		if (place->is_clamp)
			one.handle = 0;
		if (first)
			m = one;
		if (m.handle != one.handle)
			m.handle = 0;
		if (m.rows != one.rows)
			m.rows = 0;
		first = false;
	}
	return m;
}

/* ---- places ------------------------------------------------------------------ */

/* May the node have no event? True for kinds of nodes that XNNPACK may fuse, fold or inline, or
 * leave out because they change nothing. */
static bool may_lack(const struct xnnpack_node *node, const struct traits *traits)
{
	static const uint8_t often[] = { KIND_CLAMP,   KIND_RESHAPE, KIND_PAD,  KIND_MINIMUM,
		                         KIND_MAXIMUM, KIND_COPY,    KIND_COUNT };
	/* XNNPACK does not fold these kinds of nodes into a table lookup or another operator, so
	 * that they have an event; there are exceptions, which follow. */
	static const uint8_t never[] = { KIND_FULLY_CONNECTED,
		                         KIND_SOFTMAX,
		                         KIND_TRANSPOSE,
		                         KIND_CONV2D,
		                         KIND_RESIZE,
		                         KIND_AVG_POOL,
		                         KIND_DEPTHWISE,
		                         KIND_MAX_POOL,
		                         KIND_GLOBAL_AVG_POOL,
		                         KIND_ARGMAX_POOL,
		                         KIND_CAT2,
		                         KIND_CAT3,
		                         KIND_CAT4,
		                         KIND_CAT5,
		                         KIND_SLICE,
		                         KIND_ATTENTION,
		                         KIND_BMM,
		                         KIND_CONV_TRANSPOSE };

	if (is_in(node->kind, often, sizeof often))
		return true;
	if (traits->widened && is_in(node->kind, moves, sizeof moves))
		return true;
	if (node->kind == KIND_TRANSPOSE)
		return node->swaps_last && node->feeds_rhs;
	if (node->kind == KIND_CONVERT && node->out_type == DATATYPE_QDINT8)
		return true;
	if (is_in(node->kind, never, sizeof never))
		return false;
	return traits->lookups || traits->unknown ||
	       (traits->squares && (node->kind == KIND_SQUARE || node->kind == KIND_MULTIPLY));
}

/* Does XNNPACK run a separate operator to clamp the node's results? */
static bool has_own_clamp(const struct xnnpack_node *node)
{
	static const uint8_t kinds[] = { KIND_ADD, KIND_DIV, KIND_MULTIPLY, KIND_SUBTRACT,
		                         KIND_GLOBAL_AVG_POOL };

	return node->limits && is_in(node->kind, kinds, sizeof kinds);
}

static uint64_t list_places(const struct xnnpack_blob *blob, const struct traits *traits,
                            struct place *places)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < blob->count; i++) {
		const struct xnnpack_node *node = &blob->nodes[i];

		places[count++] = (struct place){ node, false, may_lack(node, traits) };
		if (has_own_clamp(node))
			places[count++] = (struct place){ node, true, true };
	}
	return count;
}

static void release(struct grid *g, struct xnnpack_event *events)
{
	free(g->forward);
	free(g->backward);
	free(g->rows);
	free(g->places);
	free(events);
}

/* Reads the delegate events of the call to `events`, sets g->event_count, and returns the traits of
 * the call. */
static struct traits read_events(const struct etcore_call *call, bool widened, struct grid *g,
                                 struct xnnpack_event *events)
{
	struct traits traits = { .widened = widened };

	for (uint32_t i = 0; i < call->count; i++) {
		struct xnnpack_event *event = &events[g->event_count];

		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
			continue;
		(void)xnnpack_event_read(call->events[i], event);
		traits.unknown = traits.unknown || !event->known;
		traits.lookups = traits.lookups || xnnpack_event_is_lookup(event);
		traits.squares = traits.squares || xnnpack_event_takes_square(event);
		if (widened && xnnpack_event_is_movement(event))
			event->known = false;
		g->event_count++;
	}
	return traits;
}

static etcore_result align(const struct etcore_call *call, const struct xnnpack_blob *blob,
                           bool widened, struct xnnpack_match *matches)
{
	struct xnnpack_event *events = calloc((size_t)call->count + 1, sizeof *events);
	struct grid g = { .events = events };
	struct traits traits;
	uint64_t bytes;
	bool reached;

	g.places = calloc((size_t)blob->count * 2 + 1, sizeof *g.places);
	if (!events || !g.places) {
		release(&g, events);
		return ETCORE_NOMEM;
	}
	traits = read_events(call, widened, &g, events);
	g.place_count = list_places(blob, &traits, g.places);
	if ((g.event_count + 1) * (g.place_count + 1) > MAX_CELLS) {
		release(&g, events);
		return ETCORE_DECLINE;
	}
	bytes = (g.event_count + 1) * (g.place_count + 1) / 8 + 1;
	g.forward = calloc((size_t)bytes, 1);
	g.backward = calloc((size_t)bytes, 1);
	g.rows = calloc((size_t)g.event_count + 1, sizeof *g.rows);
	if (!g.forward || !g.backward || !g.rows) {
		release(&g, events);
		return ETCORE_NOMEM;
	}
	reach(&g);
	reached = get(g.backward, 0);
	for (uint32_t i = 0, e = 0; i < call->count && reached; i++)
		if (call->events[i]->flags & ETCORE_EVENT_DELEGATE)
			matches[i] = agree(&g, e++);
	release(&g, events);
	return reached ? ETCORE_OK : ETCORE_DECLINE;
}

/* Replaces the half-float types of all nodes by fp32, as XNNPACK does on processors without
 * arithmetic for half floats. False: no node has such a type. */
static bool widen(struct xnnpack_blob *blob)
{
	bool any = false;

	for (uint32_t i = 0; i < blob->count; i++) {
		uint8_t *types[] = { &blob->nodes[i].type, &blob->nodes[i].type2,
			             &blob->nodes[i].out_type };

		for (size_t k = 0; k < 3; k++) {
			if (*types[k] != DATATYPE_FP16 && *types[k] != DATATYPE_BF16)
				continue;
			*types[k] = DATATYPE_FP32;
			any = true;
		}
	}
	return any;
}

etcore_result xnnpack_align(const struct etcore_call *call, struct xnnpack_blob *blob,
                            struct xnnpack_match *matches)
{
	etcore_result r;

	for (uint32_t i = 0; i < call->count; i++)
		matches[i] = (struct xnnpack_match){ 0, 0 };
	r = align(call, blob, false, matches);
	if (r == ETCORE_DECLINE && widen(blob))
		r = align(call, blob, true, matches);
	return r;
}
