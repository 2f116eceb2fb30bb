/* graph_flow.h -- the tensors of a recorded graph, with the nodes that produce and consume
 * each. Made by formats/etrecord/graph_flow.c. */
#ifndef ETC_MODEL_GRAPH_FLOW_H
#define ETC_MODEL_GRAPH_FLOW_H

#include "base/map.h"
#include "model/delegate_graph.h"

struct etc_graph_tensor {
	const int64_t *sizes; /* the tensor's sizes; -1: the size is not fixed */
	/* for each size that is not fixed, its expression, such as "2*s77"; NULL: all sizes are
	 * fixed */
	const struct etc_str *expressions;
	uint32_t rank;
	uint32_t value; /* index among the graph's values; UINT32_MAX: none */
	int8_t type;    /* code of etc_scalar_type(); -1: another type */
	bool known;     /* the graph has sizes and type of this value */
};

/* A range of etc_graph_flow.tensors. */
struct etc_graph_tensors {
	uint32_t first, count;
};

/* Tensors of a node in the order of its operator's arguments, with the items of lists. */
struct etc_graph_call {
	struct etc_graph_tensors inputs, outputs;
	uint32_t nones;   /* number of inputs that are None */
	bool clamps;      /* the node limits its input to a range: ReLU, Hardtanh, clamp */
	bool accumulates; /* index_put() that adds to the stored values instead of replacing them */
	bool normalises;  /* batch normalisation, which backends fuse with the node before it */
	float low, high;  /* if `clamps`: limits of the range; NaN: unknown */
	/* parameters of the convolution; NULL: the node is not a convolution */
	const struct etc_convolution *convolution;
	/* JSON text of the node, which etc_graph_arguments_read() reads; set only by
	 * etc_graph_flow_read() */
	struct etc_str json;
};

/* A key of the set etc_graph_flow.takes: the node has an input of `elements` elements which is not
 * its main input (the argument "input", "self" or "mat1"). */
struct etc_node_takes {
	uint64_t elements;
	uint64_t node; /* the node's number: etc_node.index */
};

/* The largest value that a symbol can have, such as 64 for "s77". A symbol is the variable that
 * stands for a size that is not fixed. */
struct etc_graph_bound {
	struct etc_str symbol;
	uint64_t largest;
};

struct etc_graph_flow {
	struct etc_map
		/* the set of all numbers of elements that tensors of fixed size have; a key is
		 * one such number, 8 bytes */
		elements;
	/* the set of all struct etc_node_takes of the graph; its keys are these structs */
	struct etc_map takes;
	/* tensors of each node: one element per node of the graph */
	const struct etc_graph_call *calls;
	const struct etc_graph_tensor *tensors;
	/* for each value: index of the last node that limits it to a range or normalises it
	 * (`clamps`, `normalises`); UINT32_MAX: none */
	const uint32_t *behind;
	/* for each value: index of the node that returns it; UINT32_MAX: none. Set only by
	 * etc_graph_flow_read(). */
	const uint32_t *maker;
	/* maps the name of a weight, buffer or constant, such as "a.weight", to the value that
	 * stands for it; set only by etc_graph_flow_read() */
	struct etc_map weights;
	/* The members from `input` to `outputs` are empty if etc_graph_flow_read() was not used. */
	/* for each value: its position among the inputs that the user gives; UINT32_MAX: it is no
	 * such input */
	const uint32_t *input;
	uint32_t input_count; /* number of inputs that the user gives */
	struct etc_graph_tensors
		/* the inputs that the user gives; an input that is not a tensor has the value
		 * UINT32_MAX */
		inputs;
	/* the largest values of the symbols in expressions (range_constraints of the record) */
	const struct etc_graph_bound *bounds;
	uint32_t bound_count;
	/* the outputs that the user gets; an output that is not a tensor has the value
	 * UINT32_MAX */
	struct etc_graph_tensors outputs;
	uint32_t value_count;
	bool whole; /* the complete graph was read */
};

#endif
