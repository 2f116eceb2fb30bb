/* together_places.c -- see together_places.h */
#include "context/together_places.h"

#include <math.h>

#include "context/together_weights.h"
#include "formats/etrecord/graph_arguments.h"

/* PLACE: number of weights that one place (a debug handle or an instruction) may have. STEPS:
 * number of weights and nodes that all comparisons may visit. PREFIX: number of bytes that suffice
 * to recognise the weight of a place. */
enum { PLACE = 32, STEPS = 1 << 24, PREFIX = 1 << 12 };

/* A batch normalisation of the graph. */
struct norm {
	uint32_t node;
	uint32_t count;
	const float *factors; /* factors of the channels: a convolution that is fused with this
	                       * normalisation is multiplied by them */
};

struct etc_places {
	const struct etc_graph_flow *flow;
	/* for each value of the graph: its weight, or NULL; whether it is computed from weights
	 * only */
	const struct etc_ref_tensor **weights;
	bool *constant;
	const struct etc_ref_tensor **all; /* distinctive weights */
	uint32_t count;
	struct norm *norms;
	uint32_t norm_count;
	const struct etc_ref_tensor *here[PLACE];
	uint32_t here_count;
	bool more; /* the place has more than PLACE weights */
	uint64_t steps, work;
};

static void add_weights(struct etc_places *p, const struct etc_ref_value *dict)
{
	for (uint32_t i = 0; i + 1 < dict->count; i += 2) {
		const struct etc_ref_value *name = dict->items[i], *v = dict->items[i + 1];
		size_t at = name->kind == ETC_REF_STRING
		                    ? etc_map_get(&p->flow->weights, name->text)
		                    : ETC_MAP_NONE;

		if (at == ETC_MAP_NONE)
			continue;
		p->constant[at] = true;
		if (v->kind != ETC_REF_TENSOR || !v->tensor->storage ||
		    v->tensor->storage->packed || v->tensor->storage->big_endian)
			continue;
		p->weights[at] = v->tensor;
	}
}

/* Marks the results of nodes that take only constants. */
static void spread(struct etc_places *p, const struct etc_graph *graph)
{
	for (uint32_t i = 0; i < graph->node_count; i++) {
		const struct etc_graph_call *c = &p->flow->calls[i];
		bool constant = true;

		for (uint32_t k = 0; k < c->inputs.count && constant; k++) {
			uint32_t value = p->flow->tensors[c->inputs.first + k].value;

			constant = value != UINT32_MAX && p->constant[value];
		}
		for (uint32_t k = 0; k < c->outputs.count && constant; k++) {
			uint32_t value = p->flow->tensors[c->outputs.first + k].value;

			if (value != UINT32_MAX)
				p->constant[value] = true;
		}
	}
}

static enum etc_status load(struct etc_places *p, const struct etc_zip *zip,
                            const struct etc_graph *graph, struct etc_arena *arena,
                            struct etc_error *err)
{
	static const char *const entries[] = { "_state_dict", "_constants" };

	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		struct etc_str name = etc_arena_printf(arena, ETC_STR_FMT "%s",
		                                       ETC_STR_ARG(graph->name), entries[i]);
		const struct etc_zip_entry *e;
		const struct etc_ref_value *dict = NULL;

		ETC_NEED(name.ptr, err);
		e = etc_zip_find(zip, name);
		if (e)
			ETC_TRY(etc_weights_load(zip, e, false, arena, &dict, err));
		if (dict)
			add_weights(p, dict);
	}
	return ETC_OK;
}

/* ---- batch normalisations ------------------------------------------------------------ */

/* Returns the weight that the node takes as tensor `i`; NULL: none. */
static const struct etc_ref_tensor *taken(const struct etc_places *p, uint32_t node, uint32_t i)
{
	const struct etc_graph_tensors in = p->flow->calls[node].inputs;
	uint32_t value = i < in.count ? p->flow->tensors[in.first + i].value : UINT32_MAX;

	return value == UINT32_MAX ? NULL : p->weights[value];
}

