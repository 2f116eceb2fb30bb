/* blob.c -- reads the nodes of an XNNPACK blob; see blob.h. The FlatBuffer is read byte by byte,
 * without assuming alignment or order. */
#include "blob.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 1 << 16, MAX_VALUES = 1 << 18, MAX_DIMS = 16, NO_HANDLE = 65535 };

/* A table inside the FlatBuffer; `at` 0: there is none. */
struct table {
	uint64_t at, vtable;
	uint32_t slots;
};

struct value {
	uint8_t type;
	uint32_t rank;
	uint64_t last, last2; /* size of the last dimension, and of the dimension before it */
	uint64_t rows;        /* product of the sizes of all dimensions except the last */
	uint32_t consumers;   /* number of nodes that use the value, plus 1 if the partition returns
	                       * it */
};

struct reader {
	struct etcore_bytes b;
	struct value *values; /* indexed by value id */
	uint32_t value_count;
	bool bad; /* an offset or length was outside of the blob */
};

static uint64_t load(struct reader *r, uint64_t at, unsigned size)
{
	uint64_t v = 0;

	if (r->bad || at > r->b.len || size > r->b.len - at) {
		r->bad = true;
		return 0;
	}
	for (unsigned i = 0; i < size; i++)
		v |= (uint64_t)r->b.ptr[at + i] << (8 * i);
	return v;
}

static uint64_t follow(struct reader *r, uint64_t at)
{
	uint64_t offset = load(r, at, 4);

	return r->bad ? 0 : at + offset;
}

static struct table table_at(struct reader *r, uint64_t at)
{
	struct table t = { at, 0, 0 };
	int64_t back = (int32_t)(uint32_t)load(r, at, 4);

	if (r->bad || back > (int64_t)at) {
		r->bad = true;
		return t;
	}
	t.vtable = (uint64_t)((int64_t)at - back);
	t.slots = (uint32_t)load(r, t.vtable, 2);
	t.slots = t.slots >= 4 ? (t.slots - 4) / 2 : 0;
	return t;
}

/* Returns the position of field `slot`; 0: the field is absent and has its default value. */
static uint64_t field(struct reader *r, const struct table *t, uint32_t slot)
{
	uint64_t offset;

	if (r->bad || t->at == 0 || slot >= t->slots)
		return 0;
	offset = load(r, t->vtable + 4 + 2 * (uint64_t)slot, 2);
	return offset ? t->at + offset : 0;
}

static uint64_t number(struct reader *r, const struct table *t, uint32_t slot, unsigned size)
{
	uint64_t at = field(r, t, slot);

	return at ? load(r, at, size) : 0;
}

static struct table child(struct reader *r, const struct table *t, uint32_t slot)
{
	uint64_t at = field(r, t, slot);

	return at ? table_at(r, follow(r, at)) : (struct table){ 0, 0, 0 };
}

/* Returns the position of a vector's first element, and sets `*count` to its number of elements,
 * which are all inside the blob. 0: there is no vector, or it is not inside the blob. */
static uint64_t vector(struct reader *r, const struct table *t, uint32_t slot, unsigned size,
                       uint32_t *count)
{
	uint64_t at = field(r, t, slot), n;

	*count = 0;
	if (!at)
		return 0;
	at = follow(r, at);
	n = load(r, at, 4);
	if (r->bad || n > (r->b.len - at - 4) / size) {
		r->bad = true;
		return 0;
	}
	*count = (uint32_t)n;
	return at + 4;
}

/* ---- values ------------------------------------------------------------------ */

/* Reads the field XNNTensorValue.dims. */
static void read_shape(struct reader *r, const struct table *tensor, struct value *v)
{
	uint64_t at = vector(r, tensor, 2, 4, &v->rank);

	if (v->rank > MAX_DIMS)
		v->rank = 0;
	v->rows = v->rank > 0;
	for (uint32_t i = 0; i < v->rank; i++) {
		uint64_t dim = load(r, at + 4 * (uint64_t)i, 4);

		if (i + 1 == v->rank)
			v->last = dim;
		else if (dim != 0 && v->rows > UINT64_MAX / dim)
			v->rows = 0;
		else
			v->rows *= dim;
		if (i + 2 == v->rank)
			v->last2 = dim;
	}
}

static void read_value(struct reader *r, uint64_t at)
{
	struct table x = table_at(r, follow(r, at)), tensor = child(r, &x, 1);
	struct value v = { .type = DATATYPE_UNKNOWN };
	uint64_t id, type;

	if (number(r, &x, 0, 1) == 2) /* an XNNQuantizedTensorValue contains the XNNTensorValue */
		tensor = child(r, &tensor, 0);
	if (r->bad || tensor.at == 0)
		return;
	type = number(r, &tensor, 0, 2);
	v.type = type <= DATATYPE_BF16 ? (uint8_t)type : DATATYPE_UNKNOWN;
	read_shape(r, &tensor, &v);
	/* 1 if the value is an output of the graph (XNN_VALUE_FLAG_EXTERNAL_OUTPUT) */
	v.consumers = number(r, &tensor, 5, 4) >> 1 & 1;
	id = number(r, &tensor, 6, 4);
	/* Ids are numbers from 0 to value_count - 1; a value with another id is ignored. */
	if (id < r->value_count)
		r->values[id] = v;
}

