/* align.c -- see align.h
 *
 * best(i, j) is the most events that events i… can match with nodes j…; an event
 * may stay without a node only if XNNPACK can have added it. From both ends that
 * tells, for each event and node, whether a best alignment joins them. */
#include "align.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = 4 << 20, IMPOSSIBLE = UINT16_MAX };

/* ---- which operator can be which node ------------------------------------------ */

/* Names of the operators that a kind of node runs as. */
static const struct {
	const char *name;
	uint8_t kind;
} pairs[] = {
	{ "Abs", XNN_ABS },
	{ "Add", XNN_ADD },
	{ "ApproxGELU", XNN_GELU },
	{ "ArgMax Pooling", XNN_ARG_MAX_POOLING2D },
	{ "Average Pooling", XNN_AVG_POOLING2D },
	{ "Average Pooling", XNN_GLOBAL_AVG_POOLING2D },
	{ "Batch Matrix Multiply", XNN_BATCH_MATRIX_MULTIPLY },
	{ "Ceiling", XNN_CEILING },
	{ "Clamp", XNN_CLAMP },
	{ "Constant Pad", XNN_STATIC_CONSTANT_PAD },
	{ "Convolution", XNN_CONV2D },
	{ "Convolution", XNN_DEPTHWISE_CONV2D },
	{ "Copy", XNN_CONCATENATE2 },
	{ "Copy", XNN_CONCATENATE3 },
	{ "Copy", XNN_CONCATENATE4 },
	{ "Copy", XNN_CONCATENATE5 },
	{ "Copy", XNN_CONVERT },
	{ "Copy", XNN_COPY },
	{ "Copy", XNN_STATIC_RESHAPE },
	{ "Copy", XNN_STATIC_SLICE },
	{ "Copy", XNN_STATIC_TRANSPOSE },
	{ "Cosine", XNN_COS },
	{ "Deconvolution", XNN_CONV_TRANSPOSE2D },
	{ "Divide", XNN_DIV },
	{ "Dynamic Fully Connected", XNN_FULLY_CONNECTED },
	{ "ELU", XNN_ELU },
	{ "Exp", XNN_EXP },
	{ "Floor", XNN_FLOOR },
	{ "Fully Connected", XNN_FULLY_CONNECTED },
	{ "Fuse Dims", XNN_STATIC_RESHAPE },
	{ "GELU", XNN_GELU },
	{ "Global Average Pooling", XNN_GLOBAL_AVG_POOLING2D },
	{ "HardSwish", XNN_HARDSWISH },
	{ "Leaky ReLU", XNN_LEAKY_RELU },
	{ "LeakyReLU", XNN_LEAKY_RELU },
	{ "Log", XNN_LOG },
	{ "Max Pooling", XNN_MAX_POOLING2D },
	{ "Maximum", XNN_MAXIMUM },
	{ "Mean", XNN_AVG_POOLING2D },
	{ "Mean", XNN_GLOBAL_AVG_POOLING2D },
	{ "Minimum", XNN_MINIMUM },
	{ "Multiply", XNN_MULTIPLY },
	{ "Negate", XNN_NEGATE },
	{ "PReLU", XNN_PRELU },
	{ "Reciprocal Square Root", XNN_RECIPROCAL_SQUARE_ROOT },
	{ "Resize Bilinear", XNN_STATIC_RESIZE_BILINEAR2D },
	{ "Scaled Dot-Product Attention", XNN_SCALED_DOT_PRODUCT_ATTENTION },
	{ "Sigmoid", XNN_SIGMOID },
	{ "Sine", XNN_SIN },
	{ "Slice", XNN_STATIC_SLICE },
	{ "Softmax", XNN_SOFTMAX },
	{ "Split Dims", XNN_STATIC_RESHAPE },
	{ "Square", XNN_SQUARE },
	{ "Square Root", XNN_SQUARE_ROOT },
	{ "Static Expand Dims", XNN_STATIC_RESHAPE },
	{ "Static Reshape", XNN_STATIC_RESHAPE },
	{ "Static Reshape", XNN_STATIC_TRANSPOSE },
	{ "Subtract", XNN_SUBTRACT },
	{ "Sum", XNN_GLOBAL_AVG_POOLING2D },
	{ "TanH", XNN_TANH },
	{ "Tanh", XNN_TANH },
	{ "Transpose", XNN_STATIC_TRANSPOSE },
};

