/* places.c -- see places.h */
#include "together/places.h"

#include <math.h>

#include "together/weights.h"
#include "formats/etrecord/graph_arguments.h"

/* PLACE: largest number of weights of one place (a debug handle or an instruction). STEPS: largest
 * number of weights and nodes that all comparisons together may visit. PREFIX: number of bytes that
 * suffice to recognise the weight of a place. */
enum { PLACE = 32, STEPS = 1 << 24, PREFIX = 1 << 12 };

/* A batch normalisation of the graph. */
struct norm {
	uint32_t node;
	uint32_t count;
	const float *factors; /* factors of the channels: a convolution that is fused with this
	                       * normalisation is multiplied by them */
};

struct etc_places {
	const struct etc_graph *graph;
	const struct etc_graph_flow *flow;
	/* for each value of the graph: its weight; NULL: the value is no weight */
	const struct etc_ref_tensor **weights;
	bool *constant; /* for each value: it is a weight, or is computed from weights only */
	bool *found;    /* for each value: etc_places_compare() found it at its place */
	bool *zero;     /* for each value: it is a zero point whose elements are all 0 */
	bool *taken;    /* for each value: a node takes it as an input */
	/* all bytes of a weight are compared; false: at most the first PREFIX bytes */
	bool whole;
	const struct etc_ref_tensor **all; /* weights that are distinctive enough to search for */
	uint32_t count;
	struct norm *norms;
	uint32_t norm_count;
	uint32_t here[PLACE]; /* the weights of the current place, as indices of values */
	uint32_t here_count;
	/* not all weights of the place are known: the place has more than PLACE weights, or the
	 * search ended early */
	bool more;
	uint64_t steps, work;
	/* for each node: the number of the last call of etc_places_depends() that visited it */
	uint32_t *visited, visits;
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

/* Sets p->taken for each value that a node takes, and p->constant for the results of each node that
 * takes only constants. */
static void spread(struct etc_places *p, const struct etc_graph *graph)
{
	for (uint32_t i = 0; i < graph->node_count; i++) {
		const struct etc_graph_call *c = &p->flow->calls[i];
		bool constant = true;

		for (uint32_t k = 0; k < c->inputs.count; k++) {
			uint32_t value = p->flow->tensors[c->inputs.first + k].value;

			constant = constant && value != UINT32_MAX && p->constant[value];
			if (value != UINT32_MAX)
				p->taken[value] = true;
		}
		for (uint32_t k = 0; k < c->outputs.count && constant; k++) {
			uint32_t value = p->flow->tensors[c->outputs.first + k].value;

			if (value != UINT32_MAX)
				p->constant[value] = true;
		}
	}
}

/* Marks the zero points of quantised weights if all their elements are 0: a backend may leave such
 * zero points out. */
static void find_zeros(struct etc_places *p, const struct etc_graph *graph)
{
	enum { ZERO_POINT = 2, MOST = 1 << 16 };

	for (uint32_t i = 0; i < graph->node_count; i++) {
		const struct etc_graph_tensors in = p->flow->calls[i].inputs;
		uint32_t value = in.count > ZERO_POINT
		                         ? p->flow->tensors[in.first + ZERO_POINT].value
		                         : UINT32_MAX;
		const struct etc_ref_tensor *t = value == UINT32_MAX ? NULL : p->weights[value];
		bool zero = t && etc_node_quantises(&graph->nodes[i]) && t->bytes.len < MOST;

		for (size_t k = 0; zero && k < t->bytes.len; k++)
			zero = t->bytes.ptr[k] == 0;
		if (zero)
			p->zero[value] = true;
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

/* Returns the weight that is input tensor `i` of the node; NULL: there is no such tensor, or it is
 * no weight. */
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

bool etc_places_spent(const struct etc_places *p)
{
	return p->steps > STEPS || p->work >= ETC_WEIGHTS_WORK;
}

/* Is the constant the result of fusing a convolution's weight with a normalisation? If `weight`
 * is NULL, tests instead whether the constant is the result of converting the normalisation
 * alone to a convolution. */
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

	p->steps++;
	if (etc_places_spent(p))
		return false;
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
		if (gives(p, weight, &p->norms[i], place))
			return true;
	return false;
}

static const struct norm *norm_of(const struct etc_places *p, uint32_t node)
{
	uint32_t low = 0, high = p->norm_count;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (p->norms[middle].node < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->norm_count && p->norms[low].node == node ? &p->norms[low] : NULL;
}

bool etc_places_normalises(struct etc_places *p, uint32_t node, const struct etc_placed *place)
{
	const struct norm *norm = norm_of(p, node);

	p->steps++;
	return norm && place->elements == norm->count && gives(p, NULL, norm, place);
}

bool etc_places_fused_otherwise(struct etc_places *p, uint32_t convolution, uint32_t norm,
                                const struct etc_placed *place)
{
	const bool alone = convolution == UINT32_MAX;
	const struct etc_ref_tensor *weight = alone ? NULL : taken(p, convolution, 1);
	const struct norm *own = norm_of(p, norm);

	if (!own ||
	    place->elements != (weight  ? weight->count
	                        : alone ? own->count
	                                : 0) ||
	    gives(p, weight, own, place))
		return false;
	if (alone)
		return gives_any(p, NULL, place);
	for (uint32_t i = 0; i < p->count && !etc_places_spent(p); i++, p->steps++)
		if (p->all[i]->count == place->elements && gives_any(p, p->all[i], place))
			return true;
	return false;
}

enum etc_status etc_places_open(struct etc_span record, const struct etc_graph *graph,
                                const struct etc_graph_flow *flow, bool whole,
                                struct etc_arena *arena, struct etc_places **out,
                                struct etc_error *err)
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
	p->graph = graph;
	p->flow = flow;
	p->whole = whole;
	p->weights = etc_new(arena, const struct etc_ref_tensor *, flow->value_count);
	p->constant = etc_new(arena, bool, flow->value_count);
	p->all = etc_new(arena, const struct etc_ref_tensor *, flow->value_count);
	p->visited = etc_new(arena, uint32_t, graph->node_count);
	p->found = etc_new(arena, bool, flow->value_count);
	p->zero = etc_new(arena, bool, flow->value_count);
	p->taken = etc_new(arena, bool, flow->value_count);
	ETC_NEED(p->weights && p->constant && p->all && p->found && p->zero && p->taken &&
	                 p->visited,
	         err);
	ETC_TRY(load(p, &zip, graph, arena, err));
	spread(p, graph);
	find_zeros(p, graph);
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

static void add_value(struct etc_places *p, uint32_t value, unsigned depth)
{
	enum { DEEPEST = 16 };
	const uint32_t maker = value == UINT32_MAX ? UINT32_MAX : p->flow->maker[value];

	p->more |= depth == DEEPEST || p->steps > STEPS;
	p->steps++;
	if (p->more || value == UINT32_MAX || !p->constant[value])
		return;
	for (uint32_t i = 0; i < p->here_count; i++)
		if (p->here[i] == value)
			return;
	if (p->weights[value] && p->here_count < PLACE) {
		p->here[p->here_count++] = value;
	} else if (maker != UINT32_MAX) {
		const struct etc_graph_tensors in = p->flow->calls[maker].inputs;

		for (uint32_t i = 0; i < in.count; i++)
			add_value(p, p->flow->tensors[in.first + i].value, depth + 1);
	} else {
		p->more = true;
	}
}

bool etc_places_add(struct etc_places *p, uint32_t node, uint32_t input)
{
	const struct etc_graph_tensors in = p->flow->calls[node].inputs;

	p->steps++;
	p->more |= etc_places_spent(p);
	for (uint32_t i = 0; i < in.count && !p->more; i++)
		if (input == ETC_PLACES_ANY || i == input)
			add_value(p, p->flow->tensors[in.first + i].value, 0);
	return !p->more;
}

/* ---- comparing the elements of one weight ------------------------------------------------ */

/* Do the elements follow each other in the order of the dimensions? */
static bool is_contiguous(const struct etc_ref_tensor *t)
{
	int64_t stride = 1;

	for (uint32_t d = t->rank; d-- > 0; stride *= t->sizes[d])
		if (t->sizes[d] > 1 && t->strides[d] != stride)
			return false;
	return t->count && t->bytes.len == t->count * t->dtype->bytes;
}

static bool is_in_nibbles(const struct etc_ref_tensor *t, const struct etc_placed *place)
{
	const uint64_t row = place->row, bytes = (row + 1) / 2;

	if (t->dtype->bytes != 1 || !row || t->count % row ||
	    t->count / row > place->bytes.len / bytes)
		return false;
	for (uint64_t i = 0; i < t->count; i++) {
		const uint8_t both = place->bytes.ptr[i / row * bytes + i % row / 2];
		const unsigned four = i % row % 2 ? both >> 4 : both & 15;

		if ((int)four - 8 != (int8_t)t->bytes.ptr[i])
			return false;
	}
	return true;
}

/* Does the constant have the float32 weight `t` as bfloat16, rounded to nearest, ties to even? */
static bool is_in_bfloat16(const struct etc_ref_tensor *t, const struct etc_placed *place)
{
	if (!etc_weight_is_float(t) || t->count > place->bytes.len / 2)
		return false;
	for (uint64_t i = 0; i < t->count; i++) {
		uint32_t bits;
		uint16_t half;

		memcpy(&bits, t->bytes.ptr + 4 * i, sizeof bits);
		memcpy(&half, place->bytes.ptr + 2 * i, sizeof half);
		if ((bits + 0x7fff + (bits >> 16 & 1)) >> 16 != half)
			return false;
	}
	return true;
}

static bool is_rounded(const struct etc_ref_tensor *t, const struct etc_placed *place)
{
	const uint64_t scales = place->scales.len / 4;

	if (!etc_weight_is_float(t) || t->count > place->bytes.len / 4 ||
	    (scales != 1 && scales != t->count))
		return false;
	for (uint64_t i = 0; i < t->count; i++) {
		const double exact = (double)etc_weight_float(t->bytes, i) /
		                     (double)etc_weight_float(place->scales, scales == 1 ? 0 : i);
		int32_t rounded;

		memcpy(&rounded, place->bytes.ptr + 4 * i, sizeof rounded);
		if (!(fabs(exact - rounded) <= 0.51 + fabs(exact) * 1e-6))
			return false;
	}
	return true;
}

/* Does the program's constant `place` have the values of the record's weight `t`? Also returns
 * false if the limit for compared bytes is exceeded. */
static bool is_placed(struct etc_places *p, const struct etc_ref_tensor *t,
                      const struct etc_placed *place, size_t room)
{
	if (t->count != place->elements || !place->bytes.len || etc_places_spent(p))
		return false;
	if (place->form == ETC_PLACED_AS_IS)
		return etc_weight_is(t, place->bytes, room, &p->work);
	if (!is_contiguous(t))
		return false;
	p->work += t->count;
	switch (place->form) {
	case ETC_PLACED_NIBBLES:
		return is_in_nibbles(t, place);
	case ETC_PLACED_BFLOAT16:
		return is_in_bfloat16(t, place);
	default:
		return is_rounded(t, place);
	}
}

/* Do both weights have equally many elements, of equal size? */
static bool is_alike(const struct etc_ref_tensor *t, const struct etc_ref_tensor *other)
{
	return t->count == other->count && t->dtype->bytes == other->dtype->bytes;
}

/* Does the place have another weight with the same number and size of elements as weight `at`, but
 * with other values? */
static bool is_ambiguous(struct etc_places *p, uint32_t at, const struct etc_placed *place,
                         size_t room)
{
	const struct etc_ref_tensor *t = p->weights[p->here[at]];

	for (uint32_t i = 0; i < p->here_count; i++) {
		const struct etc_ref_tensor *other = p->weights[p->here[i]];

		if (i != at && is_alike(t, other) && !is_placed(p, other, place, room))
			return true;
	}
	return false;
}

enum etc_placed_answer etc_places_compare(struct etc_places *p, const struct etc_placed *place)
{
	const size_t room = p->whole ? SIZE_MAX : PREFIX;
	bool same_size = false;

	if (p->more || etc_places_spent(p))
		return ETC_PLACED_UNKNOWN;
	for (uint32_t i = 0; i < p->here_count; i++) {
		const uint32_t value = p->here[i];

		same_size |= p->weights[value]->count == place->elements;
		if (!is_placed(p, p->weights[value], place, room))
			continue;
		if (etc_places_spent(p) || is_ambiguous(p, i, place, room))
			return ETC_PLACED_UNKNOWN;
		p->found[value] = true;
		return ETC_PLACED_HERE;
	}
	for (uint32_t i = 0; i < p->count && same_size && !etc_places_spent(p); i++) {
		p->steps++;
		if (is_placed(p, p->all[i], place, SIZE_MAX))
			return ETC_PLACED_ELSEWHERE;
	}
	return ETC_PLACED_UNKNOWN;
}

/* ---- dequantised weights --------------------------------------------------------------- */

/* Returns the node that dequantises the weight `value`, which may pass through other nodes that
 * take only constants; UINT32_MAX: none does. */
static uint32_t dequantiser(const struct etc_places *p, uint32_t value)
{
	enum { LONGEST = 4 };

	for (unsigned i = 0; i < LONGEST && value != UINT32_MAX && p->constant[value]; i++) {
		const uint32_t maker = p->flow->maker[value];
		const struct etc_graph_call *call;

		if (maker == UINT32_MAX)
			break;
		if (etc_node_quantises(&p->graph->nodes[maker]))
			return maker;
		call = &p->flow->calls[maker];
		value = call->inputs.count ? p->flow->tensors[call->inputs.first].value
		                           : UINT32_MAX;
	}
	return UINT32_MAX;
}

/* Is the constant the weight multiplied by its scales, one scale for each group of elements? If
 * `scale` is NULL: is it the weight alone? */
static bool is_times(struct etc_places *p, const struct etc_ref_tensor *weight,
                     const struct etc_ref_tensor *scale, const struct etc_placed *place)
{
	const uint64_t group = scale ? weight->count / scale->count : 1;

	for (uint64_t i = 0; i < weight->count; i++, p->work++)
		if (p->work >= ETC_WEIGHTS_WORK ||
		    !etc_weight_near(
			    etc_weight_float(place->bytes, i),
			    (float)(int8_t)weight->bytes.ptr[i] *
				    (scale ? etc_weight_float(scale->bytes, i / group) : 1),
			    1e-6f))
			return false;
	return true;
}

bool etc_places_dequantised(struct etc_places *p, uint32_t node, uint32_t input,
                            const struct etc_placed *place)
{
	enum { WEIGHT, SCALE, ZERO_POINT };
	const struct etc_graph_tensors in = p->flow->calls[node].inputs;
	const uint32_t by = input < in.count
	                            ? dequantiser(p, p->flow->tensors[in.first + input].value)
	                            : UINT32_MAX;
	const struct etc_ref_tensor *weight, *scale, *zero;

	p->steps++;
	if (by == UINT32_MAX)
		return false;
	weight = taken(p, by, WEIGHT);
	scale = taken(p, by, SCALE);
	zero = taken(p, by, ZERO_POINT);
	if (!weight || weight->dtype->bytes != 1 || !is_contiguous(weight) || !scale ||
	    !etc_weight_is_float(scale) || !is_contiguous(scale) || weight->count % scale->count ||
	    weight->count != place->elements || weight->count > place->bytes.len / 4 ||
	    (zero &&
	     !p->zero[p->flow->tensors[p->flow->calls[by].inputs.first + ZERO_POINT].value]))
		return false;
	return is_times(p, weight, NULL, place) || is_times(p, weight, scale, place);
}

static bool depends(struct etc_places *p, uint32_t node, uint32_t on, unsigned depth)
{
	enum { DEEPEST = 1 << 12 };
	const struct etc_graph_tensors in = p->flow->calls[node].inputs;

	if (node < on || p->visited[node] == p->visits || depth == DEEPEST || p->steps > STEPS)
		return false;
	p->visited[node] = p->visits;
	for (uint32_t i = 0; i < in.count; i++) {
		const uint32_t value = p->flow->tensors[in.first + i].value;
		const uint32_t maker = value == UINT32_MAX ? UINT32_MAX : p->flow->maker[value];

		p->steps++;
		if (maker != UINT32_MAX && (maker == on || depends(p, maker, on, depth + 1)))
			return true;
	}
	return false;
}

bool etc_places_depends(struct etc_places *p, uint32_t node, uint32_t on)
{
	p->visits++;
	p->steps++;
	return depends(p, node, on, 0);
}

uint32_t etc_places_count(const struct etc_places *p, uint32_t *here)
{
	uint32_t count = 0;

	*here = 0;
	for (size_t i = 0; i < p->flow->weights.room; i++) {
		const struct etc_map_slot *s = &p->flow->weights.slots[i];

		if (!s->hash || p->zero[s->value] || !p->taken[s->value])
			continue;
		count++;
		*here += p->found[s->value];
	}
	return count;
}
