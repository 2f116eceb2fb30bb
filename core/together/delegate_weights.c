/* delegate_weights.c -- compares the weights and scales of a delegate's blob with those that the
 * corresponding nodes of a record take. */
#include "together/finder.h"

#include "base/grow.h"
#include "join/operator_stem.h"
#include "tensor/program_sizes.h"
#include "tensor/program_tensor.h"
#include "together/arguments.h"
#include "together/places.h"
#include "together/scales.h"

/* ---- places of weights ---------------------------------------------------------------------- */

/* Returns the bytes of a constant of a delegate. */
static struct etc_span constant_bytes(const struct etc_finder *f,
                                      const struct etc_delegate_data *data)
{
	if (!data->key.len)
		return data->bytes;
	for (uint32_t i = 0; i < f->whole.named_count; i++)
		if (etc_str_eq(f->whole.named_data[i].key, data->key))
			return etc_named_data_bytes(&f->whole, etc_finder_program(f), i);
	return (struct etc_span){ NULL, 0 };
}

static uint64_t count_of(const uint32_t *sizes, uint32_t rank)
{
	uint64_t n = 1;

	for (uint32_t i = 0; i < rank; i++)
		if (__builtin_mul_overflow(n, (uint64_t)sizes[i], &n))
			return 0;
	return n;
}

/* Returns the constant `v` of a delegate, with the form in which the program stores it. */
static struct etc_placed placed(const struct etc_finder *f, const struct etc_delegate_value *v)
{
	struct etc_placed p = { .bytes = constant_bytes(f, &v->data),
		                .elements = count_of(v->sizes, v->rank) };

	if (v->type == ETC_DELEGATE_QCINT4 || v->type == ETC_DELEGATE_QBINT4) {
		p.form = ETC_PLACED_NIBBLES;
		p.row = v->rank ? v->sizes[v->rank - 1] : 0;
	} else if (v->type == ETC_DELEGATE_QINT32 || v->type == ETC_DELEGATE_QCINT32) {
		p.form = ETC_PLACED_ROUNDED;
		p.scales = v->scaling.uniform
		                   ? (struct etc_span){ (const uint8_t *)&v->scaling.scale,
			                                sizeof v->scaling.scale }
		                   : constant_bytes(f, &v->scaling.scales);
	}
	return p;
}

/* Returns the scales of a delegate's constant, if they can be compared with a tensor of the record;
 * else a result without bytes. The scales of a bias are not compared, because they are products of
 * two other scales. */
static struct etc_placed placed_scales(const struct etc_finder *f,
                                       const struct etc_delegate_value *v)
{
	const bool groups = v->type == ETC_DELEGATE_QBINT4;

	if (!groups && v->type != ETC_DELEGATE_QCINT8 && v->type != ETC_DELEGATE_QCINT4)
		return (struct etc_placed){ .elements = 0 };
	return (struct etc_placed){ .bytes = constant_bytes(f, &v->scaling.scales),
		                    .elements = v->scaling.bytes / (groups ? 2 : 4),
		                    .form = groups ? ETC_PLACED_BFLOAT16 : ETC_PLACED_AS_IS };
}

/* Returns which input of the record's product corresponds to operand `k` (input, weights, bias) of
 * the delegate's product. */
static uint32_t product_input(const struct etc_node *n, uint32_t k)
{
	static const uint8_t addmm[] = { 1, 2, 0 }; /* addmm(bias, input, weights) */

	return k < sizeof addmm && etc_str_eq(etc_node_stem(n), ETC_STR("addmm")) ? addmm[k] : k;
}

/* Collects, in x->places, the weights that the record has for operand `k` of the delegate's node
 * `n`. */
