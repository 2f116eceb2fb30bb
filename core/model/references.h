/* references.h -- reference values: the output of each node of an exported graph, computed by
 * torch. The outputs of a device are compared with them. Made by formats/etrecord/references.c from
 * a safetensors file of sdk/python/record_references.py. */
#ifndef ETC_MODEL_REFERENCES_H
#define ETC_MODEL_REFERENCES_H

#include "model/safetensors.h"

enum etc_reference_kind {
	ETC_REFERENCE_NONE,   /* None, or a value without numbers */
	ETC_REFERENCE_TENSOR, /* a tensor: one item */
	ETC_REFERENCE_LIST,   /* a list of tensors, for a node with several outputs */
	ETC_REFERENCE_NUMBER  /* a number: one item without dimensions */
};

/* A node, by its name in the graph. */
struct etc_reference_op {
	struct etc_str name, stack_trace; /* `stack_trace`: its ptr is NULL if the node has none */
};

/* The reference value that belongs to one debug handle. */
struct etc_reference {
	/* the debug handle: usually one number, but the format allows a list of numbers */
	const int64_t *handle;
	uint32_t handle_count;
	uint8_t kind; /* enum etc_reference_kind */
	const struct etc_safetensor *const *items;
	uint32_t count;
	const struct etc_reference_op *ops; /* nodes with this handle, in graph order */
	uint32_t op_count;
};

struct etc_reference_method {
	/* names of the method and of the graph, such as "forward" and "exported_program" */
	struct etc_str method, graph;
	const struct etc_reference *values; /* in the order of computation */
	uint32_t count;
	/* one entry for each node of the edge program, in its order, with the node's operator as
	 * the only entry of `ops`; NULL in older files */
	const struct etc_reference *nodes;
	uint32_t node_count;
};

struct etc_references {
	const struct etc_reference_method *methods;
	uint32_t count;
};

#endif
