/* arguments.c -- see arguments.h */
#include "together/arguments.h"

#include <math.h>
#include <stdio.h>

#include "formats/etrecord/graph_arguments.h"

/* ---- names ------------------------------------------------------------------------------ */

/* May the argument differ without a contradiction? True if lowering may write it in another way, or
 * if it repeats a tensor's shape or type. */
static bool is_variable(struct etc_str name)
{
	static const char *const names[] = { "size",       "sizes",         "shape",  "implicit",
		                             "dtype",      "memory_format", "layout", "device",
		                             "pin_memory", "non_blocking",  NULL };

	return etc_str_is_one_of(name, names);
}

static bool is_dimension(struct etc_str name)
{
	static const char *const names[] = { "dim", "dims", "dim0", "dim1", NULL };

	return etc_str_is_one_of(name, names);
}

/* Is the argument an index in a dimension? A negative index counts from the end. */
static bool is_position(struct etc_str name)
{
	static const char *const names[] = { "start", "end", "index", NULL };

	return etc_str_is_one_of(name, names);
}

/* Is `name` that of a limit of a range? For such an argument, None (no limit) and a number always
 * differ. */
static bool is_limit(struct etc_str name)
{
	static const char *const names[] = { "min", "max", NULL };

	return etc_str_is_one_of(name, names);
}

/* Are the arguments of this node compared with those of this kernel? They are if both have the same
 * operator, and if it is of a library whose operators lowering does not change. Convolutions are
 * compared in kernels.c. */
static bool is_compared(struct etc_str op, struct etc_str kernel)
{
	static const char *const libraries[] = { "aten", "quantized_decomposed", NULL };
	size_t dot = etc_str_find(op, ETC_STR("."), 0);
	size_t colons = etc_str_find(kernel, ETC_STR("::"), 0), end;
	struct etc_str name;

	if (dot == SIZE_MAX || colons == SIZE_MAX ||
	    !etc_str_is_one_of(etc_str_sub(op, 0, dot), libraries))
		return false;
	op = etc_str_sub(op, dot + 1, op.len);
	end = etc_str_find(op, ETC_STR("."), 0);
	name = etc_str_sub(op, 0, end == SIZE_MAX ? op.len : end);
	kernel = etc_str_sub(kernel, colons + 2, kernel.len);
	end = etc_str_find(kernel, ETC_STR("."), 0);
	return etc_str_eq(name, etc_str_sub(kernel, 0, end == SIZE_MAX ? kernel.len : end)) &&
	       !etc_str_eq(name, ETC_STR("convolution"));
}

/* ---- values ----------------------------------------------------------------------------- */

static bool is_number(const struct etc_evalue *v)
{
	return v->kind == ETC_EVALUE_INT || v->kind == ETC_EVALUE_BOOL ||
	       v->kind == ETC_EVALUE_DOUBLE;
}

static bool is_list(const struct etc_evalue *v)
{
	return v->kind == ETC_EVALUE_INT_LIST || v->kind == ETC_EVALUE_BOOL_LIST ||
	       v->kind == ETC_EVALUE_DOUBLE_LIST;
}

static struct etc_graph_number number_of(const struct etc_evalue *v)
{
	if (v->kind == ETC_EVALUE_DOUBLE)
		return (struct etc_graph_number){ .known = true, .real = v->number };
	return (struct etc_graph_number){ .known = is_number(v),
		                          .whole = true,
		                          .integer = is_number(v) ? v->integer : 0 };
}

/* Returns item `i` of a list of numbers; unknown if the list is of another kind. */
static struct etc_graph_number item_of(const struct etc_program_method *m,
                                       const struct etc_evalue *list, uint32_t i)
{
	if (list->kind == ETC_EVALUE_DOUBLE_LIST)
		return (struct etc_graph_number){ .known = true,
			                          .real = etc_f64_at(list->items, i) };
	if (list->kind == ETC_EVALUE_INT_LIST)
		return number_of(etc_value_at(m, etc_i64_at(list->items, i)));
	return (struct etc_graph_number){ 0 };
}

static bool is_extreme(int64_t n)
{
	return n == INT64_MAX || n == INT64_MIN;
}

/* Do two integers of the argument `name` contradict each other? Dimension -1 of a tensor with
 * `rank` dimensions equals dimension rank - 1. */