static void add_places(struct etc_graph_index *x, const struct etc_delegate_node *n, uint32_t k)
{
	bool product = false;

	etc_places_begin(x->places);
	for (uint32_t i = etc_graph_index_first(x, &n->handle); i != ETC_NO_NODE; i = x->next[i])
		product |= etc_node_is_product(&x->graph->nodes[i]);
	product = product && n->kind == ETC_DELEGATE_PRODUCT;
	for (uint32_t i = etc_graph_index_first(x, &n->handle); i != ETC_NO_NODE; i = x->next[i])
		if ((!product || etc_node_is_product(&x->graph->nodes[i])) &&
		    !etc_places_add(x->places, i,
		                    product ? product_input(&x->graph->nodes[i], k)
		                            : ETC_PLACES_ANY))
			break;
}

/* The constant is the weight of a convolution of the delegate. Is it made by fusing another
 * convolution or normalisation than those that the record has at this handle? */
static bool is_fused_otherwise(struct etc_graph_index *x, int64_t handle,
                               const struct etc_placed *place)
{
	for (uint32_t n = etc_graph_index_first(x, &handle); n != ETC_NO_NODE; n = x->next[n]) {
		const bool norm = x->flow.calls[n].normalises;
		uint32_t behind = norm ? n : etc_graph_index_behind(x, n);

		if ((!norm && !x->flow.calls[n].convolution) || behind == ETC_NO_NODE)
			continue;
		return etc_places_fused_otherwise(x->places, norm ? ETC_NO_NODE : n, behind, place);
	}
	return false;
}

void etc_add_all_places(struct etc_graph_index *x, const struct etc_handles *h)
{
	etc_places_begin(x->places);
	for (uint32_t i = 0; i < h->count; i++)
		for (uint32_t n = etc_graph_index_first(x, &h->v[i]); n != ETC_NO_NODE;
		     n = x->next[n])
			if (!etc_places_add(x->places, n, ETC_PLACES_ANY))
				return;
}

/* Compares the constant that is operand `k` of the delegate's node `n`, and its scales, with
 * weights of the record: with those that the nodes with the handle of `n` take; if `n` has no
 * handle, with those of the partition `h`. True: the record has the constant, or the scales, as a
 * weight of other nodes; or the constant was made by another fusion (is_fused_otherwise()). */
static bool is_elsewhere(struct etc_finder *f, struct etc_graph_index *x,
                         const struct etc_handles *h, const struct etc_delegate_node *n, uint32_t k,
                         const struct etc_delegate_value *v)
{
	enum { FILTER = 1 };
	const struct etc_placed both[] = { placed(f, v), placed_scales(f, v) };

	f->out->uncompared += !n->handle || !x->places;
	for (uint32_t i = 0; i < 2 && x->places; i++) {
		enum etc_placed_answer answer;

		if (i == 1 && !both[i].elements)
			continue;
		if (n->handle)
			add_places(x, n, k);
		else
			etc_add_all_places(x, h);
		answer = etc_places_compare(x->places, &both[i]);
		f->out->uncompared += answer == ETC_PLACED_UNKNOWN;
		if (answer == ETC_PLACED_ELSEWHERE)
			return true;
	}
	return x->places && n->handle && k == FILTER && n->is_convolution &&
	       v->type == ETC_DELEGATE_FLOAT32 && is_fused_otherwise(x, n->handle, &both[0]);
}

/* Reads the value that is operand `k` of the delegate's node. False: the operand is not a constant.
 * If several delegates take a constant, it is not in a blob, but an argument of their calls. */
static bool read_constant(const struct etc_finder *f, const struct etc_program_method *m,
                          struct etc_numbers args, const struct etc_delegate_graph *blob,
                          uint32_t value, struct etc_delegate_value *out)
{
	struct etc_tensor_data_place data;
	const struct etc_evalue *argument;

	if (value == ETC_DELEGATE_NO_VALUE)
		return false;
	*out = blob->values[value];
	if (out->constant || out->argument >= args.count)
		return out->constant;
	argument = etc_value_at(m, etc_i32_at(args, out->argument));
	if (argument->kind != ETC_EVALUE_TENSOR ||
	    !etc_tensor_data_place(&f->whole, etc_finder_program(f), argument->tensor, &data))
		return false;
	out->data.bytes = data.bytes;
	return true;
}

