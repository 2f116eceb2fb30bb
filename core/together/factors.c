/* factors.c -- compares the numbers among the arguments of a delegate's nodes with those of a
 * record's nodes. */
#include "together/finder.h"

#include "model/xnode.h"

/* Sets `to` to the two numbers of an argument. If the argument has only one number, both are equal
 * to it. False: the argument is not among `args`, or has no number or more than two. */
static bool get_pair(const struct etc_graph_arguments *args, struct etc_str name, int64_t *to)
{
	for (uint32_t i = 0; i < args->count; i++) {
		const struct etc_graph_argument *a = &args->v[i];

		if (!etc_str_eq(a->name, name) || a->count == 0 || a->count > 2)
			continue;
		for (uint32_t k = 0; k < 2; k++)
			to[k] = a->numbers[a->count == 2 ? k : 0].integer;
		return true;
	}
	return false;
}

/* Do the pooling of the record and that of the delegate have the same window, stride, padding and
 * dilation? */
static bool is_pooling(const struct etc_graph_arguments *args,
                       const struct etc_delegate_operator *o)
{
	enum { TOP, RIGHT, BOTTOM, LEFT, STRIDE = 6, DILATION = 8, NUMBERS = 10 };
	int64_t window[2] = { 0 }, stride[2], padding[2] = { 0 }, dilation[2] = { 1, 1 };
	const uint32_t *n = o->numbers[0].v;
	bool same =
		o->numbers[0].count == NUMBERS && get_pair(args, ETC_STR("kernel_size"), window);

	memcpy(stride, window, sizeof stride);
	(void)get_pair(args, ETC_STR("stride"), stride);
	(void)get_pair(args, ETC_STR("padding"), padding);
	(void)get_pair(args, ETC_STR("dilation"), dilation);
	for (unsigned i = 0; i < 2 && same; i++)
		same = o->window[i] == window[i] && n[STRIDE + i] == stride[i] &&
		       (n[DILATION + i] == dilation[i] || n[DILATION + i] == 0);
	return same && n[TOP] == padding[0] && n[BOTTOM] == padding[0] && n[LEFT] == padding[1] &&
	       n[RIGHT] == padding[1];
}

static bool is_permutation(const struct etc_graph_arguments *args,
                           const struct etc_delegate_operator *o)
{
	const struct etc_delegate_numbers *n = &o->numbers[0];

	for (uint32_t i = 0; i < args->count; i++) {
		const struct etc_graph_argument *a = &args->v[i];
		bool same = etc_str_eq(a->name, ETC_STR("dims")) && a->count == n->count;

		for (uint32_t k = 0; k < n->count && same; k++) {
			const int64_t dim = a->numbers[k].integer;

			same = n->v[k] == (dim < 0 ? dim + n->count : dim);
		}
		if (same)
			return true;
	}
	return false;
}

/* Sets `*same` to true if one of the record's nodes has all numbers of the delegate's node, or if
 * the delegate's node has no numbers to compare. */
static enum etc_status compare_numbers(struct etc_finder *f, struct etc_graph_index *x,
                                       const struct etc_delegate_node *n,
                                       const struct etc_delegate_operator *o, bool *same,
                                       struct etc_error *err)
{
	static const uint8_t others[] = { ETC_XNODE_PAD,  ETC_XNODE_RESIZE, ETC_XNODE_ARGMAX_POOL,
		                          ETC_XNODE_CAT2, ETC_XNODE_CAT3,   ETC_XNODE_CAT4,
		                          ETC_XNODE_CAT5, ETC_XNODE_SLICE,  ETC_XNODE_ATTENTION };
	const bool pool = o->kind == ETC_XNODE_MAX_POOL || o->kind == ETC_XNODE_AVG_POOL;

