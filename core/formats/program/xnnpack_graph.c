/* xnnpack_graph.c -- see delegate_graph.h. */
#include "formats/program/delegate_graph.h"

#include <math.h>

#include "base/map.h"
#include "formats/container/flatbuf.h"
#include "model/xnode.h"

enum { GRAPH_NODES = 1, GRAPH_VALUES = 2, GRAPH_DATA = 8 };
enum { DATA_OFFSET, DATA_SIZE, DATA_KEY };
enum { NODE_KIND, NODE_TABLE, NODE_HANDLE, NODE_LIMITS };
enum { LIMITS_LOW, LIMITS_HIGH };
enum { VALUE_KIND, VALUE_TABLE, QUANTIZED_VALUE = 2 };
enum { QUANT_KIND = 1, QUANT_TABLE, PER_CHANNEL = 1, PER_TENSOR = 2, PER_GROUP = 4 };
enum { TENSOR_SCALE, TENSOR_ZERO_POINT };
enum {
	CHANNEL_DATA = 2, /* scale_buffer_idx in the table for one scale per channel */
	GROUP_DATA = 4,   /* scale_buffer_idx in the table for one scale per group */
	/* the field num_scales is this many fields after scale_buffer_idx */
	SCALE_COUNT = 1
};
enum { TENSOR_TYPE, TENSOR_DIMS = 2, TENSOR_CONSTANT, TENSOR_EXTERNAL, TENSOR_FLAGS, TENSOR_ID };
enum { LINEAR_FILTER = 1, LINEAR_BIAS, LINEAR_RESULT };
enum {
	CONV_PADDING = 0, /* top, right, bottom, left */
	CONV_STRIDE = 6,
	CONV_DILATION = 8,
	CONV_CHANNELS = 10, /* input and output channels of a group */
	CONV_GROUPS = 12,
	CONV_BIAS = 17,
	CONV_RESULT = 18
};
enum { WINDOW = 4 /* height, width */, POOL_RESULT = 11 };
enum { NO_HANDLE = 65535 };
enum { EXTERNAL_IN = 1, EXTERNAL_OUT = 2 }; /* XNN_VALUE_FLAG_EXTERNAL_INPUT, _OUTPUT */

static const struct etc_fb_type graph_type = { "XNNGraph", 9, { 4, 4, 4, 4, 4, 4, 4, 4, 4 } };
static const struct etc_fb_type data_type = { "ConstantDataOffset", 3, { 8, 8, 4 } };
static const struct etc_fb_type node_type = { "XNode", 4, { 1, 4, 4, 4 } };
static const struct etc_fb_type limits_type = { "OutputMinMax", 2, { 4, 4 } };
static const struct etc_fb_type value_type = { "XValue", 2, { 1, 4 } };
static const struct etc_fb_type quantized_type = { "XNNQuantizedTensorValue", 3, { 4, 1, 4 } };
static const struct etc_fb_type tensor_type = { "XNNTensorValue", 7, { 2, 4, 4, 4, 4, 4, 4 } };
/* Describes every table of XNodeUnion: all their fields have 32 bits. */
static const struct etc_fb_type operator_type = {
	"XNodeUnion", 19, { 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 }
};

/* Describes every table of the union XNNQuantParams: all their fields, offsets of vectors and
 * numbers, have 4 bytes. */
static const struct etc_fb_type quant_type = { "XNNQuantParams", 6, { 4, 4, 4, 4, 4, 4 } };

struct value {
	uint64_t elements;
	uint32_t id;
	bool constant;
	/* scalar type of the value if its elements are floats of 16 or 32 bits; else 0 */
	int8_t type;
};

struct reader {
	struct etc_fb fb;
	struct etc_fb_layouts graph, nodes, values, quantized, tensors, operators, limits, quants,
		data;
	struct etc_delegate_graph *out;
	struct etc_arena *arena;
	/* for each node, its operator with all fields; NULL: not requested, or out of memory */
	struct etc_delegate_operator *whole;
	struct etc_delegate_value *known; /* one per entry of `all`; NULL: not requested, or out of
	                                   * memory */
	uint64_t *constants;
	struct etc_fb_vec offsets; /* for each constant, its table ConstantDataOffset */
	struct etc_span constant_data;
	struct value *all; /* the graph's values that are tensors, in file order */
	uint32_t count;
	uint32_t *filters; /* for each node: id of the value with the weights of a linear layer */
	uint32_t *results; /* for each node: id of its result value */
};