static void say_elsewhere(struct etc_finder *f, uint32_t instruction)
{
	etc_finder_conflict(f,
	                    "the delegate of instruction %u has in the program a weight that the "
	                    "record has at another place",
	                    instruction);
}

enum etc_status etc_conflicts_in_places(struct etc_finder *f, const struct etc_compared_delegate *d,
                                        struct etc_error *err)
{
	const struct etc_delegate_graph *blob = d->blob;
	struct etc_graph_index *x = d->x;
	const struct etc_instruction *call;
	const struct etc_program_method *m;

	if (!etc_finder_program(f).len)
		return ETC_OK;
	ETC_TRY(etc_finder_values(f, d->method, &m, err));
	ETC_TRY(etc_finder_places(f, x, err));
	call = m ? etc_program_instruction(m, 0, d->instruction) : NULL;
	f->out->uncompared += !call;
	for (uint32_t i = 0; i < blob->count && call; i++) {
		const struct etc_delegate_operator *o = &blob->operators[i];

		for (uint32_t k = 0; k < o->input_count; k++) {
			struct etc_delegate_value v;

			if (!read_constant(f, m, call->args, blob, o->inputs[k], &v) ||
			    !is_elsewhere(f, x, d->handles, &blob->nodes[i], k, &v))
				continue;
			if (blob->nodes[i].handle)
				etc_finder_conflict(
					f,
					"debug handle %lld has in the program a weight that the "
					"record has at another place",
					(long long)blob->nodes[i].handle);
			else
				say_elsewhere(f, d->instruction);
			return ETC_OK;
		}
	}
	return ETC_OK;
}

/* ---- products without debug handles ---------------------------------------------------------- */

/* Lists the products and batch normalisations of the record. False: out of memory. */
static bool list_products(const struct etc_graph_index *x, struct etc_arena *arena,
                          struct etc_grow *to)
{
	for (uint32_t i = 0; i < x->graph->node_count; i++) {
		uint32_t *product = NULL;

		if (!etc_node_is_product(&x->graph->nodes[i]) && !x->flow.calls[i].normalises)
			continue;
		product = ETC_GROW(arena, to, uint32_t);
		if (!product)
			return false;
		*product = i;
	}
	return true;
}

/* Is the constant the weight of the record's product or normalisation `node`, after XNNPACK's
 * exporter has dequantised or converted the weight? */
static bool is_made_of(struct etc_graph_index *x, uint32_t node, const struct etc_placed *place)
{
	enum { FILTER = 1 };

	if (x->flow.calls[node].normalises)
		return etc_places_normalises(x->places, node, place);
	return etc_places_dequantised(x->places, node,
	                              product_input(&x->graph->nodes[node], FILTER), place);
}

/* Returns the only one of the record's `products` whose weight is the delegate's constant
 * `place`. ETC_NO_NODE: no product or several products have this weight, or the limit of
 * comparisons was reached (etc_places_spent()). */
static uint32_t product_of(struct etc_graph_index *x, const struct etc_grow *products,
                           const struct etc_placed *place)
{
	const uint32_t *nodes = products->items;
	uint32_t found = ETC_NO_NODE;

	for (uint32_t i = 0; i < products->count && !etc_places_spent(x->places); i++) {
		if (!is_made_of(x, nodes[i], place))
			continue;
		if (found != ETC_NO_NODE)
			return ETC_NO_NODE;
		found = nodes[i];
	}
	return etc_places_spent(x->places) ? ETC_NO_NODE : found;
}

enum etc_status etc_conflicts_in_products(struct etc_finder *f,
                                          const struct etc_compared_delegate *d,
                                          struct etc_error *err)
{
	const struct etc_delegate_graph *blob = d->blob;
	struct etc_graph_index *x = d->x;
	enum { FILTER = 1 };
	struct etc_grow products = { 0 };
	uint32_t *ran = etc_new(f->arena, uint32_t, blob->count), count = 0;
	bool other = false;

