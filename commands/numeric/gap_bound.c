/* gap_bound.c -- computes bounds for the error that rounding of inputs may cause; see
 * gap_bound.h */
#include "commands/numeric/gap_bound.h"

#include <math.h>

#include "base/number.h"

/* The error bounds are estimates, so an error of up to this many times its bound counts as
 * explained. */
#define SAFETY 16.0

enum {
	/* maximum number of elements that are stored, for all values together. If a value would
	 * exceed this limit, only its maxima are stored */
	ELEMENTS_MOST = 1 << 23,
	/* number of outputs of a normalisation's kernel: the value, then the mean and 1/deviation
	 * of each slice of the input that is normalised */
	OUTPUTS_OF_NORM = 3
};

/* The value of one line of the graph, and its error bounds. */
struct value {
	bool known, constant;
	bool fixed; /* computed only from weights and numbers, so the same on both sides */
	/* the elements, and the error bound of each; NULL: only the maxima are known */
	double *v, *e;
	uint64_t count;
	const int64_t *sizes;
	uint32_t rank;
	/* the largest absolute value of an element, and the largest error bound */
	double most, error;
	/* Set only for a weight, to the largest norm of one of its outputs (or inputs); 0:
	 * unknown. The norm of an output is the square root of the sum of the squares of the
	 * weights that the output uses. If a value is multiplied by the weight, independent
	 * errors of the value grow by the factor `norm`. */
	double norm;
};

struct bounds {
	const struct etc_gap_bound *of;
	struct etc_arena arena;
	struct value *values; /* one value per line of the graph */
	uint64_t left;        /* number of elements that may still be stored */
	bool exact;           /* all compared values are equal on both sides */
	bool wild;            /* an input of the line contains a NaN or an infinity */
	/* the line whose operator increases the relative error of its inputs most */
	uint32_t worst;
	double growth; /* the factor by which `worst` increases the relative error */
};

/* Returns the relative rounding error inside a kernel, which is a few ULPs. Kernels compute at
 * least in float32. But a delegate may store intermediate values in the type of its output, which
 * may be coarser. */
static double inside(const struct bounds *b)
{
	return 4 * fmax(b->of->line->epsilon, 0x1p-23);
}

/* ---- operators ------------------------------------------------------------------------- */

static double reciprocal(double x)
{
	return 1 / x;
}

static double rsqrt(double x)
{
	return 1 / sqrt(x);
}

static double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

enum kind {
	/* the operator moves or averages elements. The error of each element is the largest error
	 * of the input, times the operator's gain */
	LARGEST,
	/* a function of one input, element by element. The error of an element is the error of the
	 * input's element, times the operator's gain */
	POINT,
	/* a function of one input, element by element; its error is found by evaluating the
	 * function */
	CURVE,
	POWER,
	ADD,
	MULTIPLY,
	DIVIDE,
	SUM,
	LINEAR, /* sums of products with weights, which are not logged */
	SCALE,  /* multiplies each channel by a weight, and adds a number to it */
	SPREAD, /* a variance or standard deviation */
	NORM,
	NORM_OF_CHANNELS,
	SOFTMAX,
	ITEM,
	UNKNOWN
};

/* If a rule's gain has this value, the slope of the curve is unbounded, and the growth of an error
 * depends on the values. */
#define STEEP ((double)INFINITY)

struct rule {
	const char *name;
	uint8_t kind; /* enum kind */
	double gain;
	double (*curve)(double);
};

