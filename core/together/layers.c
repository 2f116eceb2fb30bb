/* layers.c -- compares the layers of a delegate's blob with the nodes of a record: constants,
 * convolutions, limits. */
#include "together/finder.h"

#include <math.h>
#include "base/map.h"
#include "formats/etrecord/graph_flow.h"
#include "model/scalar_type.h"

/* Returns a linear layer or convolution whose number of weights differs from that in the record;
 * NULL: there is none. */
static const struct etc_delegate_node *other_weights(const struct etc_delegate_graph *blob,
                                                     const struct etc_graph_index *x)
{
	for (uint32_t i = 0; i < blob->count; i++) {
		const struct etc_delegate_node *n = &blob->nodes[i];
		bool same = !n->handle || n->weights <= 1;

		for (uint32_t k = same ? ETC_NO_NODE : etc_graph_index_first(x, &n->handle);
		     k != ETC_NO_NODE && !same; k = x->next[k]) {
			struct etc_node_takes takes = { n->weights, x->graph->nodes[k].index };
			struct etc_str key = { (const char *)&takes, sizeof takes };

			same = etc_map_get(&x->flow.takes, key) != ETC_MAP_NONE;
		}
		if (!same)
			return n;
	}
	return NULL;
}

enum etc_status etc_conflicts_in_constants(struct etc_finder *f,
                                           const struct etc_compared_delegate *d,
                                           struct etc_error *err)
{
	const struct etc_delegate_graph *blob = d->blob;
	struct etc_graph_index *x = d->x;
	const struct etc_delegate_node *other;

	if (blob->constant_count)
		ETC_TRY(etc_finder_flow(f, x, err));
	for (uint32_t i = 0; i < blob->constant_count && x->flow.whole; i++) {
		struct etc_str key = { (const char *)&blob->constants[i], sizeof *blob->constants };

		if (blob->constants[i] <= 1 || etc_map_get(&x->flow.elements, key) != ETC_MAP_NONE)
			continue;
		etc_finder_conflict(
			f,
			"the delegate of instruction %lld has a constant of %llu elements, which "
			"no tensor of the record has",
			(long long)d->instruction, (unsigned long long)blob->constants[i]);
		return ETC_OK;
	}
	other = x->flow.whole ? other_weights(blob, x) : NULL;
	if (other)
		etc_finder_conflict(
			f,
			"debug handle %lld has weights of %llu elements in the program and not in "
			"the record",
			(long long)other->handle, (unsigned long long)other->weights);
	return ETC_OK;
}

/* ---- layers --------------------------------------------------------------------------------- */

static bool differ_known(int64_t a, int64_t b)
{
	return a >= 0 && b >= 0 && a != b;
}

bool etc_convolutions_differ(const struct etc_convolution *a, const struct etc_convolution *b)
{
	bool differ =
		differ_known(a->groups, b->groups) || differ_known(a->transposed, b->transposed);

	for (unsigned i = 0; i < 2; i++)
		differ = differ || differ_known(a->stride[i], b->stride[i]) ||
		         differ_known(a->padding[i], b->padding[i]) ||
		         differ_known(a->dilation[i], b->dilation[i]);
	return differ;
}

/* Can the node return a tensor of `elements` elements? Also true if the number of elements of one
 * of its results is unknown. */
static bool may_give(const struct etc_graph_flow *flow, const struct etc_graph_call *call,
                     uint64_t elements)
{
	bool may = elements == 0 || call->outputs.count == 0;
	uint64_t n;

	for (uint32_t i = 0; i < call->outputs.count && !may; i++)
		may = !etc_graph_elements(&flow->tensors[call->outputs.first + i], &n) ||
		      n == elements;
	return may;
}

/* Is it certain that every result of the node has another float type than `type`? False also if the
 * type of a result is unknown. */
static bool gives_other_float(const struct etc_graph_flow *flow, const struct etc_graph_call *call,
                              int8_t type)
{
	bool other = type && call->outputs.count;

	for (uint32_t i = 0; i < call->outputs.count && other; i++) {
		int8_t given = flow->tensors[call->outputs.first + i].type;
		const struct etc_scalar_type *s = given < 0 ? NULL : etc_scalar_type(given);

		other = s && given != type &&
		        (s->kind == ETC_SCALAR_FLOAT || s->kind == ETC_SCALAR_HALF ||
		         s->kind == ETC_SCALAR_BFLOAT16);
	}
	return other;
}

/* Returns how the delegate's node `n` differs from the graph's node `k` of the same kind. NULL:
 * there is no difference, or it is unknown. A bias that only the delegate's node has is no
 * difference if a batch normalisation follows the layer, since its fusion may add a bias. */
static const char *differ_from_layer(const struct etc_graph_index *x,
                                     const struct etc_delegate_node *n, uint32_t k)
{
	const struct etc_graph_call *call = &x->flow.calls[k];
	uint32_t behind;

	if (!may_give(&x->flow, call, n->gives))
		return "a result of another size than in the program";
	if (gives_other_float(&x->flow, call, n->type))
		return "a result of another float type than in the program";
	if (!n->weights)
		return NULL;
	if (n->is_convolution && call->convolution &&
	    etc_convolutions_differ(&n->convolution, call->convolution))
		return "another stride, padding, dilation, number of groups or direction than in "
		       "the program";
	behind = etc_graph_index_behind(x, k);
	if (!n->has_bias && call->inputs.count == 3)
		return "a bias, and none in the program";
	if (n->has_bias && call->inputs.count == 2 &&
	    (behind == ETC_NO_NODE || !x->flow.calls[behind].normalises))
		return "no bias, and one in the program";
	return NULL;
}