	ETC_NEED(ran && (!x->places || list_products(x, f->arena, &products)), err);
	for (uint32_t i = 0; i < blob->count && products.count; i++) {
		const struct etc_delegate_operator *o = &blob->operators[i];
		const uint32_t filter =
			o->input_count > FILTER ? o->inputs[FILTER] : ETC_DELEGATE_NO_VALUE;
		const struct etc_delegate_value *v;
		struct etc_placed place;

		if (blob->nodes[i].kind != ETC_DELEGATE_PRODUCT || blob->nodes[i].handle ||
		    filter == ETC_DELEGATE_NO_VALUE)
			continue;
		v = &blob->values[filter];
		if (!v->constant || v->type != ETC_DELEGATE_FLOAT32)
			continue;
		place = placed(f, v);
		ran[count] = product_of(x, &products, &place);
		if (ran[count] == ETC_NO_NODE)
			continue;
		other = other || etc_graph_index_is_node(x, ran[count], d->instruction) == 0;
		for (uint32_t k = 0; k < count && !other && !etc_places_spent(x->places); k++)
			other = etc_places_depends(x->places, ran[k], ran[count]);
		count++;
	}
	if (other)
		say_elsewhere(f, d->instruction);
	return ETC_OK;
}

/* ---- scales of quantised values ------------------------------------------------------------ */

/* Is the value quantised with a scale and zero point that are known when the model is exported? */
static bool has_scale(const struct etc_delegate_graph *blob, uint32_t value)
{
	return value != ETC_DELEGATE_NO_VALUE && blob->values[value].scaling.uniform &&
	       blob->values[value].type != ETC_DELEGATE_QINT32;
}

/* Is the value quantised in another way than in the record? If `result` is true, the value in the
 * record is a result of the nodes with this handle; otherwise it is one of their inputs. */
static bool is_scaled_otherwise(struct etc_finder *f, struct etc_graph_index *x, int64_t handle,
                                bool result, const struct etc_delegate_value *v)
{
	enum etc_scales_answer answer;

	etc_scales_begin(x->scales);
	for (uint32_t n = etc_graph_index_first(x, &handle); n != ETC_NO_NODE; n = x->next[n])
		etc_scales_add(x->scales, n, result);
	answer = etc_scales_compare(x->scales, v->scaling.scale, v->scaling.zero_point);
	f->out->uncompared += answer == ETC_SCALES_UNKNOWN;
	return answer == ETC_SCALES_OTHER;
}

enum etc_status etc_conflicts_in_scales(struct etc_finder *f, const struct etc_compared_delegate *d,
                                        struct etc_error *err)
{
	const struct etc_delegate_graph *blob = d->blob;
	struct etc_graph_index *x = d->x;
	if (!blob->quantised)
		return ETC_OK;
	ETC_TRY(etc_finder_flow(f, x, err));
	if (!x->scales && x->flow.whole)
		ETC_TRY(etc_scales_open(x->graph, &x->flow, f->arena, &x->scales, err));
	for (uint32_t i = 0; i < blob->count && x->scales; i++) {
		const struct etc_delegate_operator *o = &blob->operators[i];
		const int64_t handle = blob->nodes[i].handle;
		bool other = handle && has_scale(blob, o->output) &&
		             is_scaled_otherwise(f, x, handle, true, &blob->values[o->output]);

		for (uint32_t k = 0; k < o->input_count && handle && !other; k++)
			other = has_scale(blob, o->inputs[k]) &&
			        is_scaled_otherwise(f, x, handle, false,
			                            &blob->values[o->inputs[k]]);
		if (!other)
			continue;
		etc_finder_conflict(
			f,
			"debug handle %lld has another quantisation in the program than in the "
			"record",
			(long long)handle);
		return ETC_OK;
	}
	return ETC_OK;
}