static bool is(struct etcore_text text, const char *word)
{
	size_t n = strlen(word);

	return text.len == n && memcmp(text.ptr, word, n) == 0;
}

static bool starts(struct etcore_text text, const char *word)
{
	size_t n = strlen(word);

	return text.len >= n && memcmp(text.ptr, word, n) == 0;
}

static bool is_binary(uint8_t kind)
{
	return kind == XNN_ADD || kind == XNN_DIV || kind == XNN_MINIMUM || kind == XNN_MULTIPLY ||
	       kind == XNN_SUBTRACT || kind == XNN_MAXIMUM || kind == XNN_PRELU;
}

static bool is_unary(uint8_t kind)
{
	static const uint8_t kinds[] = {
		XNN_SIGMOID, XNN_CLAMP,     XNN_FLOOR,      XNN_SQUARE_ROOT,
		XNN_CEILING, XNN_HARDSWISH, XNN_LEAKY_RELU, XNN_NEGATE,
		XNN_SQUARE,  XNN_ELU,       XNN_ABS,        XNN_RECIPROCAL_SQUARE_ROOT,
		XNN_LOG,     XNN_GELU,      XNN_TANH,       XNN_EXP,
		XNN_SIN,     XNN_COS,
	};

	return memchr(kinds, kind, sizeof kinds) != NULL;
}

static bool has_types(const struct xnnpack_name *name)
{
	return name->types.len > 0;
}

/* What the name's micro-kernel and types say against a node of the right kind. */
static bool contradicts(const struct xnnpack_name *name, const struct xnnpack_node *node)
{
	bool convolution = is(name->operator_name, "Convolution");

	if (convolution && is(name->kernel, "DWConv"))
		return !node->depthwise;
	if (node->kind == XNN_CONVERT && is(name->operator_name, "Convert"))
		return has_types(name) != node->dynamic;
	return false;
}

bool xnnpack_fits(const struct xnnpack_name *name, const struct xnnpack_node *node)
{
	struct etcore_text op = name->operator_name;
	bool fits = false;

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs && !fits; i++)
		fits = pairs[i].kind == node->kind && is(op, pairs[i].name);
	if (is(op, "Convert"))
		fits = node->kind == XNN_CONVERT;
	if (is(op, "Fully Connected") && node->kind == XNN_CONV2D)
		fits = node->pointwise;
	/* One table look-up may stand for several quantized operators: of which kind
	 * they were is not in the name. */
	if (is(op, "Invalid Unary Op") || is(op, "Unary Elementwise"))
		fits = is_unary(node->kind) || is_binary(node->kind);
	if (is(op, "Invalid Binary Op") || is(op, "Binary Elementwise"))
		fits = is_binary(node->kind);
	return fits && !contradicts(name, node);
}

/* XNNPACK converts between types, packs and copies where the program says nothing. */
static bool may_be_added(const struct xnnpack_name *name)
{
	struct etcore_text op = name->operator_name;

	return is(op, "Convert") || is(op, "Copy") || starts(op, "Pack LH");
}

/* ---- the alignment ------------------------------------------------------------ */

struct table {
	uint16_t *cell; /* (events + 1) x (nodes + 1) */
	uint32_t width;
};

static uint16_t *at(const struct table *t, uint32_t i, uint32_t j)
{
	return &t->cell[(size_t)i * t->width + j];
}

static uint16_t larger(uint16_t a, uint16_t b)
{
	if (a == IMPOSSIBLE || b == IMPOSSIBLE)
		return a == IMPOSSIBLE ? b : a;
	return a > b ? a : b;
}