static bool differ_integers(int64_t a, int64_t b, struct etc_str name, uint32_t rank)
{
	if (a == b || is_extreme(a) || is_extreme(b))
		return false;
	if ((a < 0) == (b < 0))
		return true;
	if (is_dimension(name)) {
		const int64_t below = a < 0 ? a : b, above = a < 0 ? b : a;

		return rank != UINT32_MAX && below + rank != above;
	}
	return !is_position(name);
}

static bool differ_reals(double a, double b)
{
	return a != b && (float)a != (float)b && !(isnan(a) && isnan(b));
}

static double real_of(const struct etc_graph_number *n)
{
	return n->whole ? (double)n->integer : n->real;
}

static bool differ_numbers(const struct etc_graph_number *a, const struct etc_graph_number *b,
                           struct etc_str name, uint32_t rank)
{
	if (!a->known || !b->known)
		return false;
	return a->whole && b->whole ? differ_integers(a->integer, b->integer, name, rank)
	                            : differ_reals(real_of(a), real_of(b));
}

/* Can the value `v` of the program be the argument `a`, by the kind of the value? `sole`: no other
 * value can be this argument. Null is then accepted, too, and an integer instead of a bool. */
static bool fits(const struct etc_graph_argument *a, const struct etc_evalue *v, bool sole)
{
	const bool null = sole && v->kind == ETC_EVALUE_NULL;

	switch (a->kind) {
	case ETC_GRAPH_ARGUMENT_TENSOR:
		return v->kind == ETC_EVALUE_TENSOR;
	case ETC_GRAPH_ARGUMENT_TENSORS:
		return v->kind == ETC_EVALUE_TENSOR_LIST ||
		       v->kind == ETC_EVALUE_OPTIONAL_TENSOR_LIST;
	case ETC_GRAPH_ARGUMENT_NUMBER:
		return null || (sole && is_list(v)) ||
		       (is_number(v) &&
		        (sole || a->numbers->boolean == (v->kind == ETC_EVALUE_BOOL)));
	case ETC_GRAPH_ARGUMENT_NUMBERS:
		return null || v->kind == ETC_EVALUE_INT_LIST || v->kind == ETC_EVALUE_DOUBLE_LIST;
	case ETC_GRAPH_ARGUMENT_TEXT:
		return null || v->kind == ETC_EVALUE_STRING;
	default:
		return true;
	}
}

static bool differ_lists(const struct etc_kernel_call *c, const struct etc_graph_argument *a,
                         const struct etc_evalue *v, uint32_t rank)
{
	if (v->kind != ETC_EVALUE_INT_LIST && v->kind != ETC_EVALUE_DOUBLE_LIST)
		return false;
	if (a->count != v->items.count)
		return is_dimension(a->name) && a->count && v->items.count;
	for (uint32_t i = 0; i < a->count; i++) {
		struct etc_graph_number n = item_of(c->method, v, i);

		if (differ_numbers(&a->numbers[i], &n, a->name, rank))
			return true;
	}
	return false;
}

/* Does some item of the list `v` differ from the number `a`? ATen turns a number into such a list:
 * the dilation 1 becomes [1, 1]. */
static bool differ_items(const struct etc_kernel_call *c, const struct etc_graph_argument *a,
                         const struct etc_evalue *v, uint32_t rank)
{
	bool other = false;

	for (uint32_t i = 0; is_list(v) && i < v->items.count && !other; i++) {
		struct etc_graph_number n = item_of(c->method, v, i);

		other = differ_numbers(a->numbers, &n, a->name, rank);
	}
	return other;
}

static bool differ_texts(struct etc_str a, const struct etc_evalue *v)
{
	return v->kind == ETC_EVALUE_STRING && !etc_str_eq(a, v->text) &&
	       etc_str_find(a, ETC_STR("\\"), 0) == SIZE_MAX;
}

static bool differ(const struct etc_kernel_call *c, const struct etc_graph_argument *a,
                   const struct etc_evalue *v, uint32_t rank)
{
	struct etc_graph_number n;

	if (is_variable(a->name))
		return false;
	switch (a->kind) {
	case ETC_GRAPH_ARGUMENT_NONE:
		return is_limit(a->name) && is_number(v);
	case ETC_GRAPH_ARGUMENT_NUMBER:
		n = number_of(v);
		return (is_limit(a->name) && v->kind == ETC_EVALUE_NULL) ||
		       differ_numbers(a->numbers, &n, a->name, rank) || differ_items(c, a, v, rank);
	case ETC_GRAPH_ARGUMENT_NUMBERS:
		return differ_lists(c, a, v, rank);
	case ETC_GRAPH_ARGUMENT_TEXT:
		return differ_texts(a->text, v);
	default:
		return false;
	}
}