/* clang-format off */
static const struct rule rules[] = {
	{ "view_copy", POINT, 1, NULL }, { "view", POINT, 1, NULL }, { "_clone_dim_order", POINT, 1, NULL },
	{ "_to_dim_order_copy", POINT, 1, NULL }, { "clone", POINT, 1, NULL }, { "alias_copy", POINT, 1, NULL },
	{ "_to_copy", POINT, 1, NULL }, { "unsqueeze_copy", POINT, 1, NULL }, { "squeeze_copy", POINT, 1, NULL },
	{ "detach_copy", POINT, 1, NULL }, { "lift_fresh_copy", POINT, 1, NULL },
	{ "relu", POINT, 1, NULL }, { "hardtanh", POINT, 1, NULL }, { "clamp", POINT, 1, NULL }, { "abs", POINT, 1, NULL },
	{ "neg", POINT, 1, NULL }, { "leaky_relu", POINT, 1, NULL }, { "elu", POINT, 2, NULL }, { "gelu", POINT, 1.2, NULL },
	{ "silu", POINT, 1.2, NULL }, { "hardswish", POINT, 1.5, NULL }, { "hardsigmoid", POINT, 1, NULL },
	{ "softplus", POINT, 1, NULL }, { "mish", POINT, 1.2, NULL }, { "atan", POINT, 1, NULL }, { "asinh", POINT, 1, NULL },
	{ "erf", CURVE, 1, erf }, { "tanh", CURVE, 1, tanh }, { "sigmoid", CURVE, 1, sigmoid }, { "sin", CURVE, 1, sin },
	{ "cos", CURVE, 1, cos }, { "tan", CURVE, STEEP, tan }, { "exp", CURVE, STEEP, exp }, { "expm1", CURVE, STEEP, expm1 },
	{ "log", CURVE, STEEP, log }, { "log2", CURVE, STEEP, log2 }, { "log10", CURVE, STEEP, log10 }, { "log1p", CURVE, STEEP, log1p },
	{ "sqrt", CURVE, STEEP, sqrt }, { "rsqrt", CURVE, STEEP, rsqrt }, { "reciprocal", CURVE, STEEP, reciprocal },
	{ "asin", CURVE, STEEP, asin }, { "acos", CURVE, STEEP, acos }, { "atanh", CURVE, STEEP, atanh }, { "acosh", CURVE, STEEP, acosh },
	{ "sinh", CURVE, STEEP, sinh }, { "cosh", CURVE, STEEP, cosh }, { "pow", POWER, STEEP, NULL },
	{ "add", ADD, 1, NULL }, { "sub", ADD, 1, NULL }, { "rsub", ADD, 1, NULL }, { "mul", MULTIPLY, 1, NULL },
	{ "div", DIVIDE, 1, NULL }, { "where", LARGEST, 1, NULL }, { "maximum", LARGEST, 1, NULL }, { "minimum", LARGEST, 1, NULL },
	{ "permute_copy", LARGEST, 1, NULL }, { "transpose_copy", LARGEST, 1, NULL }, { "t_copy", LARGEST, 1, NULL },
	{ "expand_copy", LARGEST, 1, NULL }, { "slice_copy", LARGEST, 1, NULL }, { "select_copy", LARGEST, 1, NULL },
	{ "split_with_sizes_copy", LARGEST, 1, NULL }, { "split_copy", LARGEST, 1, NULL }, { "chunk", LARGEST, 1, NULL },
	{ "unbind_copy", LARGEST, 1, NULL }, { "cat", LARGEST, 1, NULL }, { "stack", LARGEST, 1, NULL }, { "repeat", LARGEST, 1, NULL },
	{ "flip", LARGEST, 1, NULL }, { "roll", LARGEST, 1, NULL }, { "index", LARGEST, 1, NULL }, { "index_select", LARGEST, 1, NULL },
	{ "gather", LARGEST, 1, NULL }, { "scatter", LARGEST, 1, NULL }, { "embedding", LARGEST, 1, NULL },
	{ "constant_pad_nd", LARGEST, 1, NULL }, { "pixel_shuffle", LARGEST, 1, NULL }, { "pixel_unshuffle", LARGEST, 1, NULL },
	{ "masked_fill", LARGEST, 1, NULL }, { "slice_scatter", LARGEST, 1, NULL }, { "select_scatter", LARGEST, 1, NULL },
	{ "index_put", LARGEST, 1, NULL }, { "copy", LARGEST, 1, NULL }, { "reflection_pad2d", LARGEST, 1, NULL },
	{ "upsample_nearest2d", LARGEST, 1, NULL }, { "upsample_bilinear2d", LARGEST, 1, NULL }, { "as_strided_copy", LARGEST, 1, NULL },
	{ "max", LARGEST, 1, NULL }, { "min", LARGEST, 1, NULL }, { "topk", LARGEST, 1, NULL }, { "sort", LARGEST, 1, NULL },
	{ "mean", LARGEST, 1, NULL }, { "amax", LARGEST, 1, NULL }, { "amin", LARGEST, 1, NULL }, { "max_pool2d", LARGEST, 1, NULL },
	{ "max_pool2d_with_indices", LARGEST, 1, NULL }, { "avg_pool2d", LARGEST, 1, NULL }, { "_adaptive_avg_pool2d", LARGEST, 1, NULL },
	{ "avg_pool1d", LARGEST, 1, NULL }, { "_log_softmax", LARGEST, 2, NULL }, { "full", LARGEST, 1, NULL },
	{ "full_like", LARGEST, 0, NULL }, { "scalar_tensor", LARGEST, 1, NULL }, { "arange", LARGEST, 1, NULL },
	{ "zeros", LARGEST, 1, NULL }, { "ones", LARGEST, 1, NULL }, { "logical_not", LARGEST, 1, NULL },
	{ "logical_and", LARGEST, 1, NULL }, { "logical_or", LARGEST, 1, NULL }, { "any", LARGEST, 1, NULL },
	{ "sum", SUM, 1, NULL }, { "cumsum", SUM, 1, NULL }, { "linear", LINEAR, 2, NULL }, { "addmm", LINEAR, 2, NULL },
	{ "mm", LINEAR, 2, NULL }, { "bmm", LINEAR, 2, NULL }, { "baddbmm", LINEAR, 2, NULL }, { "matmul", LINEAR, 2, NULL },
	{ "convolution", LINEAR, 2, NULL }, { "conv2d", LINEAR, 2, NULL }, { "conv1d", LINEAR, 2, NULL },
	{ "_native_batch_norm_legit_no_training", SCALE, 2, NULL }, { "var", SPREAD, 1, NULL }, { "std", SPREAD, 1, NULL },
	{ "native_layer_norm", NORM, 4, NULL }, { "layer_norm", NORM, 4, NULL }, { "native_group_norm", NORM, 4, NULL },
	{ "group_norm", NORM, 4, NULL }, { "_native_batch_norm_legit", NORM_OF_CHANNELS, 4, NULL },
	{ "_softmax", SOFTMAX, 2, NULL }, { "softmax", SOFTMAX, 2, NULL },
};
/* clang-format on */

