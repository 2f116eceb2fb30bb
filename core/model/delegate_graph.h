/* delegate_graph.h -- the graph in a delegate's blob. With its operators and constants, etcore
 * decides whether the program is from the same export as a record. The graph's values with their
 * sizes are there only if the graph was read completely. */
#ifndef ETC_MODEL_DELEGATE_GRAPH_H
#define ETC_MODEL_DELEGATE_GRAPH_H

#include "base/span.h"

/* Kinds of operators for which each operator of the exported graph is one operator of the delegate:
 * a backend neither drops nor adds operators of these kinds, nor fuses two of the same kind. */
enum etc_delegate_kind {
	ETC_DELEGATE_PRODUCT, /* linear, convolution, product of matrices */
	ETC_DELEGATE_SOFTMAX,
	ETC_DELEGATE_POOL, /* max pooling */
	/* In a run, the number of events that name one of the kinds below may be less than the
	 * number of operators of this kind, because the event of a quantised operator does not name
	 * its kind. */
	ETC_DELEGATE_ADD,
	ETC_DELEGATE_SUBTRACT,
	ETC_DELEGATE_MULTIPLY,
	ETC_DELEGATE_DIVIDE,
	ETC_DELEGATE_SIGMOID,
	ETC_DELEGATE_HARDSWISH,
	ETC_DELEGATE_LEAKY_RELU,
	ETC_DELEGATE_ELU,
	ETC_DELEGATE_GELU,
	ETC_DELEGATE_TANH,
	ETC_DELEGATE_MINIMUM,
	ETC_DELEGATE_MAXIMUM,
	ETC_DELEGATE_ABSOLUTE,
	ETC_DELEGATE_NEGATE,
	ETC_DELEGATE_FLOOR,
	ETC_DELEGATE_CEILING,
	ETC_DELEGATE_SQUARE,
	ETC_DELEGATE_SQUARE_ROOT,
	ETC_DELEGATE_RECIPROCAL_ROOT,
	ETC_DELEGATE_LOGARITHM,
	ETC_DELEGATE_EXPONENTIAL,
	ETC_DELEGATE_SINE,
	ETC_DELEGATE_COSINE,
	ETC_DELEGATE_KINDS
};

/* Parameters of a convolution. A parameter that is not known is -1. */
struct etc_convolution {
	int64_t stride[2], padding[2], dilation[2], groups, transposed;
};

struct etc_delegate_node {
	int64_t handle; /* debug handle; 0: the partitioner added the node */
	uint8_t kind;   /* enum etc_delegate_kind; ETC_DELEGATE_KINDS: any other operator */
	/* Number of weights of a linear layer or convolution. 0: the node has no weights, or they
	 * are not constant. */
	uint64_t weights;
	uint64_t gives; /* number of elements of the node's result; 0: unknown */
	/* scalar type of the node's result if that is a float of 16 or 32 bits; 0: another type */
	int8_t type;
	bool has_bias; /* a bias is added to the result */
	bool is_convolution;
	/* parameters of the convolution; valid if `is_convolution` */
	struct etc_convolution convolution;
	bool clamps; /* the node only limits its input to a range */
	/* the node's output is limited to the range [low, high] */
	bool limited;
	float low, high;
};

static const uint32_t ETC_DELEGATE_NO_VALUE = UINT32_MAX;

/* The data of a constant: either bytes in the blob, or named data of the program. If both members
 * are empty, the data are unknown. */
struct etc_delegate_data {
	struct etc_span bytes;
	struct etc_str key;
};

/* The mapping from the integers of a quantised value to real numbers. */
struct etc_delegate_scaling {
	bool uniform; /* `scale` and `zero_point` apply to all elements */
	float scale;
	int32_t zero_point;
	/* data of the scales of a constant: a float for each channel, or a bfloat16 for each
	 * group */
	struct etc_delegate_data scales;
	uint64_t bytes; /* size of `scales`, in bytes */
};

/* Element types: values of the enum XNNDatatype in the schema of XNNPACK's blobs. */
enum etc_delegate_type {
	ETC_DELEGATE_FLOAT32 = 1,
	ETC_DELEGATE_FLOAT16 = 2,
	ETC_DELEGATE_QINT8 = 3,
	ETC_DELEGATE_QINT32 = 5,
	ETC_DELEGATE_QCINT8 = 6, /* integers of 8 bits with one scale per channel ("QC") */
	ETC_DELEGATE_QCINT32 = 7,
	ETC_DELEGATE_QCINT4 = 8,
	ETC_DELEGATE_DYNAMIC = 9,
	ETC_DELEGATE_QBINT4 = 10, /* integers of 4 bits with one scale per group of weights */
	ETC_DELEGATE_DYNAMIC_PACKED = 11,
	ETC_DELEGATE_BFLOAT16 = 14
};

/* A value of a delegate's graph. Only graphs that were read completely have their values. */
struct etc_delegate_value {
	const uint32_t *sizes; /* the value's sizes when the model was exported */
	uint32_t rank;
	uint16_t type; /* enum etc_delegate_type */
	bool constant;
	struct etc_delegate_data data; /* data of the value, if it is a constant */
	struct etc_delegate_scaling scaling;
	bool unsized; /* the value's sizes in a run are not known */
	/* the index of this value among the arguments of the delegate call; ETC_DELEGATE_NO_VALUE:
	 * it is not an argument */
	uint32_t argument;
};

enum { ETC_DELEGATE_INPUTS = 5 };

struct etc_delegate_numbers {
	const uint32_t *v;
	uint32_t count;
};

/* An operator of a completely read graph. Members that do not apply to the operator are 0. */
struct etc_delegate_operator {
	uint8_t kind; /* number of the operator in the schema's union XNodeUnion: model/xnode.h */
	uint8_t input_count;
	/* indices of the operator's input values in etc_delegate_graph.values, in the order of the
	 * schema's table; inputs that are absent are left out */
	uint32_t inputs[ETC_DELEGATE_INPUTS];
	uint32_t output;    /* index of the output in `values`, or ETC_DELEGATE_NO_VALUE */
	uint32_t window[2]; /* height and width of the window of a convolution or pooling */
	/* number of input and of output channels in each group of the convolution */
	uint32_t channels[2];
	bool transposed; /* for a matrix product: the right-hand side is transposed */
	float factor;    /* negative slope of a leaky ReLU, alpha of an ELU */
	/* Further numbers on which the sizes of the operator's result depend. numbers[0] has,
	 * for a transpose, the permutation; for a reshape, the new shape; for a resize, height
	 * and width; for a slice, the offsets; for a pad, the paddings before each dimension;
	 * for a concatenation, the axis; for a convolution, the fields padding_top to
	 * adjustment_width; for a pooling, the fields padding_top to dilation_width. numbers[1]
	 * has, for a slice, the sizes; for a pad, the paddings after each dimension. */
	struct etc_delegate_numbers numbers[2];
};

struct etc_delegate_graph {
	const struct etc_delegate_node *nodes;
	uint32_t count;
	/* `operators` and `values` are NULL if only a part of the graph was read. */
	const struct etc_delegate_operator *operators; /* one per node */
	const struct etc_delegate_value *values;
	uint32_t value_count;
	const uint64_t *constants; /* number of elements of each constant */
	uint32_t constant_count;
	/* `quantised`: some values of the graph are quantised; `quantised_constants`: some of its
	 * constants are quantised */
	bool quantised, quantised_constants;
	/* some values are quantised, and their ranges are computed at run time */
	bool dynamic;
};

#endif
