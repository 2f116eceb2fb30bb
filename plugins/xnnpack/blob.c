/* blob.c -- see blob.h
 *
 * Every offset is checked against the FlatBuffer before it is followed; numbers
 * are read byte by byte, so nothing needs to be aligned. Nodes are at least 8
 * bytes each in the file, so a small file cannot claim many. */
#include "blob.h"

#include <stdlib.h>
#include <string.h>

enum { NO_HANDLE = 65535, NODES_MAX = 1 << 20, SEARCH_MAX = 1 << 22 };
enum { QDINT8 = 9, QPINT8 = 11 }; /* XNNDatatype */

/* The FlatBuffer. A place of 0 means: absent, or damaged. */
struct buffer {
	const uint8_t *bytes;
	uint64_t len;
};

static bool fits(const struct buffer *b, uint64_t at, uint64_t n)
{
	return at <= b->len && n <= b->len - at;
}

static uint64_t number(const struct buffer *b, uint64_t at, unsigned width)
{
	uint64_t v = 0;

	if (!fits(b, at, width))
		return 0;
	for (unsigned i = width; i-- > 0;)
		v = v << 8 | b->bytes[at + i];
	return v;
}

/* Where field `slot` of the table at `table` is. */
static uint64_t field(const struct buffer *b, uint64_t table, unsigned slot)
{
	int64_t back = (int32_t)number(b, table, 4);
	uint64_t vtable = (uint64_t)((int64_t)table - back), size, offset;

	if (!table || !fits(b, table, 4) || (int64_t)table - back < 0 || !fits(b, vtable, 4))
		return 0;
	size = number(b, vtable, 2);
	if (4 + 2 * (uint64_t)slot + 2 > size || !fits(b, vtable, size))
		return 0;
	offset = number(b, vtable + 4 + 2 * (uint64_t)slot, 2);
	return offset && fits(b, table + offset, 1) ? table + offset : 0;
}

static uint64_t follow(const struct buffer *b, uint64_t at)
{
	uint64_t to = at && fits(b, at, 4) ? at + number(b, at, 4) : 0;

	return to > at && fits(b, to, 4) ? to : 0;
}

static uint64_t value(const struct buffer *b, uint64_t table, unsigned slot, unsigned width)
{
	uint64_t at = field(b, table, slot);

	return at ? number(b, at, width) : 0;
}

/* A vector of tables: its first entry, and how many there are. */
static uint64_t tables(const struct buffer *b, uint64_t table, unsigned slot, uint32_t *count)
{
	uint64_t at = follow(b, field(b, table, slot));
	uint64_t n = at ? number(b, at, 4) : 0;

	*count = 0;
	if (!at || n > NODES_MAX || !fits(b, at + 4, n * 4))
		return 0;
	*count = (uint32_t)n;
	return at + 4;
}

/* ---- values ------------------------------------------------------------------ */

/* The XNNTensorValue of values[i], and its number (id_out). */
static uint64_t tensor_at(const struct buffer *b, uint64_t values, uint32_t i, uint64_t *id)
{
	uint64_t x = follow(b, values + 4 * (uint64_t)i), tensor = follow(b, field(b, x, 1));

	if (value(b, x, 0, 1) == 2) /* XNNQuantizedTensorValue */
		tensor = follow(b, field(b, tensor, 0));
	*id = value(b, tensor, 6, 4);
	return tensor;
}

/* The tensor with this number, or 0. Values are numbered as they stand in nearly
 * every file, so that place is tried first. */
static uint64_t tensor_of(const struct buffer *b, uint64_t graph, uint64_t id, uint32_t *left)
{
	uint32_t count;
	uint64_t values = tables(b, graph, 2, &count), at, tensor;

	if (id < count) {
		tensor = tensor_at(b, values, (uint32_t)id, &at);
		if (at == id)
			return tensor;
	}
	for (uint32_t i = 0; i < count && *left; i++, --*left) {
		tensor = tensor_at(b, values, i, &at);
		if (at == id)
			return tensor;
	}
	return 0;
}