static struct rule rule_of(const struct etc_graph_line *line)
{
	const struct rule item = { .name = "", .kind = ITEM, .gain = 1 },
			  unknown = { .name = "", .kind = UNKNOWN };
	struct etc_str name;

	if (etc_str_eq(line->target, ETC_STR("_operator.getitem")))
		return item;
	if (!line->node)
		return unknown;
	name = etc_gap_operator_of(line->node);
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		if (etc_str_eq(name, etc_str_of(rules[i].name)))
			return rules[i];
	return unknown;
}

bool etc_gap_bound_same_formula(const struct etc_graph_line *line)
{
	struct etc_str name = line->node ? etc_gap_operator_of(line->node) : ETC_STR_NONE;

	for (uint32_t a = 1; etc_str_eq(name, ETC_STR("gelu")) && a < line->argument_count; a++)
		if (etc_str_find(line->arguments[a].text, ETC_STR("tanh"), 0) != SIZE_MAX)
			return false;
	return rule_of(line).kind != UNKNOWN;
}

/* ---- values ------------------------------------------------------------------------------ */

/* Returns the value of a line on the side `run`, in the same iteration of a loop as the value
 * whose error is examined. If the line has no value in that iteration, returns its value in the
 * first iteration. NULL: the line was not logged. */
static const struct etc_gap_value *find(const struct bounds *b, const struct etc_gap_run *run,
                                        uint32_t line)
{
	const struct etc_gap_value *v = etc_gap_find(run, line, b->of->line->occurrence);

	return v || !b->of->line->occurrence ? v : etc_gap_find(run, line, 0);
}

/* Makes an operand from output `item` of a value. Returns false if it contains no numbers. */
static bool of_value(struct bounds *b, const struct etc_gap_value *v, uint32_t item,
                     struct etc_operand *out)
{
	struct etc_error ignored;

	if (!v || v->why || item >= v->count)
		return false;
	return etc_gap_operand(v, item, &b->arena, out, &ignored) == ETC_OK && !out->why &&
	       out->e.parts == 1;
}

static double larger(double a, double b)
{
	return isnan(a) || isnan(b) ? (double)INFINITY : a > b ? a : b;
}

/* Reads the elements `x` of one side into `v`. If larger values are found, raises v->most to the
 * largest absolute value of an element, and v->error to the largest error. The error of an element
 * is the rounding inside a kernel, plus the difference from the element of `y`, the other side
 * (NULL: there is none). If an element is NaN or infinite on one of the sides, both elements count
 * as 0, and b->wild is set. Clears b->exact if an element differs. With `keep`, also stores each
 * element and its error. */
static void read_elements(struct bounds *b, struct value *v, const struct etc_elements *x,
                          const struct etc_elements *y, bool keep)
{
	struct etc_element_walk wx, wy;
	double bx[ETC_ELEMENT_BLOCK], by[ETC_ELEMENT_BLOCK];
	size_t n;

	etc_element_walk_begin(&wx, x);
	if (y)
		etc_element_walk_begin(&wy, y);
	for (uint64_t at = 0; (n = etc_element_walk_real(&wx, bx, ETC_ELEMENT_BLOCK)) > 0;
	     at += n) {
		if (y && etc_element_walk_real(&wy, by, n) != n)
			y = NULL;
		for (size_t i = 0; i < n; i++) {
			bool wild = !isfinite(bx[i]) || (y && !isfinite(by[i]));
			double size = wild ? 0 : fabs(bx[i]);
			double off = y && !wild ? fabs(bx[i] - by[i]) : 0;

			b->wild |= wild;
			b->exact &= off == 0;
			v->most = larger(v->most, size);
			v->error = larger(v->error, off + inside(b) * size);
			if (keep && at + i < v->count) {
				v->v[at + i] = bx[i];
				v->e[at + i] = off + inside(b) * size;
			}
		}
	}
}

/* Sets the shape of a value, and allocates memory for its elements, unless there are too many.
 * False: out of memory. */
static bool make_room(struct bounds *b, const struct etc_elements *e, struct value *v)
{
	v->known = true;
	v->count = e->count;
	v->sizes = e->sizes;
	v->rank = e->rank;
	if (e->count > b->left)
		return true;
	b->left -= e->count;
	v->v = etc_new(&b->arena, double, e->count);
	v->e = etc_new(&b->arena, double, e->count);
	return v->v && v->e;
}

/* Returns the sum of the squares of all weights whose index in dimension `d` is `i`. */
static double square_sum(const struct value *v, uint32_t d, uint64_t i)
{
	uint64_t inner = 1, step;
	double sum = 0;

	for (uint32_t k = d + 1; k < v->rank; k++)
		inner *= (uint64_t)v->sizes[k];
	step = inner * (uint64_t)v->sizes[d];
	for (uint64_t from = i * inner; from < v->count; from += step)
		for (uint64_t k = from; k < from + inner; k++)
			sum += v->v[k] * v->v[k];
	return sum;
}

/* Sets v->norm of a weight: the square root of the largest sum of squares of the weights of one
 * output. It is 0 if the elements are not stored, or have only one dimension. Outputs are along
 * dimension 0, or, in a transposed weight, along dimension 1. Which of these applies is unknown
 * here, so both are tried, and the larger result is stored. */
