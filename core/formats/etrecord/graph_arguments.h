/* graph_arguments.h -- reads the arguments of a node of a recorded graph. */
#ifndef ETC_FORMATS_ETRECORD_GRAPH_ARGUMENTS_H
#define ETC_FORMATS_ETRECORD_GRAPH_ARGUMENTS_H

#include "base/arena.h"
#include "base/error.h"

enum etc_graph_argument_kind {
	ETC_GRAPH_ARGUMENT_OTHER, /* another kind, such as a type, a symbol, or a damaged value */
	ETC_GRAPH_ARGUMENT_NONE,
	ETC_GRAPH_ARGUMENT_TENSOR,
	ETC_GRAPH_ARGUMENT_TENSORS,
	ETC_GRAPH_ARGUMENT_NUMBER, /* `numbers` has one item */
	ETC_GRAPH_ARGUMENT_NUMBERS,
	ETC_GRAPH_ARGUMENT_TEXT
};

/* A number, or an item of a list of numbers. */
struct etc_graph_number {
	/* `known`: the number is not a symbol. `whole`: the number is an integer or bool, and is
	 * stored in `integer`; otherwise it is stored in `real`. `boolean`: the number is a
	 * bool. */
	bool known, whole, boolean;
	int64_t integer;
	double real;
};

struct etc_graph_argument {
	struct etc_str name; /* name in the operator's schema */
	struct etc_str text; /* TEXT: as written between the quotes */
	const struct etc_graph_number *numbers;
	uint32_t count;  /* length of `numbers` */
	uint8_t kind;    /* enum etc_graph_argument_kind */
	bool positional; /* false: passed by keyword, or the exporter did not record how */
};

enum { ETC_GRAPH_ARGUMENTS = 64 };

struct etc_graph_arguments {
	struct etc_graph_argument v[ETC_GRAPH_ARGUMENTS];
	uint32_t count;
	bool whole; /* all arguments are in `v` */
};

/* Reads the arguments of the node with the JSON text `node`, which is followed by
 * ETC_GRAPH_NODE_ROOM readable bytes. E0904. */
enum { ETC_GRAPH_NODE_ROOM = 64 };
enum etc_status etc_graph_arguments_read(struct etc_str node, struct etc_arena *arena,
                                         struct etc_graph_arguments *out,
                                         struct etc_error *err) ETC_MUST_CHECK;

#endif