/* Product of all dimensions but the last; `last_only`: of the one before it. */
static uint64_t rows_of(const struct buffer *b, uint64_t tensor, bool last_only)
{
	uint64_t dims = follow(b, field(b, tensor, 2)), n = dims ? number(b, dims, 4) : 0;
	uint64_t rows = 1;

	if (n < 1 || n > 8 || !fits(b, dims + 4, n * 4))
		return 0;
	for (uint64_t i = last_only && n > 1 ? n - 2 : 0; i + 1 < n; i++)
		if (__builtin_mul_overflow(rows, number(b, dims + 4 + 4 * i, 4), &rows))
			return 0;
	return rows;
}

/* ---- nodes ------------------------------------------------------------------- */

/* _XNNNodeConv: padding 0 to 3, kernel 4 and 5, subsampling 6 and 7, channels per
 * group 10, groups 12. */
static void read_convolution(const struct buffer *b, uint64_t conv, struct xnnpack_node *node)
{
	bool padded = false;

	for (unsigned slot = 0; slot < 4; slot++)
		padded = padded || value(b, conv, slot, 4);
	node->pointwise = node->kind == XNN_CONV2D && !padded && value(b, conv, 4, 4) == 1 &&
	                  value(b, conv, 5, 4) == 1 && value(b, conv, 6, 4) == 1 &&
	                  value(b, conv, 7, 4) == 1 && value(b, conv, 12, 4) == 1;
	node->depthwise = value(b, conv, 10, 4) == 1 && value(b, conv, 12, 4) > 1;
}

/* `left`: values that may still be searched through. */
static void read_node(const struct buffer *b, uint64_t graph, uint64_t x, uint32_t *left,
                      struct xnnpack_node *node)
{
	uint64_t kind = value(b, x, 0, 1), body = follow(b, field(b, x, 1));
	uint64_t handle = value(b, x, 2, 4);

	node->kind = (uint8_t)(kind < XNN_NODE_KINDS ? kind : XNN_NODE_KINDS);
	node->handle = handle == NO_HANDLE ? 0 : (uint32_t)handle;
	if (node->kind == XNN_CONV2D || node->kind == XNN_DEPTHWISE_CONV2D)
		read_convolution(b, body, node);
	if (node->kind == XNN_CONVERT) {
		uint64_t type = value(b, tensor_of(b, graph, value(b, body, 1, 4), left), 0, 2);

		node->dynamic = type == QDINT8 || type == QPINT8;
	}
	if (node->kind == XNN_FULLY_CONNECTED || node->kind == XNN_BATCH_MATRIX_MULTIPLY ||
	    node->pointwise) {
		unsigned slot = node->pointwise ? 15 : 0; /* input1_id */

		node->rows = rows_of(b, tensor_of(b, graph, value(b, body, slot, 4), left),
		                     node->kind == XNN_BATCH_MATRIX_MULTIPLY);
	}
}

bool xnnpack_blob_read(struct etcore_bytes processed, struct xnnpack_blob *out)
{
	struct buffer file = { processed.ptr, processed.len }, b;
	uint64_t offset = number(&file, 10, 4), graph, nodes;
	uint32_t count, left = SEARCH_MAX;

	memset(out, 0, sizeof *out);
	if (!fits(&file, 0, 22) || memcmp(file.bytes + 4, "XH00", 4) != 0 ||
	    !fits(&file, offset, number(&file, 14, 4)))
		return false;
	b = (struct buffer){ file.bytes + offset, number(&file, 14, 4) };
	if (!fits(&b, 0, 8) || memcmp(b.bytes + 4, "XN0", 3) != 0)
		return false;
	graph = number(&b, 0, 4);
	nodes = tables(&b, graph, 1, &count);
	if (!nodes || count == 0)
		return false;
	out->nodes = calloc(count, sizeof *out->nodes);
	if (!out->nodes)
		return false;
	out->count = count;
	for (uint32_t i = 0; i < count; i++)
		read_node(&b, graph, follow(&b, nodes + 4 * (uint64_t)i), &left, &out->nodes[i]);
	return true;
}

void xnnpack_blob_release(struct xnnpack_blob *blob)
{
	free(blob->nodes);
	memset(blob, 0, sizeof *blob);
}
