/* blob.h -- the nodes of an XNNPACK delegate, from the program's blob.
 *
 * The `processed` bytes of the delegate are a header ("XH00" at byte 4) and a
 * FlatBuffer ("XN00" or "XN01") by ExecuTorch's
 * backends/xnnpack/serialization/runtime_schema.fbs: XNNGraph.xnodes, each with
 * the edge dialect's debug handle, in the order in which XNNPACK runs them. */
#ifndef PLUGINS_XNNPACK_BLOB_H
#define PLUGINS_XNNPACK_BLOB_H

#include <etcore/plugin.h>
#include <stdbool.h>

/* XNodeUnion of the schema: the number is the union's type. */
enum xnnpack_node_kind {
	XNN_NODE_NONE,
	XNN_ADD,
	XNN_FULLY_CONNECTED,
	XNN_SOFTMAX,
	XNN_SIGMOID,
	XNN_STATIC_TRANSPOSE,
	XNN_CLAMP,
	XNN_CONV2D,
	XNN_DIV,
	XNN_STATIC_RESIZE_BILINEAR2D,
	XNN_STATIC_CONSTANT_PAD,
	XNN_AVG_POOLING2D,
	XNN_MINIMUM,
	XNN_DEPTHWISE_CONV2D,
	XNN_MAX_POOLING2D,
	XNN_MULTIPLY,
	XNN_SUBTRACT,
	XNN_FLOOR,
	XNN_CONVERT,
	XNN_GLOBAL_AVG_POOLING2D,
	XNN_STATIC_RESHAPE,
	XNN_ARG_MAX_POOLING2D,
	XNN_SQUARE_ROOT,
	XNN_CEILING,
	XNN_HARDSWISH,
	XNN_LEAKY_RELU,
	XNN_MAXIMUM,
	XNN_NEGATE,
	XNN_SQUARE,
	XNN_ELU,
	XNN_ABS,
	XNN_PRELU,
	XNN_CONCATENATE2,
	XNN_CONCATENATE3,
	XNN_CONCATENATE4,
	XNN_STATIC_SLICE,
	XNN_SCALED_DOT_PRODUCT_ATTENTION,
	XNN_BATCH_MATRIX_MULTIPLY,
	XNN_CONCATENATE5,
	XNN_CONV_TRANSPOSE2D,
	XNN_RECIPROCAL_SQUARE_ROOT,
	XNN_LOG,
	XNN_GELU,
	XNN_TANH,
	XNN_EXP,
	XNN_SIN,
	XNN_COPY,
	XNN_COS,
	XNN_NODE_KINDS /* a newer kind is this or above */
};

struct xnnpack_node {
	uint8_t kind;    /* enum xnnpack_node_kind */
	bool pointwise;  /* CONV2D: 1x1, stride 1, no padding, one group: runs as fully connected */
	bool depthwise;  /* CONV2D, DEPTHWISE_CONV2D: one input channel per group */
	bool dynamic;    /* CONVERT: to dynamically quantized values */
	uint32_t handle; /* XNode.debug_handle; 0: none */
	/* Rows of the left operand of a matrix product, as the program's shapes have
	 * it; 0: no such product, or unknown. A bound if a dimension is dynamic. */
	uint64_t rows;
};

struct xnnpack_blob {
	struct xnnpack_node *nodes; /* malloc'ed */
	uint32_t count;
};

/* False: no such blob, damaged, or no memory. Release it when true. */
bool xnnpack_blob_read(struct etcore_bytes processed, struct xnnpack_blob *out);
void xnnpack_blob_release(struct xnnpack_blob *blob);

#endif