static bool is_vector(const struct etc_ref_tensor *t)
{
	return t && t->rank == 1 && t->strides[0] == 1 && etc_weight_is_float(t);
}

/* Reads the argument `eps` of the node; negative: it has none. */
static enum etc_status read_epsilon(struct etc_str node, struct etc_arena *arena, double *epsilon,
                                    struct etc_error *err)
{
	struct etc_graph_arguments args;

	*epsilon = -1;
	if (!node.len)
		return ETC_OK;
	ETC_TRY(etc_graph_arguments_read(node, arena, &args, err));
	for (uint32_t i = 0; i < args.count; i++)
		if (args.v[i].kind == ETC_GRAPH_ARGUMENT_NUMBER && !args.v[i].numbers->whole &&
		    etc_str_eq(args.v[i].name, ETC_STR("eps")))
			*epsilon = args.v[i].numbers->real;
	return ETC_OK;
}

static enum etc_status add_norm(struct etc_places *p, uint32_t node, struct etc_arena *arena,
                                struct etc_error *err)
{
	enum { WEIGHT = 1, VARIANCE = 4, INPUTS = 5 };
	const struct etc_graph_call *call = &p->flow->calls[node];
	const struct etc_ref_tensor *weight = taken(p, node, WEIGHT);
	const struct etc_ref_tensor *variance = taken(p, node, VARIANCE);
	double epsilon;
	float *factors;

	if (call->inputs.count != INPUTS || !is_vector(weight) || !is_vector(variance) ||
	    weight->count != variance->count)
		return ETC_OK;
	ETC_TRY(read_epsilon(call->json, arena, &epsilon, err));
	if (epsilon < 0)
		return ETC_OK;
	factors = etc_new(arena, float, weight->count);
	ETC_NEED(factors, err);
	for (uint64_t i = 0; i < weight->count; i++) {
		float w, v;

		memcpy(&w, weight->bytes.ptr + i * sizeof w, sizeof w);
		memcpy(&v, variance->bytes.ptr + i * sizeof v, sizeof v);
		factors[i] = (float)(w / sqrt(v + epsilon));
	}
	p->norms[p->norm_count++] = (struct norm){ node, (uint32_t)weight->count, factors };
	return ETC_OK;
}

static enum etc_status add_norms(struct etc_places *p, const struct etc_graph *graph,
                                 struct etc_arena *arena, struct etc_error *err)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < graph->node_count; i++)
		count += p->flow->calls[i].normalises;
	p->norms = etc_new(arena, struct norm, count);
	ETC_NEED(p->norms, err);
	for (uint32_t i = 0; count && i < graph->node_count; i++)
		if (p->flow->calls[i].normalises)
			ETC_TRY(add_norm(p, i, arena, err));
	return ETC_OK;
}

/* Is the constant what results from fusing a convolution's weight with a normalisation? Without a
 * weight (NULL), the normalisation alone was converted to a convolution. */
static bool gives(struct etc_places *p, const struct etc_ref_tensor *weight,
                  const struct norm *norm, const struct etc_placed *place)
{
	static const float one = 1;
	const int64_t count = norm->count, stride = 0;
	const struct etc_ref_tensor ones = { .dtype = etc_torch_dtype(ETC_STR("float32")),
		                             .sizes = &count,
		                             .strides = &stride,
		                             .rank = 1,
		                             .count = norm->count,
		                             .bytes = { (const uint8_t *)&one, sizeof one } };
	const struct etc_ref_tensor *t = weight ? weight : &ones;

	for (uint32_t d = 0; d < 2 && d < t->rank; d++)
		if (t->count == place->elements && t->sizes[d] == count &&
		    etc_weight_is_scaled(t, d, norm->factors, place->bytes, &p->work))
			return true;
	return false;
}

static bool gives_any(struct etc_places *p, const struct etc_ref_tensor *weight,
                      const struct etc_placed *place)
{
	for (uint32_t i = 0; i < p->norm_count; i++)
		if (p->work < ETC_WEIGHTS_WORK && gives(p, weight, &p->norms[i], place))
			return true;
	return false;
}