/* ---- calls with significant arguments --------------------------------------------------- */

/* Is the value a number or text that is not 0, false or empty? */
static bool matters(const struct etc_program_method *m, const struct etc_evalue *v)
{
	struct etc_graph_number n = number_of(v);
	bool any = n.known ? real_of(&n) != 0 : v->kind == ETC_EVALUE_STRING;

	for (uint32_t i = 0; is_list(v) && i < v->items.count && !any; i++) {
		n = item_of(m, v, i);
		any = !n.known || real_of(&n) != 0;
	}
	return any;
}

bool etc_arguments_matter(const struct etc_program_method *m, struct etc_numbers args,
                          struct etc_str kernel)
{
	/* `shapes`: the kernel only makes a view or a copy, or only computes sizes */
	bool any = false, shapes = etc_str_starts(kernel, ETC_STR("executorch_prim::")) ||
	                           etc_str_starts(kernel, ETC_STR("dim_order_ops::"));

	for (uint32_t i = 0; i < args.count && !shapes && !any; i++)
		any = matters(m, etc_value_at(m, etc_i32_at(args, i)));
	return any;
}

/* ---- defaults --------------------------------------------------------------------------- */

/* A default of an operator's schema. A record leaves an argument out if it equals the default; a
 * program has all arguments. */
struct fallback {
	const char *op, *name;
	uint32_t place;
	struct etc_graph_number number;
	const char *text;
};

#define INTEGER(n)                                           \
	{                                                    \
		.known = true, .whole = true, .integer = (n) \
	}
#define REAL(n)                            \
	{                                  \
		.known = true, .real = (n) \
	}

static const struct fallback fallbacks[] = {
	{ "aten.gelu.default", "approximate", 1, { 0 }, "none" },
	{ "aten.leaky_relu.default", "negative_slope", 1, REAL(0.01), NULL },
	{ "aten.hardtanh.default", "min_val", 1, INTEGER(-1), NULL },
	{ "aten.hardtanh.default", "max_val", 2, INTEGER(1), NULL },
	{ "aten.elu.default", "alpha", 1, INTEGER(1), NULL },
	{ "aten.elu.default", "scale", 2, INTEGER(1), NULL },
	{ "aten.elu.default", "input_scale", 3, INTEGER(1), NULL },
	{ "aten.add.Tensor", "alpha", 2, INTEGER(1), NULL },
	{ "aten.add.Scalar", "alpha", 2, INTEGER(1), NULL },
	{ "aten.sub.Tensor", "alpha", 2, INTEGER(1), NULL },
	{ "aten.sub.Scalar", "alpha", 2, INTEGER(1), NULL },
	{ "aten.rsub.Scalar", "alpha", 2, INTEGER(1), NULL },
	{ "aten.addmm.default", "beta", 3, INTEGER(1), NULL },
	{ "aten.addmm.default", "alpha", 4, INTEGER(1), NULL },
	{ "aten.arange.start_step", "step", 2, INTEGER(1), NULL },
	{ "aten.diagonal_copy.default", "dim1", 2, INTEGER(0), NULL },
	{ "aten.diagonal_copy.default", "dim2", 3, INTEGER(1), NULL },
	{ "aten.glu.default", "dim", 1, INTEGER(-1), NULL },
	{ "aten.slice_scatter.default", "step", 5, INTEGER(1), NULL },
	{ "aten.var.dim", "unbiased", 2, INTEGER(1), NULL },
	{ "aten.cat.default", "dim", 1, INTEGER(0), NULL },
	{ "aten.stack.default", "dim", 1, INTEGER(0), NULL },
	{ "aten.topk.default", "dim", 2, INTEGER(-1), NULL },
	{ "aten.topk.default", "largest", 3, INTEGER(1), NULL },
	{ "aten.topk.default", "sorted", 4, INTEGER(1), NULL },
	{ "aten.sort.default", "dim", 1, INTEGER(-1), NULL },
	{ "aten.sort.default", "descending", 2, INTEGER(0), NULL },
	{ "aten.avg_pool2d.default", "ceil_mode", 4, INTEGER(0), NULL },
	{ "aten.avg_pool2d.default", "count_include_pad", 5, INTEGER(1), NULL },
	{ "aten.max_pool2d_with_indices.default", "padding", 3, INTEGER(0), NULL },
	{ "aten.max_pool2d_with_indices.default", "dilation", 4, INTEGER(1), NULL },
	{ "aten.max_pool2d_with_indices.default", "ceil_mode", 5, INTEGER(0), NULL },
	{ "aten.constant_pad_nd.default", "value", 2, INTEGER(0), NULL },
	{ "aten.slice_copy.Tensor", "dim", 1, INTEGER(0), NULL },
	{ "aten.slice_copy.Tensor", "start", 2, INTEGER(0), NULL },
	{ "aten.slice_copy.Tensor", "end", 3, INTEGER(INT64_MAX), NULL },
	{ "aten.slice_copy.Tensor", "step", 4, INTEGER(1), NULL },
};

