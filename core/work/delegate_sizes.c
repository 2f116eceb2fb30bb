/* delegate_sizes.c -- see delegate_sizes.h */
#include "work/delegate_sizes.h"

#include "model/xnode.h"

enum { MOST = 8 /* most dimensions of a shape; the format allows 6 (XNN_MAX_TENSOR_DIMS) */ };

struct shape {
	uint64_t size[MOST];
	uint32_t rank;
};

/* One operator, with the shapes of its inputs. */
struct node {
	const struct etc_delegate_operator *op;
	struct shape in[ETC_DELEGATE_INPUTS], out;
};

static bool shape_of(const struct etc_delegate_value *values, uint32_t count, uint32_t value,
                     struct shape *to)
{
	const struct etc_delegate_value *v = value < count ? &values[value] : NULL;

	if (!v || v->unsized || v->rank > MOST)
		return false;
	to->rank = v->rank;
	for (uint32_t i = 0; i < v->rank; i++)
		to->size[i] = v->sizes[i];
	return true;
}

/* ---- sizes of a node's output, from those of its inputs ------------------------------ */

/* Broadcasts the first `rank - keep` sizes of two shapes, which are aligned at their last
 * dimensions, to the sizes of `out`. */
static bool broadcast(const struct shape *a, const struct shape *b, uint32_t keep,
                      struct shape *out)
{
	const uint32_t rank = a->rank > b->rank ? a->rank : b->rank;

	out->rank = rank;
	for (uint32_t back = keep + 1; back <= rank; back++) {
		const uint64_t x = back <= a->rank ? a->size[a->rank - back] : 1;
		const uint64_t y = back <= b->rank ? b->size[b->rank - back] : 1;

		if (x != y && x != 1 && y != 1)
			return false;
		out->size[rank - back] = x == 1 ? y : x;
	}
	return true;
}

static bool of_linear(struct node *n)
{
	const struct shape *x = &n->in[0], *w = &n->in[1];

	if (n->op->input_count < 2 || x->rank < 1 || w->rank != 2)
		return false;
	n->out = *x;
	n->out.size[x->rank - 1] = w->size[!!n->op->transposed];
	return true;
}

static bool of_product(struct node *n)
{
	const struct shape *a = &n->in[0], *b = &n->in[1];

	if (n->op->input_count != 2 || a->rank < 2 || b->rank < 2 || !broadcast(a, b, 2, &n->out))
		return false;
	n->out.size[n->out.rank - 2] = a->size[a->rank - 2];
	n->out.size[n->out.rank - 1] = b->size[b->rank - (n->op->transposed ? 2 : 1)];
	return true;
}

/* Computes the sizes of the result of a convolution or pooling. `v` has the paddings top, right,
 * bottom and left, then height and width of window, stride and dilation. `more` is the output
 * padding of a transposed convolution. */
static bool of_window(struct node *n, const uint32_t *v, bool transposed, const uint32_t *more)
{
	n->out = n->in[0];
	if (n->in[0].rank != 4)
		return false;
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t pad = (uint64_t)v[i ? 3 : 0] + v[i ? 1 : 2],
			       x = n->in[0].size[1 + i];
		const uint64_t window = (uint64_t)(v[4 + i] - 1) * v[8 + i] + 1;

		if (!v[4 + i] || !v[6 + i] || !v[8 + i] || x == 0)
			return false;
		if (transposed) {
			const uint64_t all = (x - 1) * v[6 + i] + more[i] + window;

			if (all < pad)
				return false;
			n->out.size[1 + i] = all - pad;
			continue;
		}
		if (x + pad < window)
			return false;
		n->out.size[1 + i] = (x + pad - window) / v[6 + i] + 1;
	}
	return true;
}

static bool of_convolution(struct node *n)
{
	const struct etc_delegate_numbers *p = &n->op->numbers[0];
	uint64_t channels;

	if (p->count != 15 ||
	    !of_window(n, p->v, n->op->kind == ETC_XNODE_CONV_TRANSPOSE, p->v + 13))
		return false;
	channels = (uint64_t)p->v[11] * p->v[12];
	n->out.size[3] = channels;
	return true;
}

static bool of_transpose(struct node *n)
{
	const struct etc_delegate_numbers *p = &n->op->numbers[0];

	n->out.rank = n->in[0].rank;
	for (uint32_t i = 0; i < n->out.rank && p->count == n->out.rank; i++) {
		if (p->v[i] >= n->out.rank)
			return false;
		n->out.size[i] = n->in[0].size[p->v[i]];
	}
	return p->count == n->out.rank;
}

static bool elements(const struct shape *s, uint64_t *n)
{
	*n = 1;
	for (uint32_t i = 0; i < s->rank; i++)
		if (__builtin_mul_overflow(*n, s->size[i], n))
			return false;
	return true;
}