static void set_norm(struct value *v)
{
	double most = 0;

	for (uint32_t d = 0; v->v && v->count && v->rank > 1 && d < 2; d++)
		for (int64_t i = 0; i < v->sizes[d]; i++)
			most = larger(most, square_sum(v, d, (uint64_t)i));
	v->norm = sqrt(most);
}

/* Loads a weight or a number of the model's source code, if the record has it. False: out of
 * memory. */
static bool load_weight(struct bounds *b, const struct etc_graph_line *line, struct value *v)
{
	const struct etc_ref_value *dict = b->of->graph->weights;
	const struct etc_ref_value *of =
		dict ? etc_ref_get(dict, line->weight.len ? line->weight : line->name) : NULL;
	struct etc_operand x;
	struct etc_error ignored;
	bool exact = b->exact, wild = b->wild;

	if (!of || of->kind != ETC_REF_TENSOR ||
	    etc_operand_of_reference(of, &b->arena, &x, &ignored) != ETC_OK || x.why ||
	    x.e.parts != 1)
		return true;
	if (!make_room(b, &x.e, v))
		return false;
	read_elements(b, v, &x.e, NULL, v->v != NULL);
	set_norm(v);
	b->exact = exact;
	b->wild = wild;
	return true;
}

/* Loads output `item` of a line, if one of the sides logged it. With `compared`, also loads the
 * difference between the sides, if both logged it. False: out of memory. */
static bool load(struct bounds *b, uint32_t line, uint32_t item, bool compared, struct value *v)
{
	struct etc_operand x, y;
	bool has_x = of_value(b, find(b, b->of->run, line), item, &x);
	bool has_y = of_value(b, find(b, b->of->reference, line), item, &y);
	const struct etc_elements *e = has_y ? &y.e : &x.e;

	if (!has_x && !has_y)
		return true;
	if (!make_room(b, e, v))
		return false;
	read_elements(b, v, e, compared && has_x && has_y && x.e.count == e->count ? &x.e : NULL,
	              v->v != NULL);
	return true;
}

/* ---- the bound of one line --------------------------------------------------------------- */

/* Sets `in` to the first two inputs of line `at`. Returns the number of all inputs of the line,
 * which may be larger than 2. */
static uint32_t takes(const struct bounds *b, uint32_t at, const struct value *in[2])
{
	const struct etc_gap_flow *f = &b->of->graph->flow;
	uint32_t n = 0;

	for (uint32_t k = f->first_input[at]; k < f->first_input[at + 1]; k++, n++)
		if (n < 2)
			in[n] = &b->values[f->inputs[k]];
	return n;
}

/* Returns the index of the element of a broadcast input that is used for element `i` of `out`;
 * UINT64_MAX: there is none. */
static uint64_t broadcast(const struct value *from, const struct value *out, uint64_t i)
{
	uint64_t at = 0, step = 1;

	if (from->count == out->count)
		return i;
	if (from->rank > out->rank || !from->count)
		return UINT64_MAX;
	for (uint32_t d = 0; d < from->rank; d++) {
		uint64_t size = (uint64_t)out->sizes[out->rank - 1 - d];
		uint64_t own = (uint64_t)from->sizes[from->rank - 1 - d];

		if (own != 1 && own != size)
			return UINT64_MAX;
		at += own == 1 ? 0 : i % size * step;
		step *= own;
		i /= size;
	}
	return at;
}

struct part {
	double v, e;
	bool known; /* `v` is the value of one element; false: `v` and `e` are maxima */
};

static struct part part_of(const struct value *from, const struct value *out, uint64_t i)
{
	uint64_t at = from->v && out->v ? broadcast(from, out, i) : UINT64_MAX;

	if (at >= from->count)
		return (struct part){ from->most, from->error, false };
	return (struct part){ from->v[at], from->e[at], true };
}

/* Returns the error of a function whose input p.v has the error p.e. `low`, `mid` and `high` are
 * the values of the function at p.v - p.e, p.v and p.v + p.e. The result is the larger distance of
 * `low` and `high` from `mid`. But if p.v is only a maximum, the result is p.e times the gain of
 * the rule. */
static double bent_error(const struct rule *r, struct part p, double low, double mid, double high)
{
	if (!p.known)
		return p.e == 0 ? 0 : r->gain * p.e;
	return larger(fabs(high - mid), fabs(low - mid));
}

static double curve_error(const struct rule *r, struct part p)
{
	return bent_error(r, p, r->curve(p.v - p.e), r->curve(p.v), r->curve(p.v + p.e));
}

static double power_error(const struct rule *r, double exponent, struct part p)
{
	return bent_error(r, p, pow(p.v - p.e, exponent), pow(p.v, exponent),
	                  pow(p.v + p.e, exponent));
}

/* Returns the error of `y`, the product or quotient of `a` and an operand that was not logged: the
 * error of `a` times y / a. If `a` is only a maximum, or is 0, two maxima are used in place of y
 * and a: the largest value of `out`, and that of `whole` (the input that contains `a`). If one of
 * these maxima is not positive, the result is the error of `a`. */
static double scaled_error(struct part a, double y, const struct value *whole,
                           const struct value *out)
{
	if (a.known && a.v != 0)
		return a.e * fabs(y / a.v);
	return whole->most > 0 && out->most > 0 ? a.e * out->most / whole->most : a.e;
}

