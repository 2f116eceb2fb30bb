/* gap_side.c -- makes one side of a comparison of intermediate values; see gap_side.h */
#include "commands/numeric/gap_side.h"

#include "commands/numeric/gap_nodes.h"

/* Size of a key of etc_gap_run.index: the members `key` and `occurrence` of a value. */
enum { KEY_BYTES = 12 };

static struct etc_str index_key(uint8_t room[KEY_BYTES], int64_t key, uint32_t occurrence)
{
	memcpy(room, &key, sizeof key);
	memcpy(room + sizeof key, &occurrence, sizeof occurrence);
	return (struct etc_str){ (const char *)room, KEY_BYTES };
}

const struct etc_gap_value *etc_gap_find(const struct etc_gap_run *run, int64_t key,
                                         uint32_t occurrence)
{
	uint8_t room[KEY_BYTES];
	size_t at = etc_map_get(&run->index, index_key(room, key, occurrence));

	return at == ETC_MAP_NONE ? NULL : &run->values[at];
}

/* Fills the index of a run. Must be called after all values of the run were stored. */
static enum etc_status index_run(struct etc_gap_run *run, struct etc_arena *arena,
                                 struct etc_error *err)
{
	etc_map_init(&run->index, arena);
	for (uint32_t i = 0; i < run->count; i++) {
		uint8_t *room = etc_new(arena, uint8_t, KEY_BYTES);

		if (!room ||
		    etc_map_add(&run->index,
		                index_key(room, run->values[i].key, run->values[i].occurrence),
		                i) == ETC_MAP_NONE)
			return etc_no_memory(err);
	}
	return ETC_OK;
}

/* ---- values of a dump ----------------------------------------------------------------- */

struct gatherer {
	const struct etc_gap_keying *keying;
	const struct etc_gap_nodes *nodes; /* nodes of the run's method, or NULL */
	/* nodes of the run's graph; only set for the side of the reference */
	const struct etc_gap_nodes *run_nodes;
	/* per line: the same line in the other side's graph; NULL: the lines have the same
	 * indices */
	const uint32_t *to;
	/* it is known which lines of the other side's graph correspond to the lines of this graph:
	 * by `to`, or because both sides have the same graph */
	bool has_to;
	struct etc_gap_nodes *all; /* nodes of all graphs */
	struct etc_arena *arena;
	struct etc_gap_side *side;
	struct etc_gap_value *values; /* values of the current run */
	uint32_t count, room;
};

/* DOUBTFUL is the `breadth` of a value whose node is unknown. choose() prefers every other value
 * with the same key. NO_KEY is the first one of the keys for values that belong to no node, or to
 * an unknown node. */
#define DOUBTFUL UINT32_MAX
#define NO_KEY   (INT64_MIN / 2)
/* The key of output `i` of an instruction, for an output whose node is unknown. If both sides ran
 * the same program, the key is the same on both sides. */
#define OUTPUT_KEY(instruction, i) \
	(INT64_MIN / 4 + (int64_t)(instruction)*ETC_GAP_OUTPUTS_MOST + (i))

static const char other_program[] = "the ETRecord is of another program";
static const char which_operator[] =
	"several operators have this handle: which gave the value is not known";

static bool same_event(const struct etc_event *a, const struct etc_event *b)
{
	return a->chain == b->chain && a->instruction_id == b->instruction_id &&
	       a->delegate_id == b->delegate_id && a->has_delegate_name == b->has_delegate_name &&
	       etc_str_eq(etc_event_delegate_name(a), etc_event_delegate_name(b));
}

/* Sets the key of an event by its position in the program: "0:5" is instruction 5 of chain 0;
 * "0:5:=conv" is an event of a delegate in that instruction. Equal positions have equal keys, on
 * both sides. False: out of memory. */