/* the id that stands for no value: XNN_INVALID_VALUE_ID */
static const uint32_t NO_VALUE = UINT32_MAX;

/* Do the integers of XNNDatatype `type` stand for real numbers (quantised values)? */
static bool is_quantised(uint32_t type)
{
	return type >= ETC_DELEGATE_QINT8 && type <= ETC_DELEGATE_DYNAMIC_PACKED &&
	       type != ETC_DELEGATE_QINT32 && type != ETC_DELEGATE_QCINT32;
}

/* Returns the scalar type of an XNNDatatype if it is a float of 16 or 32 bits; 0: another type. */
static int8_t float_of(uint32_t type)
{
	return type == ETC_DELEGATE_FLOAT32    ? 6
	       : type == ETC_DELEGATE_FLOAT16  ? 5
	       : type == ETC_DELEGATE_BFLOAT16 ? 15
	                                       : 0;
}

static uint64_t elements(struct reader *r, struct etc_fb_table tensor)
{
	struct etc_fb_vec dims = etc_fb_vector(&r->fb, tensor, TENSOR_DIMS, 4);
	uint64_t n = 1;

	etc_fb_spend(&r->fb, dims.count / 4);
	for (size_t i = 0; i < dims.count && !r->fb.fault; i++)
		if (__builtin_mul_overflow(n, etc_fb_load32(&r->fb, dims.at + 4 * i), &n))
			return 0;
	return n;
}

/* Finds the data of constant number `number`, counted from 1. */
static void find_data(struct reader *r, uint32_t number, struct etc_delegate_data *to)
{
	struct etc_fb_table t;
	uint64_t at, size;

	if (number == 0 || number >= r->offsets.count)
		return;
	t = etc_fb_element(&r->fb, &r->data, r->offsets, number);
	if (!t.at)
		return;
	at = etc_fb_u64(&r->fb, t, DATA_OFFSET, 0);
	size = etc_fb_u64(&r->fb, t, DATA_SIZE, 0);
	to->key = etc_fb_str(&r->fb, t, DATA_KEY);
	if (!to->key.len && at <= r->constant_data.len && size <= r->constant_data.len - at)
		to->bytes = (struct etc_span){ r->constant_data.ptr + at, (size_t)size };
}

