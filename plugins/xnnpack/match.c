/* match.c -- decides whether an event may be the operator of a node; see match.h.
 *
 * If the types of an event are not known, it may be the operator of a node with any types. An
 * event with one candidate too many may stay without a debug handle; but if the right candidate
 * were missing, the event could get a wrong handle. */
#include "match.h"

#include <string.h>

#define K(kind) ((uint64_t)1 << (kind))

#define CONVOLUTIONS   (K(KIND_CONV2D) | K(KIND_DEPTHWISE))
#define CONCATENATIONS (K(KIND_CAT2) | K(KIND_CAT3) | K(KIND_CAT4) | K(KIND_CAT5))
#define BINARIES                                                                             \
	(K(KIND_ADD) | K(KIND_DIV) | K(KIND_MINIMUM) | K(KIND_MULTIPLY) | K(KIND_SUBTRACT) | \
	 K(KIND_MAXIMUM) | K(KIND_PRELU))
#define UNARIES                                                                                    \
	(K(KIND_SIGMOID) | K(KIND_CLAMP) | K(KIND_FLOOR) | K(KIND_CONVERT) | K(KIND_SQUARE_ROOT) | \
	 K(KIND_CEILING) | K(KIND_HARDSWISH) | K(KIND_LEAKY_RELU) | K(KIND_NEGATE) |               \
	 K(KIND_SQUARE) | K(KIND_ELU) | K(KIND_ABS) | K(KIND_RSQRT) | K(KIND_LOG) | K(KIND_GELU) | \
	 K(KIND_TANH) | K(KIND_EXP) | K(KIND_SIN) | K(KIND_COS))

/* For each operator name, the kinds of nodes that may be logged under it, as bits of enum
 * xnnpack_kind. */
static const struct {
	const char *word;
	uint64_t kinds;
} operators[] = {
	{ "Fully Connected", K(KIND_FULLY_CONNECTED) | K(KIND_CONV2D) },
	{ "Dynamic Fully Connected", K(KIND_FULLY_CONNECTED) | K(KIND_CONV2D) },
	{ "Convolution", CONVOLUTIONS },
	{ "Deconvolution", K(KIND_CONV_TRANSPOSE) },
	{ "Batch Matrix Multiply", K(KIND_BMM) },
	{ "Scaled Dot-Product Attention", K(KIND_ATTENTION) },
	{ "Softmax", K(KIND_SOFTMAX) },

	{ "Average Pooling", K(KIND_AVG_POOL) },
	{ "Max Pooling", K(KIND_MAX_POOL) },
	{ "ArgMax Pooling", K(KIND_ARGMAX_POOL) },
	{ "Global Average Pooling", K(KIND_GLOBAL_AVG_POOL) },
	{ "Mean", K(KIND_GLOBAL_AVG_POOL) },
	{ "Mean Squared", K(KIND_GLOBAL_AVG_POOL) },
	{ "Sum", K(KIND_GLOBAL_AVG_POOL) },
	{ "Normalize", K(KIND_GLOBAL_AVG_POOL) },
	{ "Resize Bilinear", K(KIND_RESIZE) },

	{ "Constant Pad", K(KIND_PAD) },
	{ "Copy", CONCATENATIONS | K(KIND_COPY) | K(KIND_RESHAPE) | K(KIND_CLAMP) },
	{ "Slice", K(KIND_SLICE) },
	{ "Static Reshape", K(KIND_RESHAPE) },
	{ "Transpose", K(KIND_TRANSPOSE) },
	{ "Convert", K(KIND_CONVERT) },

	{ "Add", K(KIND_ADD) },
	{ "Divide", K(KIND_DIV) },
	{ "Maximum", K(KIND_MAXIMUM) },
	{ "Minimum", K(KIND_MINIMUM) },
	{ "Multiply", K(KIND_MULTIPLY) },
	{ "PReLU", K(KIND_PRELU) },
	{ "Subtract", K(KIND_SUBTRACT) },
	{ "Binary Elementwise", BINARIES },
	{ "Invalid Binary Op", BINARIES },

	{ "Abs", K(KIND_ABS) },
	{ "ApproxGELU", K(KIND_GELU) },
	{ "Ceiling", K(KIND_CEILING) },
	{ "Clamp", K(KIND_CLAMP) | K(KIND_MINIMUM) | K(KIND_MAXIMUM) },
	{ "Cosine", K(KIND_COS) },
	{ "ELU", K(KIND_ELU) },
	{ "Exp", K(KIND_EXP) },
	{ "Floor", K(KIND_FLOOR) },
	{ "GELU", K(KIND_GELU) },
	{ "HardSwish", K(KIND_HARDSWISH) },
	{ "LeakyReLU", K(KIND_LEAKY_RELU) },
	{ "Leaky ReLU", K(KIND_LEAKY_RELU) },
	{ "Log", K(KIND_LOG) },
	{ "Negate", K(KIND_NEGATE) },
	{ "Reciprocal Square Root", K(KIND_RSQRT) },
	{ "Sigmoid", K(KIND_SIGMOID) },
	{ "Sine", K(KIND_SIN) },
	{ "Square", K(KIND_SQUARE) | K(KIND_MULTIPLY) },
	{ "Square Root", K(KIND_SQUARE_ROOT) },
	{ "TanH", K(KIND_TANH) },
	{ "Tanh", K(KIND_TANH) },
	{ "Unary Elementwise", UNARIES },
	{ "Invalid Unary Op", UNARIES | BINARIES },
};