enum { FALLBACKS = sizeof fallbacks / sizeof *fallbacks };

static struct etc_graph_argument default_of(const struct fallback *f)
{
	return (struct etc_graph_argument){ .name = etc_str_of(f->name),
		                            .kind = f->text ? ETC_GRAPH_ARGUMENT_TEXT
		                                            : ETC_GRAPH_ARGUMENT_NUMBER,
		                            .text = f->text ? etc_str_of(f->text) : ETC_STR_NONE,
		                            .numbers = &f->number,
		                            .count = f->text == NULL };
}

/* ---- all arguments of a call ------------------------------------------------------------ */

static const struct etc_evalue *argument(const struct etc_kernel_call *c, uint32_t i)
{
	return etc_value_at(c->method, etc_i32_at(c->args, i));
}

/* Returns the number of an `out` kernel's arguments, without those that are its results; 0: the
 * kernel is not an `out` kernel. An `out` kernel has its results twice: among its arguments, and as
 * its last value, which is a list if there are several results. The results among the arguments may
 * be a list, too. */
static uint32_t count_arguments(const struct etc_kernel_call *c)
{
	const struct etc_evalue *last, *before;
	uint32_t count = c->args.count, results = 1;
	int64_t first;

	if (count < 3)
		return 0;
	last = argument(c, count - 1);
	before = argument(c, count - 2);
	first = etc_i32_at(c->args, count - 1);
	if (last->kind == ETC_EVALUE_TENSOR_LIST && last->items.count) {
		results = last->items.count;
		first = etc_i32_at(last->items, 0);
		if (before->kind == ETC_EVALUE_TENSOR_LIST && before->items.count == results &&
		    etc_i32_at(before->items, 0) == first)
			return count - 2;
	} else if (last->kind != ETC_EVALUE_TENSOR) {
		return 0;
	}
	return count - 1 > results && etc_i32_at(c->args, count - 1 - results) == first
	               ? count - 1 - results
	               : 0;
}

static void describe(const struct etc_graph_argument *a, const struct etc_evalue *v, char *to,
                     size_t room)
{
	int len = (int)(a->name.len < 30 ? a->name.len : 30);

	if (a->kind == ETC_GRAPH_ARGUMENT_NUMBER && is_number(v)) {
		struct etc_graph_number n = number_of(v);

		snprintf(to, room, "%.9g and %.9g as argument \"%.*s\"", real_of(&n),
		         real_of(a->numbers), len, a->name.ptr);
	} else {
		snprintf(to, room, "different values of argument \"%.*s\"", len, a->name.ptr);
	}
}

/* A range of the program's arguments, from `first` to `last`: each of them may be the one that
 * corresponds to a certain argument of the record. */
struct places {
	uint32_t first, last;
};

/* Returns the places among the program's arguments where the record's argument number `i` may be.
 * Arguments are in the order of the schema, but the record leaves out `missing` of them, so in the
 * program this argument may be up to `missing` places later. */
static struct places places_of(struct etc_str op, const struct etc_graph_argument *a, uint32_t i,
                               uint32_t missing)
{
	if (a->positional)
		return (struct places){ i, i };
	for (size_t k = 0; k < FALLBACKS; k++)
		if (etc_str_eq(op, etc_str_of(fallbacks[k].op)) &&
		    etc_str_eq(a->name, etc_str_of(fallbacks[k].name)))
			return (struct places){ fallbacks[k].place, fallbacks[k].place };
	return (struct places){ i, i + missing };
}

enum relation { EQUAL, DIFFERENT, INCOMPARABLE };

/* Is the argument's value in the record? Also true for an argument whose value is not compared. */
static bool is_known(const struct etc_graph_argument *a)
{
	return is_variable(a->name) ||
	       (a->kind != ETC_GRAPH_ARGUMENT_OTHER &&
	        (a->kind != ETC_GRAPH_ARGUMENT_NUMBER || a->numbers->known));
}