enum etc_status etc_conflicts_in_layers(struct etc_finder *f, const struct etc_compared_delegate *d,
                                        struct etc_error *err)
{
	const struct etc_delegate_graph *blob = d->blob;
	struct etc_graph_index *x = d->x;
	for (uint32_t i = 0; i < blob->count; i++) {
		const struct etc_delegate_node *n = &blob->nodes[i];
		const char *what = NULL;

		if (!n->handle || n->kind == ETC_DELEGATE_KINDS)
			continue;
		ETC_TRY(etc_finder_flow(f, x, err));
		if (!x->flow.whole)
			return ETC_OK;
		for (uint32_t k = etc_graph_index_first(x, &n->handle); k != ETC_NO_NODE;
		     k = x->next[k]) {
			if (etc_node_delegate_kind(&x->graph->nodes[k]) != n->kind)
				continue;
			what = differ_from_layer(x, n, k);
			if (!what)
				break;
		}
		if (!what)
			continue;
		etc_finder_conflict(f, "debug handle %lld has in the record %s",
		                    (long long)n->handle, what);
		return ETC_OK;
	}
	return ETC_OK;
}

/* ---- limits --------------------------------------------------------------------------------- */

static bool has_limits(const struct etc_graph_call *c, const struct etc_delegate_node *n)
{
	return c->clamps && (isnan(c->low) || c->low == n->low) &&
	       (isnan(c->high) || c->high == n->high);
}

/* Does a node of the graph limit its input to the same range as `n`? True: yes, or too many nodes
 * were visited to decide. */
static bool any_limits(struct etc_graph_index *x, const struct etc_delegate_node *n)
{
	enum { MOST = 1 << 22 };

	for (uint32_t i = 0; i < x->graph->node_count; i++)
		if (x->limits_steps++ > MOST || has_limits(&x->flow.calls[i], n))
			return true;
	return false;
}

/* Does the record have the output limits of `n`? XNNPACK's exporter fuses an operator with the
 * ReLUs and Hardtanhs after it, even across a batch normalisation. So the next CHAIN nodes after
 * the operator are compared (views are skipped). If none of them is a ReLU or Hardtanh, a node
 * anywhere in the graph with these limits suffices. If `n` is itself a ReLU or Hardtanh, only its
 * own node is compared. */
static bool same_limits(struct etc_graph_index *x, const struct etc_delegate_node *n)
{
	enum { CHAIN = 8 };
	bool seen = false;

	for (uint32_t k = etc_graph_index_first(x, &n->handle); k != ETC_NO_NODE; k = x->next[k]) {
		uint32_t at = n->clamps ? k : etc_graph_index_behind(x, k);

		for (uint32_t i = 0; i < CHAIN && at != ETC_NO_NODE; i++) {
			if (has_limits(&x->flow.calls[at], n))
				return true;
			seen |= x->flow.calls[at].clamps;
			at = n->clamps ? ETC_NO_NODE : etc_graph_index_behind(x, at);
		}
	}
	return !seen && (n->clamps || any_limits(x, n));
}

enum etc_status etc_conflicts_in_limits(struct etc_finder *f, const struct etc_compared_delegate *d,
                                        struct etc_error *err)
{
	const struct etc_delegate_graph *blob = d->blob;
	struct etc_graph_index *x = d->x;
	for (uint32_t i = 0; i < blob->count; i++) {
		const struct etc_delegate_node *n = &blob->nodes[i];

		if (!n->limited || !n->handle)
			continue;
		ETC_TRY(etc_finder_flow(f, x, err));
		if (!x->flow.whole || same_limits(x, n))
			continue;
		etc_finder_conflict(
			f,
			"debug handle %lld has limits of %g and %g in the program and others in "
			"the record",
			(long long)n->handle, (double)n->low, (double)n->high);
		return ETC_OK;
	}
	return ETC_OK;
}

enum etc_status etc_conflicts_in_nodes(struct etc_finder *f, const struct etc_compared_delegate *d,
                                       struct etc_error *err)
{
	const struct etc_delegate_graph *blob = d->blob;
	const struct etc_graph_index *x = d->x;
	const char *conflict = f->out->record_program;
	struct etc_map listed;

	etc_map_init(&listed, f->arena);
	for (uint32_t i = 0; i < d->handles->count; i++)
		if (etc_map_add(&listed, etc_map_number(&d->handles->v[i]), 0) == ETC_MAP_NONE)
			return etc_no_memory(err);
	for (uint32_t i = 0; i < blob->count && !conflict[0]; i++) {
		const struct etc_delegate_node *n = &blob->nodes[i];
		bool same = n->kind == ETC_DELEGATE_KINDS;

		if (!n->handle)
			continue;
		for (uint32_t k = etc_graph_index_first(x, &n->handle); k != ETC_NO_NODE && !same;
		     k = x->next[k])
			same = etc_node_delegate_kind(&x->graph->nodes[k]) == n->kind;
		if (etc_map_get(&listed, etc_map_number(&n->handle)) == ETC_MAP_NONE)
			etc_finder_conflict(
				f,
				"the delegate of instruction %lld has debug handle %lld, which it "
				"has not in the record",
				(long long)d->instruction, (long long)n->handle);
		else if (!same)
			etc_finder_conflict(
				f,
				"debug handle %lld is of the kind %s in the program and not in "
				"the record",
				(long long)n->handle, etc_delegate_kind_name(n->kind));
	}
	return ETC_OK;
}