/* Returns the part of a product's error that comes from the operand `a`. `by` is the value that
 * contains the other operand; NULL: the other operand is a constant number. */
static double factor_error(struct part a, const struct value *of, struct part other,
                           const struct value *by, double y, const struct value *out)
{
	return by && (by->known || by->most > 0) ? a.e * fabs(other.v)
	                                         : scaled_error(a, y, of, out);
}

static double quotient_error(struct part a, struct part b, const double *y)
{
	if (b.e == 0 && a.e == 0)
		return 0;
	if (!b.known || fabs(b.v) <= b.e || (!y && !a.known))
		return (double)INFINITY;
	return (a.e + fabs(y ? *y : a.v / b.v) * b.e) / (fabs(b.v) - b.e);
}

static bool exponent_of(const struct etc_graph_line *line, double *out)
{
	return line->argument_count > 1 && etc_number_parse(line->arguments[1].text, out);
}

/* Returns the error bound of element `i` of line `at`, computed from the errors of the line's
 * inputs. */
static double error_at(const struct bounds *b, uint32_t at, const struct rule *r,
                       const struct value *const in[2], uint32_t n, uint64_t i)
{
	const struct value *out = &b->values[at];
	double y = out->v ? out->v[i] : out->most, exponent;
	struct part x = part_of(in[0], out, i), z = { 0 };
	bool two = n > 1;

	if (two)
		z = part_of(in[1], out, i);
	switch (r->kind) {
	case POINT:
		return r->gain * x.e;
	case CURVE:
		return curve_error(r, x);
	case POWER:
		return exponent_of(&b->of->graph->lines.v[at], &exponent)
		               ? power_error(r, exponent, x)
		       : b->exact ? 0
		                  : (double)INFINITY;
	case ADD:
		return x.e + z.e;
	case MULTIPLY:
		return factor_error(x, in[0], z, two ? in[1] : NULL, y, out) +
		       (two ? factor_error(z, in[1], x, in[0], y, out) : 0) + x.e * z.e;
	case DIVIDE:
		if (two && in[1]->known)
			return quotient_error(x, z, out->v ? &y : NULL);
		if (two && !in[1]->constant)
			return b->exact ? 0 : (double)INFINITY;
		return scaled_error(x, y, in[0], out);
	default:
		return r->gain * (out->v ? fabs(y) : 1) * in[0]->error; /* SOFTMAX */
	}
}

/* Returns the error that an input adds to a sum: the error of the input, or the rounding of its
 * products, whichever is larger. (Even if the input is exact, its products are rounded.) */
static double summed_error(const struct bounds *b, const struct value *x)
{
	return larger(x->error, inside(b) / 8 * x->most);
}

/* Returns input `k`, from 0, of line `at`; NULL: the line has fewer inputs. */
static struct value *input_of(const struct bounds *b, uint32_t at, uint32_t k)
{
	const struct etc_gap_flow *f = &b->of->graph->flow;
	uint32_t i = f->first_input[at] + k;

	return i < f->first_input[at + 1] ? &b->values[f->inputs[i]] : NULL;
}

/* If no value of the line was logged, the line's largest absolute value, out->most, is only
 * estimated: sets it to `most` if that is larger. */
static void set_size(struct value *out, double most)
{
	if (!out->known)
		out->most = larger(out->most, most);
}

/* Returns the error bound of an operator that sums products of its input and its weights. The
 * errors of the input's elements count as independent of each other. They are multiplied by the
 * norm of the weights (set_norm()) if the record has the weights, otherwise by the ratio of the
 * largest absolute values of output and input. Weights have no error; adding a bias has a rounding
 * error. */
static double linear_error(struct bounds *b, uint32_t at, double gain)
{
	struct value *out = &b->values[at], *x;
	double norm = 0, sum = 0, most = 0;

	for (uint32_t k = 0; (x = input_of(b, at, k)); k++)
		norm = x->fixed ? larger(norm, x->norm) : norm;
	for (uint32_t k = 0; (x = input_of(b, at, k)); k++) {
		double grows = x->most > 0 && out->most > x->most ? out->most / x->most : 1;

		if (x->fixed && x->norm == 0)
			sum += inside(b) * x->most;
		if (!x->fixed)
			sum += summed_error(b, x) * (norm > 0 ? norm : gain * grows);
		most += x->fixed ? x->norm > 0 ? 0 : x->most : norm * x->most;
	}
	if (norm > 0)
		set_size(out, most);
	return sum;
}

/* Returns the number in argument `k` of the line; infinite: the argument is not a number. */
static double number_at(const struct etc_graph_line *line, uint32_t k)
{
	double v;

	return k < line->argument_count && etc_number_parse(line->arguments[k].text, &v)
	               ? v
	               : (double)INFINITY;
}

/* Returns an upper bound of the error of a batch normalisation that uses stored means and
 * variances. */