/* Compares an argument with those of the program at `places`. If one is equal, its place is marked
 * in `*seen`. If all differ, `*v` is set to a value that differs. */
static enum relation compare_at(const struct etc_kernel_call *c, const struct etc_graph_argument *a,
                                struct places places, uint32_t count, uint32_t rank, uint64_t *seen,
                                const struct etc_evalue **v)
{
	enum relation relation = INCOMPARABLE;

	for (uint32_t i = places.first; i <= places.last && i < count; i++) {
		const struct etc_evalue *at = argument(c, i);

		if (!fits(a, at, places.first == places.last))
			continue;
		if (!differ(c, a, at, rank)) {
			if (i < 64 && is_known(a))
				*seen |= UINT64_C(1) << i;
			return EQUAL;
		}
		if (relation == INCOMPARABLE)
			*v = at;
		relation = DIFFERENT;
	}
	return relation;
}

static bool has_argument(const struct etc_graph_arguments *args, const char *name)
{
	for (uint32_t i = 0; i < args->count; i++)
		if (etc_str_eq(args->v[i].name, etc_str_of(name)))
			return true;
	return false;
}

/* Compares the program's arguments that are missing in the record with the schema's defaults. */
static void compare_defaults(const struct etc_kernel_call *c,
                             const struct etc_graph_arguments *args, uint32_t count, uint32_t rank,
                             uint64_t *seen, char *to, size_t room)
{
	for (size_t k = 0; k < FALLBACKS && !to[0]; k++) {
		const struct fallback *f = &fallbacks[k];
		const struct places at = { f->place, f->place };
		const struct etc_graph_argument a = default_of(f);
		const struct etc_evalue *v;

		if (etc_str_eq(c->node->op, etc_str_of(f->op)) && !has_argument(args, f->name) &&
		    compare_at(c, &a, at, count, rank, seen, &v) == DIFFERENT)
			describe(&a, v, to, room);
	}
}

static bool adds_dimension(struct etc_str op)
{
	return etc_str_starts(op, ETC_STR("aten.unsqueeze")) ||
	       etc_str_starts(op, ETC_STR("aten.stack"));
}

/* Compares all arguments of the call. Returns whether all of its numbers and texts were
 * compared. */
static bool compare_all(const struct etc_kernel_call *c, const struct etc_graph_arguments *args,
                        uint32_t count, char *to, size_t room)
{
	enum { MISSING = 8 };
	const struct etc_graph_tensors in = c->call->inputs;
	uint32_t missing = args->count < count ? count - args->count : 0, rank = UINT32_MAX;
	uint64_t seen = 0;
	bool whole = true;

	if (missing > MISSING)
		return false;
	if (in.count && c->flow->tensors[in.first].known)
		rank = c->flow->tensors[in.first].rank + adds_dimension(c->node->op);
	for (uint32_t i = 0; i < args->count; i++) {
		const struct etc_graph_argument *a = &args->v[i];
		const struct etc_evalue *v;
		enum relation relation;

		/* only the record's node has these arguments, for the type and layout of the
		 * result; an `out` kernel does not take them */
		if (i >= count && is_variable(a->name))
			continue;
		relation = compare_at(c, a, places_of(c->node->op, a, i, missing), count, rank,
		                      &seen, &v);
		if (relation == INCOMPARABLE) {
			to[0] = '\0';
			return false;
		}
		if (relation == DIFFERENT && !to[0])
			describe(a, v, to, room);
	}
	if (missing && !to[0])
		compare_defaults(c, args, count, rank, &seen, to, room);
	for (uint32_t i = 0; i < count && whole; i++)
		whole = (i < 64 && seen >> i & 1) || !matters(c->method, argument(c, i));
	return whole;
}

enum etc_status etc_arguments_compare(const struct etc_kernel_call *c, struct etc_arena *arena,
                                      uint64_t *bytes, char *to, size_t room, bool *whole,
                                      struct etc_error *err)
{
	enum { MOST = 1 << 24 };
	struct etc_graph_arguments args;
	uint32_t count = count_arguments(c);

	to[0] = '\0';
	*whole = c->call->convolution || !etc_arguments_matter(c->method, c->args, c->kernel);
	if (!count || !c->call->json.len || *bytes > MOST || !is_compared(c->node->op, c->kernel))
		return ETC_OK;
	*bytes += c->call->json.len;
	ETC_TRY(etc_graph_arguments_read(c->call->json, arena, &args, err));
	if (args.whole)
		*whole = compare_all(c, &args, count, to, room) || *whole;
	return ETC_OK;
}