static const struct value *value_of(const struct reader *r, uint32_t id)
{
	static const struct value none = { .type = DATATYPE_UNKNOWN };

	return id < r->value_count ? &r->values[id] : &none;
}

/* ---- nodes ------------------------------------------------------------------- */

enum { NO_SLOT = 255 };

/* The slots of a node's table that have the ids of its input and output values. They depend on the
 * kind of the node: see slots_of(). */
struct slots {
	uint8_t input, input2, output;
};

static struct slots slots_of(unsigned kind)
{
	switch (kind) {
	case KIND_ADD:
	case KIND_DIV:
	case KIND_MINIMUM:
	case KIND_MULTIPLY:
	case KIND_SUBTRACT:
	case KIND_MAXIMUM:
	case KIND_PRELU:
	case KIND_BMM:
		return (struct slots){ 0, 1, 2 };
	case KIND_FULLY_CONNECTED:
		return (struct slots){ 0, 1, 3 };
	case KIND_CONV2D:
	case KIND_DEPTHWISE:
	case KIND_CONV_TRANSPOSE:
		return (struct slots){ 15, 16, 18 };
	case KIND_TRANSPOSE:
	case KIND_RESIZE:
	case KIND_RESHAPE:
		return (struct slots){ 2, NO_SLOT, 3 };
	case KIND_PAD:
	case KIND_SLICE:
		return (struct slots){ 3, NO_SLOT, 4 };
	case KIND_AVG_POOL:
	case KIND_MAX_POOL:
		return (struct slots){ 10, NO_SLOT, 11 };
	case KIND_ARGMAX_POOL:
		return (struct slots){ 6, NO_SLOT, 7 };
	case KIND_LEAKY_RELU:
	case KIND_ELU:
		return (struct slots){ 1, NO_SLOT, 2 };
	case KIND_CAT2:
	case KIND_CAT3:
	case KIND_CAT4:
	case KIND_CAT5:
		return (struct slots){ 1, 2, 5 };
	case KIND_ATTENTION:
		return (struct slots){ 0, 1, 5 };
	default:
		return (struct slots){ 0, NO_SLOT, 1 };
	}
}

static uint32_t id_at(struct reader *r, const struct table *t, uint8_t slot)
{
	return slot == NO_SLOT ? XNNPACK_NO_VALUE : (uint32_t)number(r, t, slot, 4);
}

/* Reads a convolution. Slots of table _XNNNodeConv: paddings 0-3, kernel 4-5, strides 6-7, channels
 * 10-11, groups 12. */
static void read_convolution(struct reader *r, const struct table *t, struct xnnpack_node *node)
{
	uint64_t padding = 0, in = number(r, t, 10, 4), out = number(r, t, 11, 4);

	for (uint32_t i = 0; i < 4; i++)
		padding |= number(r, t, i, 4);
	node->one_by_one = number(r, t, 4, 4) == 1 && number(r, t, 5, 4) == 1;
	node->one_channel = in == 1;
	node->pointwise = node->kind == KIND_CONV2D && node->one_by_one && padding == 0 &&
	                  number(r, t, 6, 4) == 1 && number(r, t, 7, 4) == 1 &&
	                  number(r, t, 12, 4) == 1 && in + out > 2;
}

static void read_permutation(struct reader *r, const struct table *t, struct xnnpack_node *node)
{
	uint32_t n;
	uint64_t at = vector(r, t, 1, 4, &n);

	node->swaps_last = n >= 2 && n <= MAX_DIMS;
	for (uint32_t i = 0; i < n && node->swaps_last; i++) {
		uint32_t to = i + 2 < n ? i : 2 * n - 3 - i;

		node->swaps_last = load(r, at + 4 * (uint64_t)i, 4) == to;
	}
}

static void count_consumer(struct reader *r, uint32_t id)
{
	if (id < r->value_count && r->values[id].consumers < UINT32_MAX)
		r->values[id].consumers++;
}

/* Counts, for each value, the node's use of it. Besides the two inputs that every node may have, a
 * concatenation has up to three more, and an attention has a value, a scale and a mask. */
static void count_uses(struct reader *r, const struct table *t, const struct xnnpack_node *node)
{
	static const struct {
		uint8_t kind, slots[3];
	} more[] = { { KIND_CAT3, { 3, NO_SLOT, NO_SLOT } },
		     { KIND_CAT4, { 3, 4, NO_SLOT } },
		     { KIND_CAT5, { 3, 4, 7 } },
		     { KIND_ATTENTION, { 2, 3, 4 } } };

	count_consumer(r, node->input);
	count_consumer(r, node->input2);
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		for (size_t k = 0; k < 3 && more[i].kind == node->kind; k++)
			count_consumer(r, id_at(r, t, more[i].slots[k]));
}