static bool is(struct etcore_text text, const char *word)
{
	return text.len == strlen(word) &&
	       (text.len == 0 || memcmp(text.ptr, word, (size_t)text.len) == 0);
}

bool xnnpack_event_read(const struct etcore_event *event, struct xnnpack_event *out)
{
	memset(out, 0, sizeof *out);
	if (!(event->flags & ETCORE_EVENT_DELEGATE) || event->delegate_id != -1 ||
	    !xnnpack_name_parse(event->delegate_name, &out->name))
		return false;
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		if (!is(out->name.operator_name, operators[i].word))
			continue;
		out->kinds = operators[i].kinds;
		out->known = true;
	}
	return true;
}

/* ---- types ------------------------------------------------------------------- */

#define D(type) ((uint32_t)1 << (type))
#define ANY     UINT32_MAX

/* For each type token of a name, the types (bits of enum xnnpack_datatype) that the left operand,
 * or the only operand, of the node may have. */
static const struct {
	const char *token;
	uint32_t values;
} tokens[] = {
	{ "F32", D(DATATYPE_FP32) },
	{ "PF32", D(DATATYPE_FP32) },
	{ "F16", D(DATATYPE_FP16) },
	{ "PF16", D(DATATYPE_FP16) },
	{ "BF16", D(DATATYPE_BF16) },
	{ "BF16_F32", D(DATATYPE_BF16) },
	{ "QS8", D(DATATYPE_QINT8) },
	{ "PQS8", D(DATATYPE_QINT8) },
	{ "QC8", D(DATATYPE_QINT8) },
	{ "S8", D(DATATYPE_QINT8) },
	{ "QU8", D(DATATYPE_QUINT8) },
	{ "U8", D(DATATYPE_QUINT8) },
	{ "QD8", D(DATATYPE_QDINT8) },
	{ "QDU8", D(DATATYPE_QDINT8) },
	{ "QP8", D(DATATYPE_QDINT8) | D(DATATYPE_QPINT8) },
	{ "QC8W", D(DATATYPE_QCINT8) },
	{ "QC4W", D(DATATYPE_QCINT4) },
	{ "QB4W", D(DATATYPE_QBINT4) },
	{ "X8", D(DATATYPE_QINT8) | D(DATATYPE_QUINT8) | D(DATATYPE_QCINT8) | D(DATATYPE_QDINT8) },
	{ "X16", D(DATATYPE_FP16) | D(DATATYPE_BF16) },
	{ "X32", D(DATATYPE_FP32) | D(DATATYPE_INT32) | D(DATATYPE_QINT32) | D(DATATYPE_QCINT32) },
};

static bool has_type(struct etcore_text token, unsigned type)
{
	uint32_t values = ANY;

	for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
		if (is(token, tokens[i].token))
			values = tokens[i].values;
	return type == DATATYPE_UNKNOWN || (values & D(type)) != 0;
}

/* Returns token number `index`, from 0, of a list of types such as "QD8, F32, QC4W"; the last token
 * if `index` is -1. */
static struct etcore_text token_at(struct etcore_text types, int index)
{
	uint64_t from = 0;

	for (uint64_t i = 0; i < types.len; i++) {
		if (types.ptr[i] != ',')
			continue;
		if (index == 0)
			return (struct etcore_text){ types.ptr + from, i - from };
		index -= index > 0;
		from = i + 1 < types.len ? i + 2 : types.len;
	}
	return (struct etcore_text){ types.ptr + from, index > 0 ? 0 : types.len - from };
}

/* Do the types in an event's name fit the operands of a matrix product? The first token is the type
 * of the left operand; the token that ends in W is that of the weights. */