static double scale_error(struct bounds *b, uint32_t at, double gain)
{
	enum { GAMMA = 1, BETA, MEAN, VARIANCE, EPSILON = 6 };
	const struct value *x = input_of(b, at, 0), *of[VARIANCE + 1];
	struct value *out = &b->values[at];
	double eps = number_at(&b->of->graph->lines.v[at], EPSILON), most = 0;
	double grows = x->most > 0 && out->most > x->most ? out->most / x->most : 1;

	for (uint32_t k = GAMMA; k <= VARIANCE; k++) {
		of[k] = input_of(b, at, k);
		if (!of[k] || !of[k]->fixed || !of[k]->v || of[k]->count != of[GAMMA]->count ||
		    !isfinite(eps))
			return gain * grows * summed_error(b, x);
	}
	for (uint64_t i = 0; i < of[GAMMA]->count; i++)
		most = larger(most, fabs(of[GAMMA]->v[i]) / sqrt(of[VARIANCE]->v[i] + eps));
	set_size(out, most * (x->most + of[MEAN]->most) + of[BETA]->most);
	return most * (summed_error(b, x) + inside(b) * of[MEAN]->most) +
	       inside(b) * of[BETA]->most;
}

/* Adds the error bound of a normalization of `x` (such as layer_norm) to line `at` of the graph.
 * Outputs 1 and 2 of the kernel have, for each group of elements that is normalized together, the
 * mean and the reciprocal of the standard deviation. Kernels that compute the variance from a sum
 * of squares lose digits if the mean is large: the variance may even become negative, so that its
 * root is NaN. False: out of memory. */
static bool norm_error(struct bounds *b, uint32_t at, const struct rule *r, const struct value *x)
{
	struct value more[OUTPUTS_OF_NORM] = { 0 }, *out = &b->values[at];
	double gamma = larger(1, out->most / 4), most = 0;
	bool rows, wild = b->wild, known;

	for (uint32_t k = 1; k < OUTPUTS_OF_NORM; k++)
		if (!load(b, at, k, false, &more[k]))
			return false;
	known = more[1].v && more[2].v && more[1].count == more[2].count &&
	        (b->of->line->line != at || b->of->line->item <= 0);
	b->wild = wild;
	rows = known && out->e && r->kind == NORM && more[1].count &&
	       out->count % more[1].count == 0;
	for (uint64_t i = 0; known && i < more[1].count; i++) {
		double inverse = fabs(more[2].v[i]), cancels = fabs(more[1].v[i]) * inverse;
		double e = r->gain * gamma *
		           (x->error * inverse + inside(b) * (1 + cancels * cancels));
		uint64_t row = rows ? out->count / more[1].count : 0;

		e = isfinite(e) ? e : (double)INFINITY;
		for (uint64_t k = i * row; k < (i + 1) * row; k++)
			out->e[k] += e;
		most = larger(most, e);
	}
	if (!known)
		most = b->exact ? 0 : (double)INFINITY;
	for (uint64_t i = 0; !rows && out->e && i < out->count; i++)
		out->e[i] += most;
	out->error += most;
	return true;
}

/* Returns the error bound of a line for an operator that has one bound for all elements. */
static double whole_error(struct bounds *b, uint32_t at, const struct rule *r,
                          const struct value *in)
{
	const struct etc_gap_flow *f = &b->of->graph->flow;
	const struct value *out = &b->values[at];
	double most = 0;

	for (uint32_t k = f->first_input[at]; k < f->first_input[at + 1]; k++)
		most = larger(most, r->kind == SUM ? summed_error(b, &b->values[f->inputs[k]])
		                                   : b->values[f->inputs[k]].error);
	switch (r->kind) {
	case SUM:
		if (!in->count || !out->count)
			return b->exact ? 0 : (double)INFINITY;
		/* a sum adds up in->count / out->count inputs per element; a running sum adds up to
		 * in->count inputs */
		return most * (double)in->count /
		       (double)(in->count == out->count ? 1 : out->count);
	case LINEAR:
		return linear_error(b, at, r->gain);
	case SCALE:
		return scale_error(b, at, r->gain);
	case SPREAD:
		return in->most > 0            ? 4 * in->most * larger(most, inside(b) * in->most)
		       : in->known || b->exact ? 0
		                               : (double)INFINITY;
	case UNKNOWN:
		return b->exact ? 0 : (double)INFINITY;
	default:
		return r->gain * most;
	}
}

static bool is_by_element(const struct rule *r)
{
	return (r->kind >= POINT && r->kind <= DIVIDE) || r->kind == SOFTMAX;
}

static void note_growth(struct bounds *b, uint32_t at, const struct value *const in[2], uint32_t n)
{
	const struct value *out = &b->values[at];
	double before = 0, after = out->most > 0 ? out->error / out->most : out->error;

	for (uint32_t k = 0; k < n && k < 2; k++)
		before = larger(before, in[k]->most > 0 ? in[k]->error / in[k]->most : 0);
	before = before > inside(b) ? before : inside(b);
	if (after / before >= b->growth) {
		b->growth = after / before;
		b->worst = at;
	}
}

/* Increases the error bound of each element by the error that results from the errors of the
 * inputs. */
static void element_errors(struct bounds *b, uint32_t at, const struct rule *r,
                           const struct value *const in[2], uint32_t n)
{
	struct value *out = &b->values[at];
	double most = 0;

	for (uint64_t i = 0; i < (out->e ? out->count : 1); i++) {
		double e = error_at(b, at, r, in, n, i);

		e = isnan(e) ? (double)INFINITY : e;
		if (out->e)
			e = out->e[i] += e;
		most = larger(most, e);
	}
	out->error = out->e ? most : out->error + most;
}

/* For a line that was not logged and whose operator is of kind LARGEST or POINT: raises out->most,
 * the largest absolute value, to that of the inputs times the operator's gain. */
