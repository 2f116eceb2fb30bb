/* graph_line.h -- a graph as readable text: its nodes in order, with their arguments. Only `etcore
 * dump --graph` uses it. It has what record.h leaves out because no analysis needs it: the
 * arguments, and the nodes to which no event refers (placeholders, getitem, get_attr, the output).
 * Made by formats/etrecord/graph_lines.c. */
#ifndef ETC_MODEL_GRAPH_LINE_H
#define ETC_MODEL_GRAPH_LINE_H

#include "model/record.h"

enum etc_line_op {
	ETC_LINE_PLACEHOLDER,
	ETC_LINE_GET_ATTR, /* a subgraph or lowered module that a call uses */
	ETC_LINE_CALL,     /* a call of an operator: FX's call_function */
	ETC_LINE_OUTPUT
};

/* The role of a placeholder, according to the graph's signature. */
enum etc_line_input {
	/* the line is not a placeholder, or the graph's signature does not mention it */
	ETC_INPUT_UNKNOWN,
	ETC_INPUT_USER,
	ETC_INPUT_STATE, /* a parameter, buffer, constant or token */
	/* a buffer that the graph changes: it keeps its value from the previous run */
	ETC_INPUT_CHANGED
};

struct etc_graph_argument {
	/* name of the operator's parameter that gets the argument; empty for higher-order
	 * operators */
	struct etc_str name;
	struct etc_str text; /* names of nodes and Python's literals: "x", "[1, 1]", "torch.int8" */
	bool keyword;        /* passed by keyword, as a dtype, layout or device always is */
};

struct etc_graph_line {
	uint8_t op;    /* enum etc_line_op */
	uint8_t input; /* enum etc_line_input */
	struct etc_str name;
	/* name, in the model, of the parameter or buffer that the line stands for; or empty */
	struct etc_str weight;
	/* the function that a call calls, as in the file: "_operator.getitem" */
	struct etc_str target;
	const struct etc_graph_argument *arguments;
	uint32_t argument_count;
	const struct etc_node
		/* for a call, its node; for a getitem, the node of the call that it reads from;
		 * NULL for other lines */
		*node;
};

struct etc_graph_lines {
	const struct etc_graph_line *v;
	uint32_t count;
};

#endif