/* Computes the sizes of a reshape. A new size of 0 is computed from the other sizes and the number
 * of elements. */
static bool of_reshape(struct node *n)
{
	const struct etc_delegate_numbers *p = &n->op->numbers[0];
	uint32_t open = UINT32_MAX;
	uint64_t all, fixed = 1;

	if (p->count > MOST || !elements(&n->in[0], &all))
		return false;
	n->out.rank = p->count;
	for (uint32_t i = 0; i < p->count; i++) {
		if (!p->v[i] && open != UINT32_MAX)
			return false;
		open = p->v[i] ? open : i;
		n->out.size[i] = p->v[i];
		if (p->v[i] && __builtin_mul_overflow(fixed, p->v[i], &fixed))
			return false;
	}
	if (open != UINT32_MAX && all % fixed == 0)
		n->out.size[open] = all / fixed;
	return open == UINT32_MAX ? all == fixed : all % fixed == 0;
}

static bool of_pad(struct node *n)
{
	const struct etc_delegate_numbers *p = n->op->numbers;

	n->out = n->in[0];
	for (uint32_t i = 0; i < n->out.rank && p[0].count == n->out.rank; i++)
		n->out.size[i] += (uint64_t)p[0].v[i] + p[1].v[i];
	return p[0].count == n->out.rank && p[1].count == n->out.rank;
}

/* Computes the sizes of a slice's result: those in the graph (numbers[1]). The size of a dynamic
 * dimension is the one that it had at the time of the export. */
static bool of_slice(struct node *n)
{
	const struct etc_delegate_numbers *p = n->op->numbers;

	n->out = n->in[0];
	for (uint32_t i = 0; i < n->out.rank && p[0].count == n->out.rank; i++) {
		if (!p[1].v[i] || (uint64_t)p[0].v[i] + p[1].v[i] > n->in[0].size[i])
			return false;
		n->out.size[i] = p[1].v[i];
	}
	return p[0].count == n->out.rank;
}

static bool of_cat(struct node *n)
{
	const uint32_t axis = n->op->numbers[0].count ? n->op->numbers[0].v[0] : MOST;

	n->out = n->in[0];
	if (axis >= n->out.rank)
		return false;
	for (uint32_t k = 1; k < n->op->input_count; k++) {
		for (uint32_t i = 0; i < n->out.rank; i++)
			if (n->in[k].rank != n->out.rank ||
			    (i != axis && n->in[k].size[i] != n->out.size[i]))
				return false;
		n->out.size[axis] += n->in[k].size[axis];
	}
	return true;
}

/* Computes the sizes of an image whose height and width change to sizes[0] and sizes[1]; if `sizes`
 * is NULL, to 1 and 1, as in a mean over the image. */
static bool of_image(struct node *n, const uint32_t *sizes)
{
	static const uint32_t one[] = { 1, 1 };

	n->out = n->in[0];
	for (unsigned i = 0; i < 2; i++)
		n->out.size[1 + i] = sizes ? sizes[i] : one[i];
	return n->out.rank == 4;
}

/* Computes the shape of a node's result. False: there is no rule for the node. */
static bool find_out(struct node *n)
{
	const struct etc_delegate_operator *op = n->op;

	switch (op->kind) {
	case ETC_XNODE_ADD:
	case ETC_XNODE_DIVIDE:
	case ETC_XNODE_MINIMUM:
	case ETC_XNODE_MULTIPLY:
	case ETC_XNODE_SUBTRACT:
	case ETC_XNODE_MAXIMUM:
	case ETC_XNODE_PRELU:
		return op->input_count == 2 && broadcast(&n->in[0], &n->in[1], 0, &n->out);
	case ETC_XNODE_FULLY_CONNECTED:
		return of_linear(n);
	case ETC_XNODE_BMM:
		return of_product(n);
	case ETC_XNODE_CONV2D:
	case ETC_XNODE_DEPTHWISE:
	case ETC_XNODE_CONV_TRANSPOSE:
		return of_convolution(n);
	case ETC_XNODE_AVG_POOL:
	case ETC_XNODE_MAX_POOL:
		return op->numbers[0].count == 10 && of_window(n, op->numbers[0].v, false, NULL);
	case ETC_XNODE_TRANSPOSE:
		return of_transpose(n);
	case ETC_XNODE_RESHAPE:
		return of_reshape(n);
	case ETC_XNODE_PAD:
		return of_pad(n);
	case ETC_XNODE_SLICE:
		return of_slice(n);
	case ETC_XNODE_RESIZE:
		return op->numbers[0].count == 2 && of_image(n, op->numbers[0].v);
	case ETC_XNODE_MEAN:
		return of_image(n, NULL);
	case ETC_XNODE_ATTENTION:
		n->out = n->in[0];
		if (op->input_count < 3 || !n->out.rank || !n->in[2].rank)
			return false;
		n->out.size[n->out.rank - 1] = n->in[2].size[n->in[2].rank - 1];
		return true;
	case ETC_XNODE_ARGMAX_POOL:
		return false;
	default:
		if ((op->kind >= ETC_XNODE_CAT2 && op->kind <= ETC_XNODE_CAT4) ||
		    op->kind == ETC_XNODE_CAT5)
			return of_cat(n);
		n->out = n->in[0]; /* an elementwise function */
		return op->input_count == 1;
	}
}