static void carry_size(struct value *out, const struct rule *r, const struct value *const in[2],
                       uint32_t n)
{
	for (uint32_t k = 0; !out->known && r->kind <= POINT && k < n && k < 2; k++)
		out->most = larger(out->most, r->gain * in[k]->most);
}

/* If the line is a sum of its first input and a number, sets `out` to that number. Otherwise
 * returns false. */
static bool addend_of(const struct etc_graph_line *line, const struct rule *r,
                      const struct value *const in[2], uint32_t n, double *out)
{
	if (!etc_str_eq(etc_str_of(r->name), ETC_STR("add")) || line->argument_count != 2)
		return false;
	if (n == 2 && in[1]->constant && in[1]->v && in[1]->count == 1)
		*out = in[1]->v[0];
	else
		return n == 1 && etc_number_parse(line->arguments[1].text, out);
	return true;
}

/* Computes the elements of a line that was not logged, if it is a function of one input (kind
 * CURVE), or the sum of an input and a number. False: out of memory. */
static bool evaluate(struct bounds *b, uint32_t at, const struct rule *r,
                     const struct value *const in[2], uint32_t n)
{
	struct value *out = &b->values[at];
	const struct etc_elements like = { .count = in[0]->count,
		                           .sizes = in[0]->sizes,
		                           .rank = in[0]->rank };
	double plus = 0;

	if (out->known || !in[0]->v || in[0]->count > b->left ||
	    (r->kind != CURVE && !addend_of(&b->of->graph->lines.v[at], r, in, n, &plus)))
		return true;
	if (!make_room(b, &like, out))
		return false;
	for (uint64_t i = 0; i < out->count; i++) {
		out->v[i] = r->kind == CURVE ? r->curve(in[0]->v[i]) : in[0]->v[i] + plus;
		out->e[i] = larger(0, inside(b) * fabs(out->v[i]));
		out->most = larger(out->most, fabs(out->v[i]));
	}
	return true;
}

/* Computes the error bound of a line from the error bounds of its inputs. If neither side logged
 * the line, also computes its largest absolute value. False: out of memory. */
static bool follow(struct bounds *b, uint32_t at)
{
	const struct rule r = rule_of(&b->of->graph->lines.v[at]);
	const struct value *in[2] = { 0 };
	struct value *out = &b->values[at];
	uint32_t n = takes(b, at, in);

	out->fixed = true;
	for (uint32_t k = 0; k < n; k++)
		out->fixed &= input_of(b, at, k)->fixed;
	if (!n)
		return true;
	out->norm = r.kind <= POINT ? in[0]->norm : 0;
	out->constant = in[0]->constant && (n < 2 || in[1]->constant);
	if (!evaluate(b, at, &r, in, n))
		return false;
	carry_size(out, &r, in, n);
	if (r.kind == ITEM && !out->known)
		*out = *in[0];
	if (r.kind == ITEM)
		return true;
	if (r.kind == NORM || r.kind == NORM_OF_CHANNELS) {
		if (!norm_error(b, at, &r, in[0]))
			return false;
	} else if (is_by_element(&r)) {
		element_errors(b, at, &r, in, n);
	} else {
		double e = whole_error(b, at, &r, in[0]);

		e = isnan(e) ? (double)INFINITY : e;
		for (uint64_t i = 0; out->e && i < out->count; i++)
			out->e[i] += e;
		out->error += e;
	}
	note_growth(b, at, in, n);
	return true;
}

/* Returns the index of the output that a getitem line reads; 0 if the line's arguments do not
 * contain it. */
static uint32_t item_of(const struct etc_graph_line *line)
{
	uint64_t item = 0;

	return line->argument_count > 1 && etc_number_parse_u64(line->arguments[1].text, &item) &&
	                       item < UINT32_MAX
	               ? (uint32_t)item
	               : 0;
}

static bool is_compared(const struct bounds *b, uint32_t i)
{
	return i != b->of->line->line && b->of->known[i] >= 0;
}

/* Is line `i` a getitem of a line whose outputs were compared? If so, sets *call to that line. */
static bool is_compared_item(const struct bounds *b, uint32_t i, uint32_t *call)
{
	const struct etc_gap_flow *f = &b->of->graph->flow;

	if (rule_of(&b->of->graph->lines.v[i]).kind != ITEM ||
	    f->first_input[i] == f->first_input[i + 1])
		return false;
	*call = f->inputs[f->first_input[i]];
	return is_compared(b, *call);
}

/* Loads the values of all marked lines that were logged, or that are weights. False: out of
 * memory. */
static bool load_all(struct bounds *b)
{
	uint32_t at = b->of->line->line, call;

	for (uint32_t i = 0; i <= at; i++) {
		const struct etc_graph_line *line = &b->of->graph->lines.v[i];
		uint32_t item = i == at && b->of->line->item > 0 ? (uint32_t)b->of->line->item : 0;
		bool wild = b->wild, good = true;

		if (!b->of->mark[i])
			continue;
		b->values[i].constant = line->op != ETC_LINE_CALL;
		b->values[i].fixed = line->op != ETC_LINE_CALL && !etc_gap_is_model_input(line);
		if (etc_gap_is_model_input(line))
			b->values[i].most = b->of->fed_most;
		else if (line->op == ETC_LINE_PLACEHOLDER)
			good = load_weight(b, line, &b->values[i]);
		if (is_compared_item(b, i, &call))
			good = load(b, call, item_of(line), true, &b->values[i]);
		else if (line->op == ETC_LINE_CALL)
			good = load(b, i, item, is_compared(b, i), &b->values[i]);
		if (i == at)
			b->wild = wild;
		if (!good)
			return false;
	}
	return true;
}