static bool spot_key(struct gatherer *g, const struct etc_event *e, int64_t *key)
{
	struct etc_gap_keys *k = g->keying->keys;
	struct etc_str text;
	size_t n;

	if (etc_event_is_delegate(e))
		text = e->has_delegate_name
		               ? etc_arena_printf(k->arena, "%llu:%d:=" ETC_STR_FMT,
		                                  (unsigned long long)e->chain,
		                                  (int)e->instruction_id,
		                                  ETC_STR_ARG(etc_event_delegate_name(e)))
		               : etc_arena_printf(k->arena, "%llu:%d:%d",
		                                  (unsigned long long)e->chain,
		                                  (int)e->instruction_id, (int)e->delegate_id);
	else
		text = etc_arena_printf(k->arena, "%llu:%d", (unsigned long long)e->chain,
		                        (int)e->instruction_id);
	n = text.ptr ? etc_map_add(&k->spots, text, k->count) : ETC_MAP_NONE;
	if (n == ETC_MAP_NONE)
		return false;
	k->count += n == k->count;
	*key = -1 - (int64_t)n;
	return true;
}

static struct etc_gap_value *add_value(struct gatherer *g, int64_t key, uint32_t breadth,
                                       const struct etc_logged *from, uint32_t count)
{
	struct etc_gap_value *v = &g->values[g->count];

	if (g->count == g->room)
		return NULL;
	*v = (struct etc_gap_value){
		.key = key,
		.instruction = from->of->event->instruction_id,
		.breadth = breadth,
		.logged = from,
		.count = count,
		.name = from->of->name,
	};
	g->count++;
	return v;
}

/* Adds a value whose node is unknown for the reason `why`. In the reference, the value gets the key
 * of the node that computes the final value of its last debug handle. So it is the value of this
 * handle, unless another value has the same key. */
static void add_doubt(struct gatherer *g, const struct etc_logged *from, const char *why)
{
	const struct etc_handles *h = from->of->handles;
	int64_t last = h->v[h->count - 1], key = NO_KEY + g->count;
	struct etc_gap_value *v;

	if (g->keying->is_reference) {
		uint32_t line = etc_gap_exit_of(g->nodes->graph, &last, 1);

		line = line != UINT32_MAX && g->to ? g->to[line] : line;
		key = line != UINT32_MAX ? (int64_t)line : key;
	}
	v = add_value(g, key, DOUBTFUL, from, 1);
	if (v) {
		v->handle = last;
		v->why = why;
	}
}

/* Adds output `i` of instruction `c`. The line of this output is unknown, so the value gets the
 * list of lines that may have computed it. If there is no such list, or if these lines cannot be
 * compared, calls add_doubt(). */
static void add_choice(struct gatherer *g, const struct etc_gap_call *c, uint32_t i,
                       const struct etc_logged *from, uint32_t count)
{
	const struct etc_handles *h = from->of->handles;
	struct etc_gap_value *v;

	if (!c->may_count || (g->keying->is_reference && !g->keying->same_program)) {
		add_doubt(g, from, which_operator);
		return;
	}
	v = add_value(g, OUTPUT_KEY(c->instruction, i), h->count, from, count);
	if (!v)
		return;
	v->handle = h->v[h->count - 1];
	v->may = c->may;
	v->may_count = c->may_count;
}

/* Returns the line of the run's graph that has the same value as `line`, or UINT32_MAX. Sets
 * *viewed if one of the two lines is a view of the other; their shapes may differ then. */
static uint32_t key_of(const struct gatherer *g, uint32_t line, bool *viewed)
{
	uint32_t at = line, key;

	*viewed = false;
	if (!g->keying->is_reference)
		return line;
	key = g->to ? g->to[at] : at;
	while (key == UINT32_MAX) {
		at = etc_gap_view_of(g->nodes, at);
		if (at == UINT32_MAX)
			return UINT32_MAX;
		key = g->to[at];
	}
	*viewed = at != line;
	if (g->run_nodes) {
		uint32_t from = etc_gap_viewed(g->run_nodes, key);

		/* The two sides may have different operators for a linear layer whose input has
		 * three dimensions: one side runs the linear layer itself, the other side a product
		 * of two dimensions and a view of the product. */
		*viewed |= from != key || !etc_str_eq(g->nodes->graph->lines.v[at].node->op,
		                                      g->run_nodes->graph->lines.v[key].node->op);
		key = from;
	}
	return key;
}

static void add_line(struct gatherer *g, uint32_t line, uint32_t breadth,
                     const struct etc_logged *from, uint32_t count)
{
	struct etc_gap_value *v;
	bool viewed;
	uint32_t key = key_of(g, line, &viewed);

	if (key == UINT32_MAX) {
		g->side->unjoined++;
		return;
	}
	v = add_value(g, key, breadth, from, count);
	if (v) {
		v->handle = g->nodes->graph->lines.v[line].node->debug_handle.v[0];
		v->viewed = viewed;
	}
}

