/* graph_sizes.h -- the tensors of a recorded graph: a second reading of its JSON, for who asks
 * whether a program's constants and calls are those of the graph. */
#ifndef ETC_READ_GRAPH_SIZES_H
#define ETC_READ_GRAPH_SIZES_H

#include "base/map.h"
#include "model/record.h"
#include "read/zip.h"

struct etc_graph_tensor {
	const int64_t *sizes; /* -1: not fixed */
	uint32_t rank;
	uint32_t value; /* which one of the graph's it is; UINT32_MAX: none */
	int8_t type;    /* code of etc_scalar_type(); -1: none of those */
	bool known;     /* else the graph does not say what it is */
};

/* Consecutive ones of etc_graph_sizes.tensors. */
struct etc_graph_tensors {
	uint32_t first, count;
};

/* Tensors of a node in the order of its operator's arguments, those of lists one by one. */
struct etc_graph_call {
	struct etc_graph_tensors inputs, outputs;
	uint32_t nones;  /* inputs that are None */
	bool clamps;     /* ReLU, Hardtanh, clamp: it limits its input */
	bool normalises; /* batch normalisation: backends fuse it with what is before it */
	float low, high; /* NaN: not known */
};

/* What a node takes beside the data that it works on ("input", "self", "mat1"): a key of
 * etc_graph_sizes.takes. */
struct etc_node_takes {
	uint64_t elements;
	uint64_t node; /* etc_node.index */
};

struct etc_graph_sizes {
	struct etc_map elements; /* of all tensors of fixed size: 8 bytes each as a key */
	struct etc_map takes;    /* struct etc_node_takes */
	const struct etc_graph_call *calls; /* of each of the graph's nodes */
	const struct etc_graph_tensor *tensors;
	/* Of each value: the last node that limits or normalises it, or UINT32_MAX. */
	const uint32_t *behind;
	bool whole; /* all was read */
};

/* Elements of a tensor of fixed size; false: it has none. */
bool etc_graph_elements(const struct etc_graph_tensor *t, uint64_t *elements);

/* What cannot be read adds nothing. E0904. */
enum etc_status etc_graph_sizes_read(const struct etc_zip *zip, const struct etc_graph *graph,
                                     struct etc_arena *arena, struct etc_graph_sizes *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
