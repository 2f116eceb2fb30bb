/* graph_node.h -- makes one node of a graph in an ETRecord from its JSON. */
#ifndef ETC_FORMATS_ETRECORD_GRAPH_NODE_H
#define ETC_FORMATS_ETRECORD_GRAPH_NODE_H

#include "formats/etrecord/etrecord_reader.h"
#include "formats/etrecord/fx_names.h"
#include "formats/etrecord/graph_schema.h"
#include "formats/etrecord/node_text.h"

/* One value that a node returns: an output of its own, or an item of an output that is a list. */
struct etc_node_output {
	struct etc_str name;
	uint32_t group; /* index of the output that contains the value */
	bool list;      /* the value is an item of a list of tensors (as_tensors) */
	bool sym;       /* the value is a symbol (as_sym_int, as_sym_bool) */
};

/* An argument that the Inspector's FX graph builder rejects. */
struct etc_odd_argument {
	struct etc_str name, kind;
	bool list; /* the argument is a list of texts (as_strings) */
};

/* The part of a node that is equal in all similar nodes (graph_draft.h). */
struct etc_node_shape {
	struct etc_str target, op;
	enum etc_target_kind kind;
	/* name of the first argument; in a call of a delegate, the first argument is the lowered
	 * module */
	struct etc_str first_input;
	uint32_t outputs; /* number of elements of the JSON list "outputs" */
	bool named;       /* the node has a member "name", of any type */
	/* the first argument that the Inspector's graph builder rejects. `odd`: the first of all
	 * arguments; `odd_positional`: the first of the positional ones */
	struct etc_odd_argument odd, odd_positional;
};

enum { ETC_NODE_MARKS = 64, ETC_NODE_OUTPUTS = 8 };

struct etc_node_like {
	struct etc_node_shape shape;
	struct etc_node_output outputs[ETC_NODE_OUTPUTS];
	uint32_t output_count;
	bool right; /* the node is valid according to the schema (graph_schema.h) */
};

/* State while one graph is read. */
struct etc_graph_reader {
	struct etc_record_reader *r;
	struct etc_graph *g;
	/* for texts of nodes; reset after each node if `verdict` is set */
	struct etc_arena *arena;
	struct etc_grow nodes;   /* struct etc_node */
	struct etc_grow outputs; /* struct etc_node_output of the current node */
	struct etc_fx_names names;
	/* names of tensors that are reached by two getitem nodes in Python: tensors in a list that
	 * is one of several outputs */
	struct etc_map nested;
	uint32_t seen;        /* number of elements of the list "nodes" that were read so far */
	bool nameless;        /* a node has no member "name"; ExecuTorch writes it since 1.0 */
	struct etc_str later; /* a member that is not in the schema of ExecuTorch 1.5, so the record
	                       * is newer */
	/* checks whether the Inspector's reader would accept the graph; NULL: not requested */
	struct etc_graph_checker *checker;
	bool right; /* all nodes so far are valid according to the schema */
	/* only the verdict is requested: would the Inspector accept the graph? No nodes or names
	 * are then made */
	bool verdict;
	/* `verdict` is set, but this graph's verdict needs nodes and names after all */
	bool unsettled;
	struct etc_str odd;   /* name of the first node whose metadata makes Python raise an
	                       * exception */
	uint8_t odd_metadata; /* faults of node `odd`, enum etc_odd_metadata; 0: none */
	/* Earlier nodes for comparison, and their structures. */
	struct etc_json_likes likes;
	struct etc_node_like like[ETC_JSON_LIKES];
	/* the scalars of the current node that are also needed from nodes similar to it (json.h) */
	struct etc_json_mark marks[ETC_NODE_MARKS];
	uint32_t mark_count;
	/* the current node must not be remembered, because nodes of this kind can only be read by a
	 * walk */
	bool unlike;
	struct etc_flow_reader *flow; /* NULL: not requested */
	bool nomem;
};

/* Reads one element of "nodes". If the Inspector would make a node of the element, adds a node.
 * False: the caller must stop, because the document is damaged or memory is exhausted (nomem). */
bool etc_graph_node(struct etc_graph_reader *gr, const struct etc_json_value *v);

/* Finds the member of a union that is set: the first member that is not null, because releases
 * before 0.4 write all members. If all are null, `*kind` is the name of the first one, and `*value`
 * is empty. */
void etc_graph_union(const struct etc_json_value *v, struct etc_str *kind,
                     struct etc_json_value *value);

/* If `key` is not among the `count` keys in `known`, a later exporter may have added it. Then sets
 * gr->later to `key`, unless it is set already. */
void etc_graph_unknown(struct etc_graph_reader *gr, struct etc_str key, const struct etc_str *known,
                       size_t count);

/* Returns the text of a string, with escapes resolved; empty for any other value. */
struct etc_str etc_graph_text(struct etc_graph_reader *gr, const struct etc_json_value *v);

/* Returns the text of member `key` of an object, "" if there is none. */
struct etc_str etc_graph_member(struct etc_graph_reader *gr, const struct etc_json_value *v,
                                struct etc_str key);

#endif
