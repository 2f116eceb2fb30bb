/* blob.h -- reads the nodes of an XNNPACK delegate from its blob in the program.
 *
 * ExecuTorch's XNNPACK partitioner serializes each partition as
 *
 *     "XH00" at byte 4: u16 header length at 8, u32 offset and u32 size of a
 *     FlatBuffer at 10 and 14 (blobs without it are the FlatBuffer itself)
 *     FlatBuffer "XN00" or "XN01": runtime_schema.fbs, table XNNGraph
 *
 * Of a node, only properties that distinguish it from others are read: its kind, its debug handle,
 * and the types and shapes of its operands. Constants are not read. Every offset is checked; if one
 * is out of bounds, the whole blob counts as unreadable. */
#ifndef PLUGINS_XNNPACK_BLOB_H
#define PLUGINS_XNNPACK_BLOB_H

#include <etcore/plugin.h>
#include <stdbool.h>

/* The members of the schema's union XNodeUnion (runtime_schema.fbs) that the plugin's code
 * names. */
enum xnnpack_kind {
	KIND_NONE = 0,
	KIND_ADD = 1,
	KIND_FULLY_CONNECTED = 2,
	KIND_SOFTMAX = 3,
	KIND_SIGMOID = 4,
	KIND_TRANSPOSE = 5,
	KIND_CLAMP = 6,
	KIND_CONV2D = 7,
	KIND_DIV = 8,
	KIND_RESIZE = 9,
	KIND_PAD = 10,
	KIND_AVG_POOL = 11,
	KIND_MINIMUM = 12,
	KIND_DEPTHWISE = 13,
	KIND_MAX_POOL = 14,
	KIND_MULTIPLY = 15,
	KIND_SUBTRACT = 16,
	KIND_FLOOR = 17,
	KIND_CONVERT = 18,
	KIND_GLOBAL_AVG_POOL = 19,
	KIND_RESHAPE = 20,
	KIND_ARGMAX_POOL = 21,
	KIND_SQUARE_ROOT = 22,
	KIND_CEILING = 23,
	KIND_HARDSWISH = 24,
	KIND_LEAKY_RELU = 25,
	KIND_MAXIMUM = 26,
	KIND_NEGATE = 27,
	KIND_SQUARE = 28,
	KIND_ELU = 29,
	KIND_ABS = 30,
	KIND_PRELU = 31,
	KIND_CAT2 = 32,
	KIND_CAT3 = 33,
	KIND_CAT4 = 34,
	KIND_SLICE = 35,
	KIND_ATTENTION = 36,
	KIND_BMM = 37,
	KIND_CAT5 = 38,
	KIND_CONV_TRANSPOSE = 39,
	KIND_RSQRT = 40,
	KIND_LOG = 41,
	KIND_GELU = 42,
	KIND_TANH = 43,
	KIND_EXP = 44,
	KIND_SIN = 45,
	KIND_COPY = 46,
	KIND_COS = 47,
	KIND_COUNT = 48 /* kinds that only later schemas have begin here */
};

/* The types of values: the enum XNNDatatype of runtime_schema.fbs. */
enum xnnpack_datatype {
	DATATYPE_UNKNOWN = 0,
	DATATYPE_FP32 = 1,
	DATATYPE_FP16 = 2,
	DATATYPE_QINT8 = 3,
	DATATYPE_QUINT8 = 4,
	DATATYPE_QINT32 = 5,
	DATATYPE_QCINT8 = 6,
	DATATYPE_QCINT32 = 7,
	DATATYPE_QCINT4 = 8,
	DATATYPE_QDINT8 = 9,
	DATATYPE_QBINT4 = 10,
	DATATYPE_QPINT8 = 11,
	DATATYPE_INT32 = 12,
	DATATYPE_PFP32 = 13,
	DATATYPE_BF16 = 14
};

#define XNNPACK_NO_VALUE UINT32_MAX

struct xnnpack_node {
	/* the node's debug handle; 0: it has none, because the partitioner added the node */
	uint32_t handle;
	uint32_t input, input2, output; /* value ids; XNNPACK_NO_VALUE: none */
	uint8_t kind;                   /* enum xnnpack_kind; KIND_COUNT: unknown */
	uint8_t type, type2, out_type;  /* enum xnnpack_datatype of the values above */
	/* XNode.output_min_max is set, because an activation was fused with the node */
	bool limits;
	bool pointwise;   /* a 1x1 convolution that XNNPACK runs as Fully Connected */
	bool one_by_one;  /* a convolution with a kernel of 1x1 */
	bool one_channel; /* a convolution with one input channel per group */
	bool swaps_last;  /* a transpose of only the last two dimensions */
	/* the node's result is used only once, as the right-hand side of a matrix product */
	bool feeds_rhs;
	uint64_t rows; /* number of rows of the left operand of a matrix product; 0: unknown */
};

struct xnnpack_blob {
	struct xnnpack_node *nodes; /* `count` nodes, in the order of the blob */
	uint32_t count;
};

/* Reads the nodes of the blob `processed`. Returns ETCORE_OK or ETCORE_NOMEM; ETCORE_CORRUPT: the
 * blob is damaged, or is not one of XNNPACK; ETCORE_DECLINE: it has too many nodes or values. After
 * ETCORE_OK, the caller must call xnnpack_blob_free(). */
etcore_result xnnpack_blob_read(struct etcore_bytes processed, struct xnnpack_blob *blob);
void xnnpack_blob_free(struct xnnpack_blob *blob);

#endif