/* Adds the output of a kernel, of a delegate, or of one step of a delegate. */
static void add_node(struct gatherer *g, const struct etc_logged *from, uint32_t count)
{
	const struct etc_handles *h = from->of->handles;
	const struct etc_event *e = from->of->event;
	const struct etc_gap_call *c = etc_gap_call_of(g->nodes, e->instruction_id);
	uint32_t line;

	if (g->nodes->foreign) {
		add_doubt(g, from, other_program);
	} else if (from->of->what == ETC_LOGGED_DELEGATE) {
		line = etc_gap_exit_of(g->nodes->graph, h->v, h->count);
		if (line == UINT32_MAX)
			add_doubt(g, from, which_operator);
		else
			add_line(g, line, h->count, from, count);
	} else if (!c || e->chain != 0) {
		g->side->unjoined++;
	} else if (from->of->what == ETC_LOGGED_OPERATOR) {
		if (!c->output_count || c->outputs[0] == UINT32_MAX)
			add_choice(g, c, 0, from, count);
		else
			add_line(g, c->outputs[0], h->count, from, count);
	} else {
		/* The arguments of a delegate are its inputs, followed by its outputs. */
		for (uint32_t i = 0; i < c->output_count; i++)
			if (count < c->output_count)
				add_doubt(g, from, which_operator);
			else if (c->outputs[i] == UINT32_MAX)
				add_choice(g, c, i, from + count - c->output_count + i, 1);
			else
				add_line(g, c->outputs[i], h->count,
				         from + count - c->output_count + i, 1);
	}
}

static enum etc_status add_event(struct gatherer *g, const struct etc_logged *from, uint32_t count,
                                 struct etc_error *err)
{
	const struct etc_handles *h = from->of->handles;
	struct etc_gap_value *v;
	int64_t key;

	if (g->keying->join == ETC_GAP_BY_SPOT) {
		ETC_NEED(spot_key(g, from->of->event, &key), err);
		(void)add_value(g, key, 1, from, count);
		return ETC_OK;
	}
	if (!h || !h->v || !h->count) {
		g->side->unjoined++;
		return ETC_OK;
	}
	if (g->keying->join == ETC_GAP_BY_NODE && g->nodes && g->has_to) {
		add_node(g, from, count);
	} else if (g->keying->join == ETC_GAP_BY_NODE || h->count > 1) {
		g->side->unjoined++;
	} else {
		if (from->of->what == ETC_LOGGED_ARGUMENT) {
			from += count - 1;
			count = 1;
		}
		v = add_value(g, h->v[0], 1, from, count);
		if (v)
			v->handle = h->v[0];
	}
	return ETC_OK;
}

/* For each key, keeps only the values of the event with the fewest handles. If several events have
 * that number of handles, keeps the values of the last one, and sets `why` in these values in two
 * cases: if two of the events are steps of a delegate, or if values are matched by handle. If an
 * event runs several times in a loop, all its values are kept. */
static enum etc_status choose(struct gatherer *g, struct etc_error *err)
{
	struct best {
		uint32_t breadth, event, seen;
		bool doubtful;
	} *best = etc_new(g->arena, struct best, g->count);
	bool by_handle = g->keying->join == ETC_GAP_BY_HANDLE;
	struct etc_map keys;
	uint32_t kinds = 0, kept = 0;

	ETC_NEED(best, err);
	etc_map_init(&keys, g->arena);
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < g->count; i++) {
			struct etc_gap_value *v = &g->values[i];
			struct etc_str key = { (const char *)&v->key, sizeof v->key };
			size_t n = pass ? etc_map_get(&keys, key) : etc_map_add(&keys, key, kinds);
			const struct etc_logged_event *of = v->logged->of, *old;

			if (n == ETC_MAP_NONE)
				return etc_no_memory(err);
			if (pass == 0 && n == kinds) {
				best[kinds++] = (struct best){ v->breadth, i, 0, false };
				continue;
			}
			old = g->values[best[n].event].logged->of;
			if (pass == 0) {
				bool equal = v->breadth == best[n].breadth &&
				             !same_event(of->event, old->event) &&
				             (by_handle || (of->what == ETC_LOGGED_DELEGATE &&
				                            old->what == ETC_LOGGED_DELEGATE));

				if (v->breadth <= best[n].breadth)
					best[n] = (struct best){
						v->breadth, i, 0,
						equal || (best[n].doubtful &&
						          v->breadth == best[n].breadth)
					};
			} else if (same_event(of->event, old->event)) {
				v->occurrence = best[n].seen++;
				if (best[n].doubtful)
					v->why = which_operator;
			} else {
				v->count = 0;
			}
		}
	for (uint32_t i = 0; i < g->count; i++)
		if (g->values[i].count)
			g->values[kept++] = g->values[i];
	g->count = kept;
	return ETC_OK;
}