static bool follow_all(struct bounds *b)
{
	uint32_t call;

	for (uint32_t i = 0; i <= b->of->line->line; i++)
		if (b->of->mark[i] && b->of->graph->lines.v[i].op == ETC_LINE_CALL &&
		    !is_compared(b, i) && !is_compared_item(b, i, &call) && !follow(b, i))
			return false;
	return true;
}

/* ---- the answer -------------------------------------------------------------------------- */

/* Returns the part of the difference between reference `x` and run `y` that exceeds SAFETY times
 * the error bounds, relative to the reference. The elements of both sides must be in the same
 * order. `steps`: small differences of the inputs may decide which elements are NaN or infinite, so
 * such elements count as explained. */
static double unexplained(struct bounds *b, const struct etc_elements *x,
                          const struct etc_elements *y, bool steps)
{
	const struct value *v = &b->values[b->of->line->line];
	struct etc_element_walk wx, wy;
	double bx[ETC_ELEMENT_BLOCK], by[ETC_ELEMENT_BLOCK], sum = 0, whole = 0;
	size_t n;

	etc_element_walk_begin(&wx, x);
	etc_element_walk_begin(&wy, y);
	for (uint64_t at = 0; (n = etc_element_walk_real(&wx, bx, ETC_ELEMENT_BLOCK)) > 0;
	     at += n) {
		if (etc_element_walk_real(&wy, by, n) != n)
			break;
		for (size_t i = 0; i < n; i++) {
			double may = SAFETY * (v->e && at + i < v->count ? v->e[at + i] : v->error);
			double off = fabs(bx[i] - by[i]);

			if ((isnan(bx[i]) && isnan(by[i])) || bx[i] == by[i])
				off = 0;
			if (!isfinite(off) && !steps && !isinf(may))
				return (double)INFINITY;
			if (isfinite(bx[i]))
				whole += bx[i] * bx[i];
			if (isfinite(off) && off > may)
				sum += (off - may) * (off - may);
		}
	}
	return whole > 0 ? sqrt(sum / whole) : sum > 0 ? (double)INFINITY : 0;
}

static bool has_wild(const struct etc_elements *e)
{
	struct etc_element_walk w;
	double block[ETC_ELEMENT_BLOCK];
	size_t n;

	etc_element_walk_begin(&w, e);
	while ((n = etc_element_walk_real(&w, block, ETC_ELEMENT_BLOCK)) > 0)
		for (size_t i = 0; i < n; i++)
			if (!isfinite(block[i]))
				return true;
	return false;
}

static enum etc_status doubt(struct bounds *b, struct etc_arena *arena, struct etc_str *why,
                             struct etc_error *err)
{
	const struct etc_gap_line *l = b->of->line;
	uint32_t item = l->item > 0 ? (uint32_t)l->item : 0;
	struct etc_operand x, y;
	bool steps;

	b->values = etc_new(&b->arena, struct value, b->of->graph->lines.count);
	ETC_NEED(b->values && load_all(b) && follow_all(b), err);
	if (!of_value(b, l->may ? l->other : find(b, b->of->reference, l->line), item, &x) ||
	    !of_value(b, l->may ? l->value : find(b, b->of->run, l->line), item, &y) ||
	    x.e.count != y.e.count)
		return ETC_OK;
	/* If both sides, or an input, contain NaN or infinities, small differences of the inputs
	 * may decide which elements are NaN or infinite. */
	steps = isinf(l->relative) && ((!b->exact && has_wild(&x.e) && has_wild(&y.e)) || b->wild);
	if (unexplained(b, &x.e, &y.e, steps) > b->of->allowed)
		return ETC_OK;
	*why = steps ? ETC_STR("both sides hold NaN or infinities: small differences of its inputs "
	                       "may decide where")
	       : b->exact && isinf(b->of->fed_most) && isinf(b->values[l->line].error)
	               ? ETC_STR("no file tells how large the model's inputs are: rounding may "
	                         "become "
	                         "as much")
	               : etc_arena_printf(
				 arena,
				 "rounding, or the small error of its inputs, may become as "
				 "much in " ETC_STR_FMT,
				 ETC_STR_ARG(b->of->graph->lines.v[b->worst].name));
	return why->ptr ? ETC_OK : etc_no_memory(err);
}

enum etc_status etc_gap_bound_doubt(const struct etc_gap_bound *of, struct etc_arena *arena,
                                    struct etc_str *why, struct etc_error *err)
{
	struct bounds b = { .of = of, .exact = true, .worst = of->line->line };
	uint64_t left = arena->budget / (4 * sizeof(double));
	enum etc_status st;

	*why = ETC_STR_NONE;
	b.left = left < ELEMENTS_MOST ? left : ELEMENTS_MOST;
	etc_arena_init(&b.arena, arena->budget);
	st = doubt(&b, arena, why, err);
	etc_arena_release(&b.arena);
	return st;
}