	*same = !n->handle || (!pool && o->kind != ETC_XNODE_TRANSPOSE);
	for (size_t i = 0; i < sizeof others && n->handle; i++)
		*same = *same && others[i] != o->kind;
	for (uint32_t k = etc_graph_index_first(x, &n->handle);
	     k != ETC_NO_NODE && !*same && x->flow.whole; k = x->next[k]) {
		struct etc_graph_arguments args;
		bool read;

		ETC_TRY(etc_finder_arguments(f, &x->flow.calls[k], &args, &read, err));
		*same = read && (pool ? is_pooling(&args, o)
		                      : o->kind == ETC_XNODE_TRANSPOSE && is_permutation(&args, o));
	}
	return ETC_OK;
}

enum relation { NO_NODE, OTHER, UNKNOWN, SAME };

/* Compares the slope of a leaky ReLU, or alpha of an ELU, with that of the record's node. */
static enum etc_status compare_factor(struct etc_finder *f, const struct etc_graph_call *call,
                                      const struct etc_delegate_operator *o,
                                      enum relation *relation, struct etc_error *err)
{
	const bool leaky = o->kind == ETC_XNODE_LEAKY_RELU;
	const struct etc_str name = leaky ? ETC_STR("negative_slope") : ETC_STR("alpha");
	struct etc_graph_arguments args;
	double factor = leaky ? 0.01 : 1;
	bool read;

	ETC_TRY(etc_finder_arguments(f, call, &args, &read, err));
	for (uint32_t i = 0; read && i < args.count; i++)
		if (args.v[i].kind == ETC_GRAPH_ARGUMENT_NUMBER && args.v[i].numbers->known &&
		    etc_str_eq(args.v[i].name, name))
			factor = args.v[i].numbers->whole ? (double)args.v[i].numbers->integer
			                                  : args.v[i].numbers->real;
	*relation = !read || !args.whole ? UNKNOWN : (float)factor == o->factor ? SAME : OTHER;
	return ETC_OK;
}

/* Compares the factor of the delegate's node with the factors of all nodes of the record that
 * may be the same node. One equal factor suffices. */
static enum etc_status compare_factors(struct etc_finder *f, const struct etc_graph_index *x,
                                       const struct etc_delegate_node *n,
                                       const struct etc_delegate_operator *o,
                                       enum relation *relation, struct etc_error *err)
{
	*relation = NO_NODE;
	if (!n->handle || (n->kind != ETC_DELEGATE_LEAKY_RELU && n->kind != ETC_DELEGATE_ELU))
		return ETC_OK;
	for (uint32_t k = etc_graph_index_first(x, &n->handle);
	     k != ETC_NO_NODE && *relation != SAME && x->flow.whole; k = x->next[k]) {
		enum relation one;

		if (etc_node_delegate_kind(&x->graph->nodes[k]) != n->kind)
			continue;
		ETC_TRY(compare_factor(f, &x->flow.calls[k], o, &one, err));
		if (one > *relation)
			*relation = one;
	}
	return ETC_OK;
}

enum etc_status etc_conflicts_in_factors(struct etc_finder *f,
                                         const struct etc_compared_delegate *d,
                                         struct etc_error *err)
{
	const struct etc_delegate_graph *blob = d->blob;
	struct etc_graph_index *x = d->x;
	ETC_TRY(etc_finder_flow(f, x, err));
	for (uint32_t i = 0; i < blob->count; i++) {
		const struct etc_delegate_node *n = &blob->nodes[i];
		enum relation relation;
		bool same;

		ETC_TRY(compare_numbers(f, x, n, &blob->operators[i], &same, err));
		ETC_TRY(compare_factors(f, x, n, &blob->operators[i], &relation, err));
		f->out->uncompared += !same || relation == UNKNOWN;
		if (relation != OTHER)
			continue;
		etc_finder_conflict(
			f, "debug handle %lld has another %s in the program than in the record",
			(long long)n->handle, n->kind == ETC_DELEGATE_ELU ? "alpha" : "slope");
		return ETC_OK;
	}
	return ETC_OK;
}