bool etc_places_fused_otherwise(struct etc_places *p, uint32_t convolution, uint32_t norm,
                                const struct etc_placed *place)
{
	const bool alone = convolution == UINT32_MAX;
	const struct etc_ref_tensor *weight = alone ? NULL : taken(p, convolution, 1);
	const struct norm *own = NULL;

	for (uint32_t i = 0; i < p->norm_count && !own; i++)
		own = p->norms[i].node == norm ? &p->norms[i] : NULL;
	if (!own ||
	    place->elements != (weight  ? weight->count
	                        : alone ? own->count
	                                : 0) ||
	    gives(p, weight, own, place))
		return false;
	if (alone)
		return gives_any(p, NULL, place);
	for (uint32_t i = 0; i < p->count; i++)
		if (p->all[i]->count == place->elements && gives_any(p, p->all[i], place))
			return true;
	return false;
}

enum etc_status etc_places_open(struct etc_span record, const struct etc_graph *graph,
                                const struct etc_graph_flow *flow, struct etc_arena *arena,
                                struct etc_places **out, struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	struct etc_places *p;
	struct etc_zip zip;
	enum etc_status st = etc_zip_open(record, arena, &zip, &why);

	*out = NULL;
	if (st != ETC_OK || !flow->weights.count)
		return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
	p = etc_new(arena, struct etc_places, 1);
	ETC_NEED(p, err);
	p->flow = flow;
	p->weights = etc_new(arena, const struct etc_ref_tensor *, flow->value_count);
	p->constant = etc_new(arena, bool, flow->value_count);
	p->all = etc_new(arena, const struct etc_ref_tensor *, flow->value_count);
	ETC_NEED(p->weights && p->constant && p->all, err);
	ETC_TRY(load(p, &zip, graph, arena, err));
	spread(p, graph);
	for (uint32_t i = 0; i < flow->value_count; i++)
		if (p->weights[i] && etc_weight_tells(p->weights[i], &p->work))
			p->all[p->count++] = p->weights[i];
	ETC_TRY(add_norms(p, graph, arena, err));
	*out = p;
	return ETC_OK;
}

void etc_places_begin(struct etc_places *p)
{
	p->here_count = 0;
	p->more = false;
}

static void add_node(struct etc_places *p, uint32_t node, unsigned depth)
{
	enum { DEEPEST = 16 };
	const struct etc_graph_tensors in = p->flow->calls[node].inputs;

	p->more |= depth == DEEPEST || p->steps > STEPS;
	for (uint32_t i = 0; i < in.count && !p->more; i++) {
		uint32_t value = p->flow->tensors[in.first + i].value;
		uint32_t maker = value == UINT32_MAX ? UINT32_MAX : p->flow->maker[value];

		p->steps++;
		if (value == UINT32_MAX || !p->constant[value])
			continue;
		if (p->weights[value] && p->here_count < PLACE)
			p->here[p->here_count++] = p->weights[value];
		else if (maker != UINT32_MAX)
			add_node(p, maker, depth + 1);
		else
			p->more = true;
	}
}

void etc_places_add(struct etc_places *p, uint32_t node)
{
	add_node(p, node, 0);
}

bool etc_places_exchanged(struct etc_places *p, const struct etc_placed *place)
{
	bool same_size = false;

	for (uint32_t i = 0; i < p->here_count; i++) {
		same_size |= p->here[i]->count == place->elements;
		if (p->here[i]->count == place->elements &&
		    etc_weight_is(p->here[i], place->bytes, PREFIX, &p->work))
			return false;
	}
	if (!same_size || p->more)
		return false;
	for (uint32_t i = 0; i < p->count && p->steps < STEPS && p->work < ETC_WEIGHTS_WORK; i++) {
		p->steps++;
		if (p->all[i]->count == place->elements &&
		    etc_weight_is(p->all[i], place->bytes, SIZE_MAX, &p->work))
			return true;
	}
	return false;
}