/* Finds the nodes of the method's graph, and the lines of the other side that correspond to
 * them. */
static void find_method(struct gatherer *g, struct etc_str method)
{
	const struct etc_gap_graphs *graphs = g->keying->graphs;
	const struct etc_gap_translations *t = g->keying->translations;
	struct etc_gap_graph *graph;

	g->nodes = NULL;
	g->run_nodes = NULL;
	g->to = NULL;
	g->has_to = t == NULL;
	if (g->keying->join != ETC_GAP_BY_NODE)
		return;
	graph = etc_gap_graph_of(graphs, method);
	if (graph && g->all[graph - graphs->v].graph)
		g->nodes = &g->all[graph - graphs->v];
	if (g->keying->run && etc_gap_graph_of(g->keying->run_graphs, method))
		g->run_nodes =
			&g->keying->run->nodes[etc_gap_graph_of(g->keying->run_graphs, method) -
		                               g->keying->run_graphs->v];
	if (g->run_nodes && !g->run_nodes->graph)
		g->run_nodes = NULL;
	for (uint32_t i = 0; t && graph && i < t->count; i++)
		if (etc_str_eq(t->v[i].method, graph->method)) {
			g->to = t->v[i].line;
			g->has_to = true;
		}
}

static enum etc_status add_run(struct gatherer *g, const struct etc_logged *v, size_t count,
                               struct etc_gap_run *out, struct etc_error *err)
{
	size_t most = 0;

	*out = (struct etc_gap_run){ .method = v->method, .run = v->run };
	find_method(g, v->method);
	for (size_t i = 0; i < count; i++)
		most += etc_logged_is_intermediate(&v[i]);
	/* A delegate may have more outputs than were logged. */
	for (uint32_t i = 0; g->nodes && i < g->nodes->call_count; i++)
		most += g->nodes->calls[i].output_count;
	g->values = etc_new(g->arena, struct etc_gap_value, most);
	g->count = 0;
	g->room = (uint32_t)most;
	ETC_NEED(g->values, err);
	for (size_t i = 0, n; i < count; i += n) {
		n = 1;
		if (!etc_logged_is_intermediate(&v[i]))
			continue;
		while (i + n < count && etc_logged_is_intermediate(&v[i + n]) &&
		       same_event(v[i].of->event, v[i + n].of->event))
			n++;
		ETC_TRY(add_event(g, &v[i], (uint32_t)n, err));
	}
	ETC_TRY(choose(g, err));
	out->values = g->values;
	out->count = g->count;
	return index_run(out, g->arena, err);
}

static const struct etc_method_maps *maps_of(const struct etc_inputs *in, struct etc_str method)
{
	const struct etc_method_maps *maps =
		in->etrecord.path ? etc_record_method(&in->record, method) : NULL;

	return !maps && in->etrecord.path && in->record.method_count == 1 ? in->record.methods
	                                                                  : maps;
}

static enum etc_status find_nodes(struct gatherer *g, const struct etc_inputs *in,
                                  const struct etc_logged_list *list, struct etc_error *err)
{
	const struct etc_gap_graphs *graphs = g->keying->graphs;

	g->all = etc_new(g->arena, struct etc_gap_nodes, graphs->count);
	ETC_NEED(g->all, err);
	for (uint32_t i = 0; i < graphs->count; i++) {
		const struct etc_method_maps *maps = maps_of(in, graphs->v[i].method);

		if (maps)
			ETC_TRY(etc_gap_nodes_find(&graphs->v[i], maps, list, g->arena, &g->all[i],
			                           err));
	}
	g->side->nodes = g->all;
	return ETC_OK;
}

