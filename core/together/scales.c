/* scales.c -- see scales.h */
#include "together/scales.h"

#include "formats/etrecord/graph_arguments.h"
#include "join/operator_stem.h"

/* Limits of the search; beyond them the answer is "unknown". FOUND: number of quantisations of one
 * place. DEEPEST: number of steps from a node to its quantisation. STEPS: number of nodes that all
 * comparisons together visit. */
enum { FOUND = 16, DEEPEST = 8, STEPS = 1 << 22 };

struct scale {
	bool quantises; /* the node quantises or dequantises */
	bool known;     /* `scale` and `zero_point` are known */
	double scale;
	int64_t zero_point;
};

struct etc_scales {
	const struct etc_graph *graph;
	const struct etc_graph_flow *flow;
	struct scale *nodes;
	/* the nodes that take value v are takers[first[v] .. first[v + 1]) */
	uint32_t *first, *takers;
	const struct scale *found[FOUND];
	uint32_t found_count;
	bool open; /* the place may have more quantisations than those in `found` */
	uint64_t steps;
};

static enum etc_status read_scale(struct etc_str node, struct etc_arena *arena, struct scale *to,
                                  struct etc_error *err)
{
	struct etc_graph_arguments args;
	bool scale = false, zero_point = false;

	to->quantises = true;
	if (!node.len)
		return ETC_OK;
	ETC_TRY(etc_graph_arguments_read(node, arena, &args, err));
	for (uint32_t i = 0; i < args.count; i++) {
		const struct etc_graph_argument *a = &args.v[i];
		const struct etc_graph_number *n = a->numbers;

		if (a->kind != ETC_GRAPH_ARGUMENT_NUMBER || !n->known)
			continue;
		if (etc_str_eq(a->name, ETC_STR("scale"))) {
			to->scale = n->whole ? (double)n->integer : n->real;
			scale = true;
		} else if (etc_str_eq(a->name, ETC_STR("zero_point")) && n->whole) {
			to->zero_point = n->integer;
			zero_point = true;
		}
	}
	to->known = scale && zero_point;
	return ETC_OK;
}

static bool find_takers(struct etc_scales *s, struct etc_arena *arena)
{
	const struct etc_graph_flow *flow = s->flow;
	uint32_t count = 0, *next = etc_new(arena, uint32_t, flow->value_count);

	s->first = etc_new(arena, uint32_t, (size_t)flow->value_count + 1);
	for (uint32_t i = 0; i < s->graph->node_count; i++)
		count += flow->calls[i].inputs.count;
	s->takers = etc_new(arena, uint32_t, count);
	if (!next || !s->first || !s->takers)
		return false;
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < s->graph->node_count; i++)
			for (uint32_t k = 0; k < flow->calls[i].inputs.count; k++) {
				uint32_t v = flow->tensors[flow->calls[i].inputs.first + k].value;

				if (v != UINT32_MAX && pass == 0)
					s->first[v + 1]++;
				else if (v != UINT32_MAX)
					s->takers[next[v]++] = i;
			}
		for (uint32_t v = 0; v < flow->value_count && pass == 0; v++) {
			s->first[v + 1] += s->first[v];
			next[v] = s->first[v];
		}
	}
	return true;
}

enum etc_status etc_scales_open(const struct etc_graph *graph, const struct etc_graph_flow *flow,
                                struct etc_arena *arena, struct etc_scales **out,
                                struct etc_error *err)
{
	struct etc_scales *s = etc_new(arena, struct etc_scales, 1);

	ETC_NEED(s, err);
	*s = (struct etc_scales){ .graph = graph,
		                  .flow = flow,
		                  .nodes = etc_new(arena, struct scale, graph->node_count) };
	ETC_NEED(s->nodes && find_takers(s, arena), err);
	for (uint32_t i = 0; i < graph->node_count; i++)
		if (etc_node_quantises(&graph->nodes[i]))
			ETC_TRY(read_scale(flow->calls[i].json, arena, &s->nodes[i], err));
	*out = s;
	return ETC_OK;
}

void etc_scales_begin(struct etc_scales *s)
{
	s->found_count = 0;
	s->open = false;
}

static void add_scale(struct etc_scales *s, const struct scale *scale)
{
	if (scale->known && s->found_count < FOUND)
		s->found[s->found_count++] = scale;
	else
		s->open = true;
}

static void follow(struct etc_scales *s, uint32_t node, bool result, unsigned depth);

/* Visits a neighbour of a node. The search ends at nodes that quantise, and at products, because a
 * product has quantisations of its own. */
static void visit(struct etc_scales *s, uint32_t node, bool result, unsigned depth)
{
	if (depth == DEEPEST || ++s->steps > STEPS)
		s->open = true;
	else if (s->nodes[node].quantises)
		add_scale(s, &s->nodes[node]);
	else if (!etc_node_is_product(&s->graph->nodes[node]))
		follow(s, node, result, depth + 1);
}

static void follow(struct etc_scales *s, uint32_t node, bool result, unsigned depth)
{
	const struct etc_graph_call *call = &s->flow->calls[node];
	const struct etc_graph_tensors t = result ? call->outputs : call->inputs;

	for (uint32_t i = 0; i < t.count; i++) {
		const uint32_t v = s->flow->tensors[t.first + i].value;

		if (v == UINT32_MAX)
			continue;
		if (!result && s->flow->maker[v] != UINT32_MAX)
			visit(s, s->flow->maker[v], result, depth);
		for (uint32_t k = s->first[v]; result && k < s->first[v + 1]; k++)
			visit(s, s->takers[k], result, depth);
	}
}

void etc_scales_add(struct etc_scales *s, uint32_t node, bool result)
{
	if (s->nodes[node].quantises)
		add_scale(s, &s->nodes[node]);
	else
		follow(s, node, result, 0);
}

enum etc_scales_answer etc_scales_compare(const struct etc_scales *s, float scale,
                                          int32_t zero_point)
{
	for (uint32_t i = 0; i < s->found_count; i++)
		if ((float)s->found[i]->scale == scale && s->found[i]->zero_point == zero_point)
			return ETC_SCALES_EQUAL;
	return s->open || !s->found_count ? ETC_SCALES_UNKNOWN : ETC_SCALES_OTHER;
}