static bool product_types_fit(struct etcore_text types, const struct xnnpack_node *node)
{
	struct etcore_text lhs = token_at(types, 0), weights = token_at(types, -1);

	if (types.len == 0)
		return true;
	if (!has_type(lhs, node->type))
		return false;
	if (weights.ptr[weights.len - 1] == 'W') {
		/* For a convolution with a PQS8 left operand, the name has the token of weights
		 * with one scale per channel, even if the node's weights have a single scale. */
		return has_type(weights, node->type2) ||
		       (is(lhs, "PQS8") && node->kind != KIND_FULLY_CONNECTED &&
		        node->type2 == DATATYPE_QINT8);
	}
	if (is(lhs, "QC8"))
		return node->type2 == DATATYPE_UNKNOWN || node->type2 == DATATYPE_QCINT8;
	if (is(lhs, "QS8") && weights.ptr == lhs.ptr)
		return node->type2 == DATATYPE_UNKNOWN || node->type2 == DATATYPE_QINT8;
	/* A name without a token for weights: if the left operand is a float, the weights are
	 * floats, too; for other left operands, every node fits. */
	return (is(lhs, "F32") || is(lhs, "PF32") || is(lhs, "F16") || is(lhs, "PF16"))
	               ? (ANY & ~(D(DATATYPE_QCINT8) | D(DATATYPE_QCINT4) | D(DATATYPE_QBINT4))) &
	                         D(node->type2)
	               : true;
}

/* Do the types in an event's name fit a conversion? "Convert (NC, F32, QD8)" quantizes at run time,
 * "Convert (NC)" does not. */
static bool convert_fits(struct etcore_text types, const struct xnnpack_node *node)
{
	bool dynamic = node->out_type == DATATYPE_QDINT8 || node->out_type == DATATYPE_QPINT8;

	if (types.len == 0)
		return !dynamic;
	return has_type(token_at(types, 0), node->type) &&
	       has_type(token_at(types, -1), node->out_type);
}

/* ---- nodes ------------------------------------------------------------------- */

static bool convolution_fits(const struct xnnpack_event *event, const struct xnnpack_node *node)
{
	struct etcore_text kernel = event->name.kernel;

	if (is(kernel, "VMulCAddC"))
		return node->one_by_one && node->one_channel;
	if (is(kernel, "DWConv"))
		return node->kind == KIND_DEPTHWISE || node->one_channel;
	/* A pointwise convolution never has the kernel IGEMM: it is logged as Fully Connected, or,
	 * by older releases, as a Convolution with GEMM. */
	return !(is(kernel, "IGEMM") && node->pointwise);
}

bool xnnpack_event_fits(const struct xnnpack_event *event, const struct xnnpack_node *node)
{
	struct etcore_text types = event->name.types;

	if (node->kind == KIND_COUNT)
		/* a node of a kind that only later schemas have may belong to any event */
		return true;
	if (!(event->kinds & K(node->kind)))
		return false;
	switch (node->kind) {
	case KIND_CONV2D:
	case KIND_DEPTHWISE:
		if (is(event->name.operator_name, "Convolution")) {
			if (!convolution_fits(event, node))
				return false;
		} else if (!node->pointwise) {
			return false;
		}
		return product_types_fit(types, node);
	case KIND_FULLY_CONNECTED:
	case KIND_CONV_TRANSPOSE:
	case KIND_BMM:
		return product_types_fit(types, node);
	case KIND_CONVERT:
		return !is(event->name.operator_name, "Convert") || convert_fits(types, node);
	case KIND_MULTIPLY:
		/* A value times itself is logged as its square. */
		return !is(event->name.operator_name, "Square") || node->input == node->input2;
	default:
		return types.len == 0 || has_type(token_at(types, 0), node->type);
	}
}

bool xnnpack_event_is_clamp(const struct xnnpack_event *event)
{
	return is(event->name.operator_name, "Clamp");
}

bool xnnpack_event_is_lookup(const struct xnnpack_event *event)
{
	return is(event->name.operator_name, "Invalid Unary Op");
}

bool xnnpack_event_takes_square(const struct xnnpack_event *event)
{
	return is(event->name.operator_name, "Mean Squared") ||
	       is(event->name.operator_name, "Normalize");
}

bool xnnpack_event_is_movement(const struct xnnpack_event *event)
{
	static const char *const words[] = { "Constant Pad",   "Copy",      "Slice",
		                             "Static Reshape", "Transpose", "Convert" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (is(event->name.operator_name, words[i]))
			return strcmp(words[i], "Convert") != 0 || event->name.types.len == 0;
	return false;
}