enum etc_status etc_gap_of_dump(const struct etc_inputs *in, const struct etc_logged_list *list,
                                const struct etc_gap_keying *keying, struct etc_arena *arena,
                                struct etc_gap_side *out, struct etc_error *err)
{
	struct gatherer g = { .keying = keying, .arena = arena, .side = out };
	struct etc_gap_run *runs = etc_new(arena, struct etc_gap_run, in->trace.run_count);

	*out = (struct etc_gap_side){ .runs = runs };
	ETC_NEED(runs, err);
	if (keying->join == ETC_GAP_BY_NODE)
		ETC_TRY(find_nodes(&g, in, list, err));
	for (size_t from = 0, to; from < list->count; from = to) {
		for (to = from; to < list->count && list->v[to].run == list->v[from].run;)
			to++;
		ETC_TRY(add_run(&g, &list->v[from], to - from, &runs[out->run_count], err));
		out->run_count += runs[out->run_count].count > 0;
	}
	return ETC_OK;
}

/* ---- references -------------------------------------------------------------------------- */

/* Makes a value from a reference. Its key is the debug handle. If there is a graph, set_handle() or
 * set_line() will change the key. */
static struct etc_gap_value of_reference(const struct etc_reference *from)
{
	return (struct etc_gap_value){
		.key = from->handle[0],
		.handle = from->handle[0],
		.instruction = -1,
		.tensors = from->items,
		.count = from->count,
	};
}

/* Sets the key of a value to `line`. If `line` is a view, sets the key to the line that it
 * views. */
static void set_line(struct etc_gap_value *v, uint32_t line, const struct etc_gap_nodes *nodes)
{
	v->key = nodes && nodes->graph ? etc_gap_viewed(nodes, line) : line;
	v->viewed = v->key != line;
}

/* Sets the key of a value to the exit of the value's handle: the line with the final value of the
 * handle's nodes (gap_flow.h). If the handle has no exit, sets the key to the handle's last line,
 * and sets `why`, because that line need not have the value. */
static void set_handle(struct etc_gap_value *v, const struct etc_gap_graph *g,
                       const struct etc_gap_nodes *nodes)
{
	uint32_t line = etc_gap_exit_of(g, &v->handle, 1);

	if (line != UINT32_MAX) {
		set_line(v, line, nodes);
		return;
	}
	line = etc_gap_flow_line(&g->flow, v->handle);
	v->key = line == UINT32_MAX ? NO_KEY + v->handle : (int64_t)line;
	v->why = "several operators of this handle give values that others take";
}

/* Adds the values of a reference file. If several values have the same key, the first of them will
 * be used. So the values of handles are added first, because they may come from the model itself;
 * then the values of nodes; then the values of handles whose node is unknown. */
static bool add_references(const struct etc_reference_method *from, const struct etc_gap_graph *g,
                           const struct etc_gap_nodes *nodes, struct etc_arena *arena,
                           struct etc_gap_value *values, uint32_t *count)
{
	const uint32_t *lines = g ? etc_gap_lines_of_nodes(g, from, arena) : NULL;
	uint32_t n = 0;

	if (g && !lines)
		return false;
	for (int unknown = 0; unknown < 2; unknown++) {
		for (uint32_t i = 0; i < from->count; i++) {
			struct etc_gap_value v = of_reference(&from->values[i]);

			if (g)
				set_handle(&v, g, nodes);
			if (v.count && unknown == (v.why != NULL))
				values[n++] = v;
		}
		for (uint32_t i = 0; lines && !unknown && i < from->node_count; i++)
			if (lines[i] != UINT32_MAX && from->nodes[i].count) {
				values[n] = of_reference(&from->nodes[i]);
				set_line(&values[n++], lines[i], nodes);
			}
	}
	*count = n;
	return true;
}

enum etc_status etc_gap_of_references(const struct etc_references *r, struct etc_gap_graphs *graphs,
                                      const struct etc_gap_side *run, struct etc_arena *arena,
                                      struct etc_gap_side *out, struct etc_error *err)
{
	struct etc_gap_run *runs = etc_new(arena, struct etc_gap_run, r->count);