static void read_node(struct reader *r, uint64_t at, struct xnnpack_node *node)
{
	struct table x = table_at(r, follow(r, at)), t = child(r, &x, 1);
	uint64_t kind = number(r, &x, 0, 1);
	struct slots slots = slots_of((unsigned)kind);

	memset(node, 0, sizeof *node);
	node->kind = kind < KIND_COUNT ? (uint8_t)kind : KIND_COUNT;
	node->handle = (uint32_t)number(r, &x, 2, 4);
	if (node->handle == NO_HANDLE)
		node->handle = 0;
	node->limits = field(r, &x, 3) != 0;
	node->input = node->input2 = node->output = XNNPACK_NO_VALUE;
	if (t.at == 0 || node->kind == KIND_COUNT)
		return;
	node->input = id_at(r, &t, slots.input);
	node->input2 = id_at(r, &t, slots.input2);
	node->output = id_at(r, &t, slots.output);
	count_uses(r, &t, node);
	node->type = value_of(r, node->input)->type;
	node->type2 = value_of(r, node->input2)->type;
	node->out_type = value_of(r, node->output)->type;
	if (slots.input == 15)
		read_convolution(r, &t, node);
	if (node->kind == KIND_TRANSPOSE)
		read_permutation(r, &t, node);
	if (node->kind == KIND_FULLY_CONNECTED || node->pointwise)
		node->rows = value_of(r, node->input)->rows;
	if (node->kind == KIND_BMM)
		node->rows = value_of(r, node->input)->last2;
}

/* Sets feeds_rhs of each node to whether the node's result is used exactly once, as the right-hand
 * side of a matrix product. */
static void link_nodes(struct reader *r, struct xnnpack_blob *blob)
{
	/* The sizes in `last` are not needed any more. From here on, `last` is 1 if the value is
	 * the right-hand operand of a matrix product. */
	for (uint32_t i = 0; i < r->value_count; i++)
		r->values[i].last = 0;
	for (uint32_t i = 0; i < blob->count; i++) {
		const struct xnnpack_node *n = &blob->nodes[i];

		if ((n->kind == KIND_BMM || n->kind == KIND_FULLY_CONNECTED) &&
		    n->input2 < r->value_count)
			r->values[n->input2].last = 1;
	}
	for (uint32_t i = 0; i < blob->count; i++) {
		const struct value *v = value_of(r, blob->nodes[i].output);

		blob->nodes[i].feeds_rhs = v->last == 1 && v->consumers == 1;
	}
}

/* ---- the blob ---------------------------------------------------------------- */

/* Returns the part of the blob before its constants; empty: the blob is not XNNPACK's. */
static struct etcore_bytes graph_of(struct etcore_bytes processed)
{
	struct reader r = { .b = processed };
	uint64_t offset, size;

	if (processed.len < 8)
		return (struct etcore_bytes){ NULL, 0 };
	if (memcmp(processed.ptr + 4, "XH00", 4) == 0) {
		offset = load(&r, 10, 4);
		size = load(&r, 14, 4);
		if (r.bad || offset > processed.len || size > processed.len - offset)
			return (struct etcore_bytes){ NULL, 0 };
		processed = (struct etcore_bytes){ processed.ptr + offset, size };
	}
	if (processed.len < 8 || (memcmp(processed.ptr + 4, "XN00", 4) != 0 &&
	                          memcmp(processed.ptr + 4, "XN01", 4) != 0))
		return (struct etcore_bytes){ NULL, 0 };
	return processed;
}

etcore_result xnnpack_blob_read(struct etcore_bytes processed, struct xnnpack_blob *blob)
{
	struct reader r = { .b = graph_of(processed) };
	uint64_t nodes, values;
	struct table graph;

	memset(blob, 0, sizeof *blob);
	if (r.b.len == 0)
		return ETCORE_CORRUPT;
	graph = table_at(&r, follow(&r, 0));
	nodes = vector(&r, &graph, 1, 4, &blob->count);
	values = vector(&r, &graph, 2, 4, &r.value_count);
	if (r.bad)
		return ETCORE_CORRUPT;
	if (blob->count == 0 || blob->count > MAX_NODES || r.value_count > MAX_VALUES)
		return ETCORE_DECLINE;
	r.values = calloc((size_t)r.value_count + 1, sizeof *r.values);
	blob->nodes = calloc(blob->count, sizeof *blob->nodes);
	if (!r.values || !blob->nodes) {
		free(r.values);
		xnnpack_blob_free(blob);
		return ETCORE_NOMEM;
	}
	for (uint32_t i = 0; i < r.value_count && !r.bad; i++)
		read_value(&r, values + 4 * (uint64_t)i);
	for (uint32_t i = 0; i < blob->count && !r.bad; i++)
		read_node(&r, nodes + 4 * (uint64_t)i, &blob->nodes[i]);
	link_nodes(&r, blob);
	free(r.values);
	if (r.bad)
		xnnpack_blob_free(blob);
	return r.bad ? ETCORE_CORRUPT : ETCORE_OK;
}

void xnnpack_blob_free(struct xnnpack_blob *blob)
{
	free(blob->nodes);
	memset(blob, 0, sizeof *blob);
}