/* ---- graphs ----------------------------------------------------------------------- */

static bool is_same(const struct shape *a, const struct shape *b)
{
	bool same = a->rank == b->rank;

	for (uint32_t i = 0; i < a->rank && same; i++)
		same = a->size[i] == b->size[i];
	return same;
}

/* Computes the shape of an operator's result from the shapes of its inputs, which are in
 * `values`. */
static bool infer(const struct etc_delegate_operator *op, const struct etc_delegate_value *values,
                  uint32_t count, struct shape *out)
{
	struct node n = { .op = op };
	bool known = op->input_count > 0;

	for (uint32_t i = 0; i < op->input_count && known; i++)
		known = shape_of(values, count, op->inputs[i], &n.in[i]);
	known = known && find_out(&n);
	*out = n.out;
	for (uint32_t i = 0; i < out->rank && known; i++)
		known = out->size[i] <= UINT32_MAX;
	return known;
}

/* Sets the sizes of a value. False: out of memory. */
static bool set_sizes(struct etc_delegate_value *v, const struct shape *s, struct etc_arena *arena)
{
	uint32_t *sizes = etc_new(arena, uint32_t, s->rank);

	for (uint32_t i = 0; i < s->rank && sizes; i++)
		sizes[i] = (uint32_t)s->size[i];
	v->sizes = sizes;
	v->rank = s->rank;
	v->unsized = false;
	return sizes != NULL;
}

/* Sets the sizes of the graph's values from the arguments of the call. Constants keep their sizes;
 * values that are neither constants nor arguments become unsized. False: out of memory. */
static bool set_arguments(struct etc_delegate_value *values, uint32_t value_count,
                          const struct etc_call_argument *args, uint32_t count,
                          struct etc_arena *arena)
{
	for (uint32_t i = 0; i < value_count; i++) {
		struct etc_delegate_value *v = &values[i];
		const struct etc_call_argument *a = v->argument < count ? &args[v->argument] : NULL;
		struct shape s = { { 1 }, v->rank };
		bool same;

		v->unsized = !v->constant;
		if (v->constant || !a || !a->known || a->rank > MOST)
			continue;
		/* The exporter writes a tensor without dimensions as one with a single dimension of
		 * size 1, so these two shapes are accepted as equal. */
		same = a->rank == v->rank || (a->rank == 0 && v->rank == 1);
		if (!same)
			continue;
		for (uint32_t k = 0; k < a->rank; k++)
			s.size[k] = a->size[k];
		if (!set_sizes(v, &s, arena))
			return false;
	}
	return true;
}

enum etc_status etc_delegate_sizes(const struct etc_delegate_graph *g,
                                   const struct etc_call_argument *args, uint32_t count,
                                   struct etc_arena *arena, struct etc_delegate_graph *out,
                                   struct etc_error *err)
{
	struct etc_delegate_value *values =
		etc_new(arena, struct etc_delegate_value, g->value_count);
	bool contradicts = false;

	ETC_NEED(values, err);
	if (g->value_count)
		memcpy(values, g->values, g->value_count * sizeof *values);
	ETC_NEED(set_arguments(values, g->value_count, args, count, arena), err);
	for (uint32_t i = 0; i < g->count; i++) {
		const struct etc_delegate_operator *op = &g->operators[i];
		struct shape of_export, wrote, of_run, known;
		struct etc_delegate_value *v =
			op->output < g->value_count ? &values[op->output] : NULL;

		if (!v || v->constant || !infer(op, g->values, g->value_count, &of_export) ||
		    !shape_of(g->values, g->value_count, op->output, &wrote) ||
		    !is_same(&of_export, &wrote) || !infer(op, values, g->value_count, &of_run))
			continue;
		contradicts |= shape_of(values, g->value_count, op->output, &known) &&
		               !is_same(&known, &of_run);
		ETC_NEED(set_sizes(v, &of_run, arena), err);
	}
	for (uint32_t i = 0; i < g->value_count && contradicts; i++)
		values[i].unsized = true;
	*out = *g;
	out->values = values;
	return ETC_OK;
}