	*out = (struct etc_gap_side){ .runs = runs, .run_count = r->count };
	ETC_NEED(runs, err);
	for (uint32_t m = 0; m < r->count; m++) {
		const struct etc_reference_method *from = &r->methods[m];
		struct etc_gap_value *values = etc_new(arena, struct etc_gap_value,
		                                       (size_t)from->count + from->node_count);
		const struct etc_gap_graph *g = etc_gap_graph_of(graphs, from->method);
		const struct etc_gap_nodes *nodes =
			g && run->nodes ? &run->nodes[g - graphs->v] : NULL;
		uint32_t n;

		ETC_NEED(values && add_references(from, g, nodes, arena, values, &n), err);
		runs[m] = (struct etc_gap_run){ .method = from->method,
			                        .values = values,
			                        .count = n };
		ETC_TRY(index_run(&runs[m], arena, err));
	}
	return ETC_OK;
}

/* ---- pairs of values ----------------------------------------------------------------------- */

enum etc_status etc_gap_operand(const struct etc_gap_value *v, uint32_t i, struct etc_arena *arena,
                                struct etc_operand *out, struct etc_error *err)
{
	const struct etc_safetensor *t;

	if (v->logged)
		return etc_operand_of_logged(&v->logged[i], arena, out, err);
	t = v->tensors[i];
	*out = (struct etc_operand){ .type = t->type ? t->type->name : "?" };
	if (!etc_elements_of_safetensor(t, &out->e)) {
		out->why = "the reference has a type without numbers";
		return ETC_OK;
	}
	out->type = out->e.type;
	return ETC_OK;
}

static bool same_shape(const struct etc_operand *a, const struct etc_operand *b)
{
	if (a->why || b->why || a->e.rank != b->e.rank)
		return false;
	for (uint32_t d = 0; d < a->e.rank; d++)
		if (a->e.sizes[d] != b->e.sizes[d])
			return false;
	return true;
}

/* Returns in *out the output whose shape equals that of `one`. If several outputs have that shape,
 * chooses the one that also has the type of `one`. If that does not leave one output, out->why says
 * so. */
static enum etc_status pick(const struct etc_gap_value *of, const struct etc_operand *one,
                            struct etc_arena *arena, struct etc_operand *out, struct etc_error *err)
{
	uint32_t shapes = 0, types = 0;
	struct etc_operand candidate, shape, type;

	for (uint32_t i = 0; i < of->count; i++) {
		ETC_TRY(etc_gap_operand(of, i, arena, &candidate, err));
		if (!same_shape(one, &candidate))
			continue;
		shapes++;
		shape = candidate;
		if (one->e.kind == candidate.e.kind && one->e.bits == candidate.e.bits) {
			types++;
			type = candidate;
		}
	}
	if (types == 1)
		*out = type;
	else if (shapes == 1)
		*out = shape;
	else
		*out = (struct etc_operand){
			.why = "which of several outputs is meant is not known"
		};
	return ETC_OK;
}

/* Are the outputs of the value in the order of the graph? Yes for a kernel and a reference file. No
 * for a delegate, since it is unknown which of its outputs were logged. */
static bool has_order(const struct etc_gap_value *v)
{
	return !v->logged || v->logged->what != ETC_LOGGED_DELEGATE;
}

uint32_t etc_gap_pairs(const struct etc_gap_value *reference, const struct etc_gap_value *run)
{
	bool both = has_order(reference) && has_order(run) && reference->count == run->count;

	return both ? run->count : 1;
}

/* Was exactly one output of the node logged? If so, it is the node's only output, or the first of
 * several. */
static bool is_first(const struct etc_gap_value *v)
{
	return v->logged && v->count == 1;
}

enum etc_status etc_gap_operands(const struct etc_gap_value *reference,
                                 const struct etc_gap_value *run, uint32_t i,
                                 struct etc_arena *arena, struct etc_operand *a,
                                 struct etc_operand *b, struct etc_error *err)
{
	if (reference->count == run->count || is_first(reference) || is_first(run)) {
		ETC_TRY(etc_gap_operand(reference, reference->count == run->count ? i : 0, arena, a,
		                        err));
		return etc_gap_operand(run, reference->count == run->count ? i : 0, arena, b, err);
	}
	if (reference->count == 1) {
		ETC_TRY(etc_gap_operand(reference, 0, arena, a, err));
		return pick(run, a, arena, b, err);
	}
	/* In a list of references, the graph's first output comes first. */
	ETC_TRY(etc_gap_operand(reference, 0, arena, a, err));
	ETC_TRY(etc_gap_operand(run, 0, arena, b, err));
	return ETC_OK;
}
