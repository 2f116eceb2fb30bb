/* references.h -- what each node of an exported graph gave when torch ran it: the
 * reference for what a device computes. formats/etrecord/references.c fills it, out of a
 * safetensors file that sdk/python/record_references.py wrote. */
#ifndef ETC_MODEL_REFERENCES_H
#define ETC_MODEL_REFERENCES_H

#include "model/safetensors.h"

enum etc_reference_kind {
	ETC_REFERENCE_NONE,   /* None, or what has no numbers */
	ETC_REFERENCE_TENSOR, /* one item */
	ETC_REFERENCE_LIST,   /* of tensors: of a node with several outputs */
	ETC_REFERENCE_NUMBER  /* one item without dimensions */
};

/* A node by the name that it has in the graph. */
struct etc_reference_op {
	struct etc_str name, stack_trace; /* ptr NULL: None */
};

/* The value of one debug handle. */
struct etc_reference {
	const int64_t *handle; /* one number; the Inspector allows for several */
	uint32_t handle_count;
	uint8_t kind; /* enum etc_reference_kind */
	const struct etc_safetensor *const *items;
	uint32_t count;
	const struct etc_reference_op *ops; /* nodes with this handle, in graph order */
	uint32_t op_count;
};

struct etc_reference_method {
	struct etc_str method, graph;       /* "forward", "exported_program" */
	const struct etc_reference *values; /* in the order in which they were computed */
	uint32_t count;
};

struct etc_references {
	const struct etc_reference_method *methods;
	uint32_t count;
};

#endif