struct aligner {
	const struct xnnpack_name *names;
	const struct xnnpack_node *nodes;
	uint32_t n, m;
	struct table before, after; /* most matches of events < i, nodes < j; of the rest */
};

static void fill(struct aligner *a)
{
	for (uint32_t i = 0; i <= a->n; i++)
		for (uint32_t j = 0; j <= a->m; j++) {
			uint16_t best = i ? IMPOSSIBLE : 0;

			if (j)
				best = larger(best, *at(&a->before, i, j - 1));
			if (i && may_be_added(&a->names[i - 1]))
				best = larger(best, *at(&a->before, i - 1, j));
			if (i && j && *at(&a->before, i - 1, j - 1) != IMPOSSIBLE &&
			    xnnpack_fits(&a->names[i - 1], &a->nodes[j - 1]))
				best = larger(best, (uint16_t)(*at(&a->before, i - 1, j - 1) + 1));
			*at(&a->before, i, j) = best;
		}
	for (uint32_t i = a->n + 1; i-- > 0;)
		for (uint32_t j = a->m + 1; j-- > 0;) {
			uint16_t best = i < a->n ? IMPOSSIBLE : 0;

			if (j < a->m)
				best = larger(best, *at(&a->after, i, j + 1));
			if (i < a->n && may_be_added(&a->names[i]))
				best = larger(best, *at(&a->after, i + 1, j));
			if (i < a->n && j < a->m && *at(&a->after, i + 1, j + 1) != IMPOSSIBLE &&
			    xnnpack_fits(&a->names[i], &a->nodes[j]))
				best = larger(best, (uint16_t)(*at(&a->after, i + 1, j + 1) + 1));
			*at(&a->after, i, j) = best;
		}
}

static bool joins(uint16_t left, uint16_t right, uint16_t matches, uint16_t best)
{
	return left != IMPOSSIBLE && right != IMPOSSIBLE && left + matches + right == best;
}

/* What every best alignment says of event i. */
static struct xnnpack_match match_of(const struct aligner *a, uint32_t i, uint16_t best)
{
	struct xnnpack_match match = { 0 };
	bool any = false;

	for (uint32_t j = 0; j <= a->m; j++) {
		if (may_be_added(&a->names[i]) &&
		    joins(*at(&a->before, i, j), *at(&a->after, i + 1, j), 0, best))
			return (struct xnnpack_match){ 0 };
		if (j == a->m || !xnnpack_fits(&a->names[i], &a->nodes[j]) ||
		    !joins(*at(&a->before, i, j), *at(&a->after, i + 1, j + 1), 1, best))
			continue;
		if (!any)
			match = (struct xnnpack_match){ a->nodes[j].handle, a->nodes[j].rows };
		if (a->nodes[j].handle != match.handle)
			match.handle = 0;
		if (a->nodes[j].rows != match.rows)
			match.rows = 0;
		any = true;
	}
	return match;
}

bool xnnpack_align(const struct xnnpack_name *names, uint32_t count,
                   const struct xnnpack_blob *blob, struct xnnpack_match *matches)
{
	size_t cells = ((size_t)count + 1) * ((size_t)blob->count + 1);
	struct aligner a = { .names = names, .nodes = blob->nodes, .n = count, .m = blob->count };
	uint16_t best;

	memset(matches, 0, count * sizeof *matches);
	if (count == 0 || count >= IMPOSSIBLE || cells > CELLS_MAX)
		return false;
	a.before = (struct table){ malloc(cells * sizeof(uint16_t)), blob->count + 1 };
	a.after = (struct table){ malloc(cells * sizeof(uint16_t)), blob->count + 1 };
	best = IMPOSSIBLE;
	if (a.before.cell && a.after.cell) {
		fill(&a);
		best = *at(&a.after, 0, 0);
	}
	for (uint32_t i = 0; best != IMPOSSIBLE && i < count; i++)
		matches[i] = match_of(&a, i, best);
	free(a.before.cell);
	free(a.after.cell);
	return best != IMPOSSIBLE;
}