static float number(struct reader *r, struct etc_fb_table t, unsigned field)
{
	uint32_t bits = etc_fb_u32(&r->fb, t, field, 0);
	float v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

static struct etc_delegate_scaling read_scaling(struct reader *r, struct etc_fb_table quantized)
{
	const unsigned kind = etc_fb_u8(&r->fb, quantized, QUANT_KIND, 0);
	const unsigned field = kind == PER_GROUP ? GROUP_DATA : CHANNEL_DATA;
	struct etc_delegate_scaling s = { .uniform = kind == PER_TENSOR };
	struct etc_fb_table t;
	uint64_t count;

	if (kind != PER_CHANNEL && kind != PER_TENSOR && kind != PER_GROUP)
		return s;
	t = etc_fb_sub(&r->fb, &r->quants, quantized, QUANT_TABLE);
	if (!t.at)
		return (struct etc_delegate_scaling){ 0 };
	if (s.uniform) {
		s.scale = number(r, t, TENSOR_SCALE);
		s.zero_point = (int32_t)etc_fb_u32(&r->fb, t, TENSOR_ZERO_POINT, 0);
		return s;
	}
	count = etc_fb_vector(&r->fb, t, 0, 4).count;
	if (!count)
		count = etc_fb_u32(&r->fb, t, field + SCALE_COUNT, 0);
	s.bytes = count * (kind == PER_GROUP ? 2 : 4);
	find_data(r, etc_fb_u32(&r->fb, t, field, 0), &s.scales);
	return s;
}

/* Fills `*to` from the table of a tensor, except to->scaling. False: out of memory. */
static bool keep_value(struct reader *r, struct etc_fb_table tensor, uint16_t type,
                       struct etc_delegate_value *to)
{
	struct etc_fb_vec dims = etc_fb_vector(&r->fb, tensor, TENSOR_DIMS, 4);
	uint32_t *sizes = etc_new(r->arena, uint32_t, dims.count);

	if (!sizes)
		return false;
	for (size_t i = 0; i < dims.count; i++)
		sizes[i] = etc_fb_load32(&r->fb, dims.at + 4 * i);
	*to = (struct etc_delegate_value){
		.sizes = sizes,
		.rank = (uint32_t)dims.count,
		.type = type,
		.scaling = to->scaling,
		.argument =
			etc_fb_u32(&r->fb, tensor, TENSOR_FLAGS, 0) & (EXTERNAL_IN | EXTERNAL_OUT)
				? etc_fb_u32(&r->fb, tensor, TENSOR_EXTERNAL, 0)
				: NO_VALUE,
	};
	return true;
}

static void read_value(struct reader *r, struct etc_fb_table value)
{
	bool quantized = etc_fb_u8(&r->fb, value, VALUE_KIND, 0) == QUANTIZED_VALUE;
	struct etc_fb_table tensor, outer = { 0 };
	struct value *v;
	uint32_t type;

	if (quantized)
		outer = etc_fb_sub(&r->fb, &r->quantized, value, VALUE_TABLE);
	tensor = etc_fb_sub(&r->fb, &r->tensors, quantized ? outer : value,
	                    quantized ? 0 : VALUE_TABLE);
	if (!tensor.at)
		return;
	type = etc_fb_has(tensor, TENSOR_TYPE)
	               ? etc_fb_load32(&r->fb, tensor.at + tensor.layout->slot[TENSOR_TYPE]) &
	                         0xffff
	               : 0;
	r->out->quantised = r->out->quantised || is_quantised(type);
	r->out->dynamic = r->out->dynamic || type == ETC_DELEGATE_DYNAMIC ||
	                  type == ETC_DELEGATE_DYNAMIC_PACKED;
	v = &r->all[r->count++];
	*v = (struct value){ elements(r, tensor), etc_fb_u32(&r->fb, tensor, TENSOR_ID, 0),
		             etc_fb_u32(&r->fb, tensor, TENSOR_CONSTANT, 0) != 0, float_of(type) };
	if (r->known) {
		struct etc_delegate_value *to = &r->known[r->count - 1];

		if (quantized)
			to->scaling = read_scaling(r, outer);
		if (!keep_value(r, tensor, (uint16_t)type, to)) {
			r->known = NULL;
		} else {
			to->constant = v->constant;
			find_data(r, etc_fb_u32(&r->fb, tensor, TENSOR_CONSTANT, 0), &to->data);
		}
	}
	if (!v->constant)
		return;
	r->out->quantised_constants = r->out->quantised_constants || is_quantised(type);
	r->constants[r->out->constant_count++] = v->elements;
}

static uint8_t kind_of(unsigned kind)
{
	static const struct {
		uint8_t node, kind;
	} rows[] = {
		{ ETC_XNODE_FULLY_CONNECTED, ETC_DELEGATE_PRODUCT },
		{ ETC_XNODE_CONV2D, ETC_DELEGATE_PRODUCT },
		{ ETC_XNODE_DEPTHWISE, ETC_DELEGATE_PRODUCT },
		{ ETC_XNODE_CONV_TRANSPOSE, ETC_DELEGATE_PRODUCT },
		{ ETC_XNODE_BMM, ETC_DELEGATE_PRODUCT },
		{ ETC_XNODE_SOFTMAX, ETC_DELEGATE_SOFTMAX },
		{ ETC_XNODE_MAX_POOL, ETC_DELEGATE_POOL },
		{ ETC_XNODE_ADD, ETC_DELEGATE_ADD },
		{ ETC_XNODE_SUBTRACT, ETC_DELEGATE_SUBTRACT },
		{ ETC_XNODE_MULTIPLY, ETC_DELEGATE_MULTIPLY },
		{ ETC_XNODE_DIVIDE, ETC_DELEGATE_DIVIDE },
		{ ETC_XNODE_SIGMOID, ETC_DELEGATE_SIGMOID },
		{ ETC_XNODE_HARDSWISH, ETC_DELEGATE_HARDSWISH },
		{ ETC_XNODE_LEAKY_RELU, ETC_DELEGATE_LEAKY_RELU },
		{ ETC_XNODE_ELU, ETC_DELEGATE_ELU },
		{ ETC_XNODE_GELU, ETC_DELEGATE_GELU },
		{ ETC_XNODE_TANH, ETC_DELEGATE_TANH },
		{ ETC_XNODE_MINIMUM, ETC_DELEGATE_MINIMUM },
		{ ETC_XNODE_MAXIMUM, ETC_DELEGATE_MAXIMUM },
		{ ETC_XNODE_ABSOLUTE, ETC_DELEGATE_ABSOLUTE },
		{ ETC_XNODE_NEGATE, ETC_DELEGATE_NEGATE },
		{ ETC_XNODE_FLOOR, ETC_DELEGATE_FLOOR },
		{ ETC_XNODE_CEILING, ETC_DELEGATE_CEILING },
		{ ETC_XNODE_SQUARE, ETC_DELEGATE_SQUARE },
		{ ETC_XNODE_SQUARE_ROOT, ETC_DELEGATE_SQUARE_ROOT },
		{ ETC_XNODE_RECIPROCAL_ROOT, ETC_DELEGATE_RECIPROCAL_ROOT },
		{ ETC_XNODE_LOGARITHM, ETC_DELEGATE_LOGARITHM },
		{ ETC_XNODE_EXPONENTIAL, ETC_DELEGATE_EXPONENTIAL },
		{ ETC_XNODE_SINE, ETC_DELEGATE_SINE },
		{ ETC_XNODE_COSINE, ETC_DELEGATE_COSINE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].node == kind)
			return rows[i].kind;
	return ETC_DELEGATE_KINDS;
}

/* Returns the FlatBuffer inside the blob. */
static struct etc_span inside(struct etc_span blob)
{
	uint32_t at, size;

	if (blob.len < 18 || memcmp(blob.ptr + 4, "XH00", 4) != 0)
		return blob;
	memcpy(&at, blob.ptr + 10, sizeof at);
	memcpy(&size, blob.ptr + 14, sizeof size);
	if (at > blob.len || size > blob.len - at)
		return (struct etc_span){ NULL, 0 };
	return (struct etc_span){ blob.ptr + at, size };
}

/* Returns the number of weights of a convolution: the product of kernel height and width, input and
 * output channels of a group, and groups. */
static uint64_t conv_weights(struct reader *r, struct etc_fb_table t)
{
	static const unsigned factors[] = { 4, 5, 10, 11, 12 };
	uint64_t n = t.at != 0;

	for (size_t i = 0; i < sizeof factors / sizeof *factors && t.at; i++)
		if (__builtin_mul_overflow(n, etc_fb_u32(&r->fb, t, factors[i], 0), &n))
			return 0;
	return n;
}

/* Returns the number of the field that has the id of the output value, in tables of nodes of this
 * kind. -1: etcore does not need the output of such nodes. */
static int result_field(unsigned kind)
{
	switch (kind) {
	case ETC_XNODE_SOFTMAX:
	case ETC_XNODE_SIGMOID:
	case ETC_XNODE_HARDSWISH:
	case ETC_XNODE_GELU:
	case ETC_XNODE_TANH:
		return 1;
	case ETC_XNODE_ADD:
	case ETC_XNODE_DIVIDE:
	case ETC_XNODE_MULTIPLY:
	case ETC_XNODE_SUBTRACT:
	case ETC_XNODE_BMM:
	case ETC_XNODE_LEAKY_RELU:
	case ETC_XNODE_ELU:
		return 2;
	case ETC_XNODE_FULLY_CONNECTED:
		return LINEAR_RESULT;
	case ETC_XNODE_MAX_POOL:
		return 11;
	case ETC_XNODE_CONV2D:
	case ETC_XNODE_DEPTHWISE:
	case ETC_XNODE_CONV_TRANSPOSE:
		return CONV_RESULT;
	default:
		return -1;
	}
}

static void read_convolution(struct reader *r, struct etc_fb_table t, unsigned kind,
                             struct etc_delegate_node *to)
{
	to->is_convolution = true;
	to->weights = conv_weights(r, t);
	to->has_bias = etc_fb_u32(&r->fb, t, CONV_BIAS, 0) != NO_VALUE;
	for (unsigned i = 0; i < 2; i++) {
		to->convolution.stride[i] = etc_fb_u32(&r->fb, t, CONV_STRIDE + i, 0);
		to->convolution.padding[i] = etc_fb_u32(&r->fb, t, CONV_PADDING + i, 0);
		to->convolution.dilation[i] = etc_fb_u32(&r->fb, t, CONV_DILATION + i, 0);
	}
	to->convolution.groups = etc_fb_u32(&r->fb, t, CONV_GROUPS, 0);
	to->convolution.transposed = kind == ETC_XNODE_CONV_TRANSPOSE;
}

static void read_limits(struct reader *r, struct etc_fb_table node, struct etc_delegate_node *to)
{
	struct etc_fb_table t = etc_fb_sub(&r->fb, &r->limits, node, NODE_LIMITS);

	if (!t.at)
		return;
	to->low = number(r, t, LIMITS_LOW);
	to->high = number(r, t, LIMITS_HIGH);
	to->limited = to->low <= to->high && (to->low > -INFINITY || to->high < INFINITY);
}

/* Reads the table of node `node`, whose result value is in field `result`. */
static void read_operator(struct reader *r, struct etc_fb_table node, unsigned kind,
                          unsigned result, struct etc_delegate_node *to)
{
	struct etc_fb_table t = etc_fb_sub(&r->fb, &r->operators, node, NODE_TABLE);

	if (!t.at)
		return;
	r->results[r->out->count] = etc_fb_u32(&r->fb, t, result, 0);
	if (result == CONV_RESULT)
		read_convolution(r, t, kind, to);
	if (kind != ETC_XNODE_FULLY_CONNECTED)
		return;
	r->filters[r->out->count] = etc_fb_u32(&r->fb, t, LINEAR_FILTER, 0);
	to->has_bias = etc_fb_u32(&r->fb, t, LINEAR_BIAS, 0) != NO_VALUE;
}

/* ---- operators with all their fields --------------------------------------------- */

enum { NO_FIELD = 255 };

/* Field numbers of the tables of XNodeUnion whose fields are not just (input, output, flags). */
static const struct fields {
	uint8_t kind, inputs[ETC_DELEGATE_INPUTS], output, flags;
} all_fields[] = {
#define NONE NO_FIELD
	{ ETC_XNODE_ADD, { 0, 1, NONE, NONE, NONE }, 2, NONE },
	{ ETC_XNODE_DIVIDE, { 0, 1, NONE, NONE, NONE }, 2, NONE },
	{ ETC_XNODE_MINIMUM, { 0, 1, NONE, NONE, NONE }, 2, NONE },
	{ ETC_XNODE_MULTIPLY, { 0, 1, NONE, NONE, NONE }, 2, NONE },
	{ ETC_XNODE_SUBTRACT, { 0, 1, NONE, NONE, NONE }, 2, NONE },
	{ ETC_XNODE_MAXIMUM, { 0, 1, NONE, NONE, NONE }, 2, NONE },
	{ ETC_XNODE_PRELU, { 0, 1, NONE, NONE, NONE }, 2, NONE },
	{ ETC_XNODE_BMM, { 0, 1, NONE, NONE, NONE }, 2, 3 },
	{ ETC_XNODE_FULLY_CONNECTED, { 0, 1, 2, NONE, NONE }, 3, 4 },
	{ ETC_XNODE_CONV2D, { 15, 16, 17, NONE, NONE }, 18, NONE },
	{ ETC_XNODE_DEPTHWISE, { 15, 16, 17, NONE, NONE }, 18, NONE },
	{ ETC_XNODE_CONV_TRANSPOSE, { 15, 16, 17, NONE, NONE }, 18, NONE },
	{ ETC_XNODE_TRANSPOSE, { 2, NONE, NONE, NONE, NONE }, 3, NONE },
	{ ETC_XNODE_RESIZE, { 2, NONE, NONE, NONE, NONE }, 3, NONE },
	{ ETC_XNODE_RESHAPE, { 2, NONE, NONE, NONE, NONE }, 3, NONE },
	{ ETC_XNODE_PAD, { 3, NONE, NONE, NONE, NONE }, 4, NONE },
	{ ETC_XNODE_SLICE, { 3, NONE, NONE, NONE, NONE }, 4, NONE },
	{ ETC_XNODE_AVG_POOL, { 10, NONE, NONE, NONE, NONE }, 11, NONE },
	{ ETC_XNODE_MAX_POOL, { 10, NONE, NONE, NONE, NONE }, 11, NONE },
	{ ETC_XNODE_ARGMAX_POOL, { 6, NONE, NONE, NONE, NONE }, 7, NONE },
	{ ETC_XNODE_LEAKY_RELU, { 1, NONE, NONE, NONE, NONE }, 2, NONE },
	{ ETC_XNODE_ELU, { 1, NONE, NONE, NONE, NONE }, 2, NONE },
	{ ETC_XNODE_CAT2, { 1, 2, NONE, NONE, NONE }, 5, NONE },
	{ ETC_XNODE_CAT3, { 1, 2, 3, NONE, NONE }, 5, NONE },
	{ ETC_XNODE_CAT4, { 1, 2, 3, 4, NONE }, 5, NONE },
	{ ETC_XNODE_CAT5, { 1, 2, 3, 4, 7 }, 5, NONE },
	{ ETC_XNODE_ATTENTION, { 0, 1, 2, 3, 4 }, 5, NONE },
#undef NONE
};

static const struct fields *fields_of(unsigned kind)
{
	static const struct fields usual = {
		0, { 0, NO_FIELD, NO_FIELD, NO_FIELD, NO_FIELD }, 1, NO_FIELD
	};

	for (size_t i = 0; i < sizeof all_fields / sizeof *all_fields; i++)
		if (all_fields[i].kind == kind)
			return &all_fields[i];
	return &usual;
}

/* For each kind of node, the fields on which the sizes of its result depend: `count` scalar fields
 * from `field` on, or, if `count` is 0, the vectors in the fields `field` and `second`. */
static const struct numbers {
	uint8_t kind, field, second, count;
} all_numbers[] = {
	{ ETC_XNODE_TRANSPOSE, 1, NO_FIELD, 0 },
	{ ETC_XNODE_RESHAPE, 1, NO_FIELD, 0 },
	{ ETC_XNODE_PAD, 0, 1, 0 },
	{ ETC_XNODE_SLICE, 1, 2, 0 },
	{ ETC_XNODE_CONV2D, 0, NO_FIELD, 15 },
	{ ETC_XNODE_DEPTHWISE, 0, NO_FIELD, 15 },
	{ ETC_XNODE_AVG_POOL, 0, NO_FIELD, 10 },
	{ ETC_XNODE_CONV_TRANSPOSE, 0, NO_FIELD, 15 },
	{ ETC_XNODE_MAX_POOL, 0, NO_FIELD, 10 },
	{ ETC_XNODE_RESIZE, 0, NO_FIELD, 2 },
	{ ETC_XNODE_CAT2, 0, NO_FIELD, 1 },
	{ ETC_XNODE_CAT3, 0, NO_FIELD, 1 },
	{ ETC_XNODE_CAT4, 0, NO_FIELD, 1 },
	{ ETC_XNODE_CAT5, 0, NO_FIELD, 1 },
};

/* Copies a vector of 32-bit numbers into the arena. False: out of memory. */
static bool read_vector(struct reader *r, struct etc_fb_table t, unsigned field,
                        struct etc_delegate_numbers *to)
{
	const struct etc_fb_vec v = etc_fb_vector(&r->fb, t, field, 4);
	uint32_t *all = etc_new(r->arena, uint32_t, v.count);

	etc_fb_spend(&r->fb, v.count / 4);
	for (size_t i = 0; i < v.count && all; i++)
		all[i] = etc_fb_load32(&r->fb, v.at + 4 * i);
	*to = (struct etc_delegate_numbers){ all, (uint32_t)v.count };
	return all != NULL;
}

/* Reads the fields that `all_numbers` lists for the kind of node. False: out of memory. */
static bool read_numbers(struct reader *r, struct etc_fb_table t, unsigned kind,
                         struct etc_delegate_operator *to)
{
	const struct numbers *n = NULL;
	uint32_t *all;

	for (size_t i = 0; i < sizeof all_numbers / sizeof *all_numbers && !n; i++)
		n = all_numbers[i].kind == kind ? &all_numbers[i] : NULL;
	if (!n)
		return true;
	if (!n->count)
		return read_vector(r, t, n->field, &to->numbers[0]) &&
		       (n->second == NO_FIELD || read_vector(r, t, n->second, &to->numbers[1]));
	all = etc_new(r->arena, uint32_t, n->count);
	for (unsigned i = 0; i < n->count && all; i++)
		all[i] = etc_fb_u32(&r->fb, t, n->field + i, 0);
	to->numbers[0] = (struct etc_delegate_numbers){ all, n->count };
	return all != NULL;
}

static void read_whole(struct reader *r, struct etc_fb_table node, unsigned kind,
                       struct etc_delegate_operator *to)
{
	struct etc_fb_table t = etc_fb_sub(&r->fb, &r->operators, node, NODE_TABLE);
	const struct fields *f = fields_of(kind);

	*to = (struct etc_delegate_operator){ .kind = (uint8_t)kind, .output = NO_VALUE };
	if (!t.at)
		return;
	for (unsigned i = 0; i < ETC_DELEGATE_INPUTS && f->inputs[i] != NO_FIELD; i++) {
		uint32_t id = etc_fb_u32(&r->fb, t, f->inputs[i], 0);

		if (id != NO_VALUE)
			to->inputs[to->input_count++] = id;
	}
	to->output = etc_fb_u32(&r->fb, t, f->output, 0);
	if (kind == ETC_XNODE_LEAKY_RELU || kind == ETC_XNODE_ELU)
		to->factor = number(r, t, 0);
	to->transposed = f->flags != NO_FIELD && (etc_fb_u32(&r->fb, t, f->flags, 0) & 1);
	if (f->output == CONV_RESULT || f->output == POOL_RESULT || kind == ETC_XNODE_ARGMAX_POOL)
		for (unsigned i = 0; i < 2; i++)
			to->window[i] = etc_fb_u32(&r->fb, t, WINDOW + i, 0);
	for (unsigned i = 0; i < 2 && f->output == CONV_RESULT; i++)
		to->channels[i] = etc_fb_u32(&r->fb, t, CONV_CHANNELS + i, 0);
	if (!read_numbers(r, t, kind, to))
		r->whole = NULL;
}

static void read_node(struct reader *r, struct etc_fb_table t, struct etc_delegate_node *to)
{
	uint32_t handle = etc_fb_u32(&r->fb, t, NODE_HANDLE, 0);
	unsigned kind = etc_fb_u8(&r->fb, t, NODE_KIND, 0);
	int result = result_field(kind);

	*to = (struct etc_delegate_node){ .handle = handle == NO_HANDLE ? 0 : handle,
		                          .kind = kind_of(kind),
		                          .clamps = kind == ETC_XNODE_CLAMP };
	read_limits(r, t, to);
	if (r->whole)
		read_whole(r, t, kind, &r->whole[r->out->count]);
	r->filters[r->out->count] = r->results[r->out->count] = NO_VALUE;
	if (result >= 0)
		read_operator(r, t, kind, (unsigned)result, to);
	r->out->count++;
}

static const struct value *value_of(const struct reader *r, const struct etc_map *ids,
                                    const uint32_t *id)
{
	size_t k = *id == NO_VALUE
	                   ? ETC_MAP_NONE
	                   : etc_map_get(ids, (struct etc_str){ (const char *)id, sizeof *id });

	return k == ETC_MAP_NONE ? NULL : &r->all[k];
}

static uint32_t index_of(const struct reader *r, const struct etc_map *ids, uint32_t id)
{
	const struct value *v = value_of(r, ids, &id);

	return v ? (uint32_t)(v - r->all) : NO_VALUE;
}

/* The operator has the ids of its input values and of its output value. Replaces these ids by the
 * indices of the values in r->all. */
static void find_operands(const struct reader *r, const struct etc_map *ids,
                          struct etc_delegate_operator *o)
{
	for (uint32_t i = 0; i < o->input_count; i++)
		o->inputs[i] = index_of(r, ids, o->inputs[i]);
	o->output = index_of(r, ids, o->output);
}

/* Finds the weights of each linear layer and the result of each node by their ids, and replaces the
 * ids in operators by indices. False: out of memory. */
static bool find_values(struct reader *r, struct etc_delegate_node *nodes, struct etc_arena *arena)
{
	struct etc_map ids;

	etc_map_init(&ids, arena);
	for (uint32_t i = 0; i < r->count; i++)
		if (etc_map_add(
			    &ids,
			    (struct etc_str){ (const char *)&r->all[i].id, sizeof r->all[i].id },
			    i) == ETC_MAP_NONE)
			return false;
	for (uint32_t i = 0; i < r->out->count; i++) {
		const struct value *filter = value_of(r, &ids, &r->filters[i]);
		const struct value *result = value_of(r, &ids, &r->results[i]);

		if (filter && filter->constant)
			nodes[i].weights = filter->elements;
		if (result && !result->constant) {
			nodes[i].gives = result->elements;
			nodes[i].type = result->type;
		}
		if (r->whole)
			find_operands(r, &ids, &r->whole[i]);
	}
	return true;
}

/* Returns the constants of a blob whose constants follow its FlatBuffer. */
static struct etc_span data_of(struct etc_span blob)
{
	uint32_t at;
	uint64_t size;

	if (blob.len < 30 || memcmp(blob.ptr + 4, "XH00", 4) != 0)
		return (struct etc_span){ NULL, 0 };
	memcpy(&at, blob.ptr + 18, sizeof at);
	memcpy(&size, blob.ptr + 22, sizeof size);
	if (at > blob.len || size > blob.len - at)
		return (struct etc_span){ NULL, 0 };
	return (struct etc_span){ blob.ptr + at, (size_t)size };
}

static enum etc_status read_graph(struct etc_span blob, bool whole, struct etc_arena *arena,
                                  struct etc_delegate_graph *out, bool *read, struct etc_error *err)
{
	struct etc_span buffer = inside(blob);
	struct reader r = { .out = out, .arena = arena };
	struct etc_delegate_node *nodes;
	struct etc_fb_table graph;
	struct etc_fb_vec n, v;

	*out = (struct etc_delegate_graph){ 0 };
	*read = false;
	if (buffer.len < 8 || memcmp(buffer.ptr + 4, "XN0", 3) != 0)
		return ETC_OK;
	etc_fb_init(&r.fb, buffer, etc_fb_visits(buffer.len, SIZE_MAX));
	etc_fb_layouts_init(&r.graph, &graph_type);
	etc_fb_layouts_init(&r.nodes, &node_type);
	etc_fb_layouts_init(&r.values, &value_type);
	etc_fb_layouts_init(&r.quantized, &quantized_type);
	etc_fb_layouts_init(&r.tensors, &tensor_type);
	etc_fb_layouts_init(&r.operators, &operator_type);
	etc_fb_layouts_init(&r.limits, &limits_type);
	etc_fb_layouts_init(&r.quants, &quant_type);
	etc_fb_layouts_init(&r.data, &data_type);
	graph = etc_fb_table_at(&r.fb, &r.graph, etc_fb_follow(&r.fb, 0));
	n = etc_fb_vector(&r.fb, graph, GRAPH_NODES, 4);
	v = etc_fb_vector(&r.fb, graph, GRAPH_VALUES, 4);
	r.offsets = etc_fb_vector(&r.fb, graph, GRAPH_DATA, 4);
	r.constant_data = data_of(blob);
	out->nodes = nodes = etc_new(arena, struct etc_delegate_node, n.count);
	out->constants = r.constants = etc_new(arena, uint64_t, v.count);
	r.all = etc_new(arena, struct value, v.count);
	r.filters = etc_new(arena, uint32_t, n.count);
	r.results = etc_new(arena, uint32_t, n.count);
	ETC_NEED(nodes && r.constants && r.all && r.filters && r.results, err);
	if (whole) {
		r.whole = etc_new(arena, struct etc_delegate_operator, n.count);
		r.known = etc_new(arena, struct etc_delegate_value, v.count);
		ETC_NEED(r.whole && r.known, err);
	}
	etc_fb_spend(&r.fb, n.count + v.count);
	for (size_t i = 0; i < n.count && !r.fb.fault; i++)
		read_node(&r, etc_fb_element(&r.fb, &r.nodes, n, i), &nodes[i]);
	for (size_t i = 0; i < v.count && !r.fb.fault; i++)
		read_value(&r, etc_fb_element(&r.fb, &r.values, v, i));
	*read = !r.fb.fault;
	ETC_NEED(!whole || (r.known && r.whole), err);
	out->operators = r.whole;
	out->values = r.known;
	out->value_count = r.count;
	return find_values(&r, nodes, arena) ? ETC_OK : etc_no_memory(err);
}

enum etc_status etc_delegate_graph_read(struct etc_span blob, struct etc_arena *arena,
                                        struct etc_delegate_graph *out, bool *read,
                                        struct etc_error *err)
{
	return read_graph(blob, false, arena, out, read, err);
}

enum etc_status etc_delegate_graph_read_whole(struct etc_span blob, struct etc_arena *arena,
                                              struct etc_delegate_graph *out, bool *read,
                                              struct etc_error *err)
{
	return read_graph(blob, true, arena, out, read, err);
}
