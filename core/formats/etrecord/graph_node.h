/* graph_node.h -- one node of a graph in an ETRecord, from its JSON. */
#ifndef ETC_READ_GRAPH_NODE_H
#define ETC_READ_GRAPH_NODE_H

#include "formats/etrecord/etrecord_reader.h"
#include "formats/etrecord/fx_names.h"
#include "formats/etrecord/graph_schema.h"
#include "formats/etrecord/node_text.h"

/* A node's output: a value of that name, or inside of a list. */
struct etc_node_output {
	struct etc_str name;
	uint32_t group; /* which output it belongs to */
	bool list;      /* as_tensors */
	bool sym;       /* as_sym_int, as_sym_bool */
};

/* Constructs that the Inspector's FX graph builder rejects. */
struct etc_odd_argument {
	struct etc_str name, kind;
	bool list; /* as_strings */
};

/* The shared part of similar nodes. */
struct etc_node_shape {
	struct etc_str target, op;
	enum etc_target_kind kind;
	struct etc_str first_input; /* name of the first input: a delegate's module */
	uint32_t outputs;           /* members of "outputs" */
	bool other_output;          /* one of them is neither tensor, list of tensors nor symbol */
	bool named;                 /* it has a name, of whatever type */
	struct etc_odd_argument odd, odd_positional; /* the first of all, and of unnamed */
};

enum { ETC_NODE_MARKS = 64, ETC_NODE_OUTPUTS = 8 };

struct etc_node_like {
	struct etc_node_shape shape;
	struct etc_node_output outputs[ETC_NODE_OUTPUTS];
	uint32_t output_count;
	bool right; /* by the schema */
};

/* One graph while it is read. */
struct etc_graph_reader {
	struct etc_record_reader *r;
	struct etc_graph *g;
	struct etc_arena
		*arena; /* for texts of nodes; of each anew where only the verdict is asked */
	struct etc_grow nodes;   /* struct etc_node */
	struct etc_grow outputs; /* struct etc_node_output of the node at hand */
	struct etc_fx_names names;
	struct etc_map nested; /* tensors that Python reaches by two getitems */
	uint32_t seen;         /* elements of "nodes" so far */
	bool nameless;         /* nodes without "name": written before 1.0 */
	struct etc_str later;  /* a member that the reader of 1.5 does not know: written since */
	struct etc_graph_checker *checker; /* for Python's verdict, or NULL */
	bool right;                        /* so far its schema has every node */
	bool verdict;       /* only the verdict is needed: neither nodes nor their names are made */
	bool unsettled;     /* but the verdict needs them */
	struct etc_str odd; /* the first node with metadata that Python raises for */
	uint8_t odd_metadata; /* enum etc_odd_metadata of it; 0: there is none */
	/* Nodes that others may be like, and what those have in common with them. */
	struct etc_json_likes likes;
	struct etc_node_like like[ETC_JSON_LIKES];
	struct etc_json_mark marks[ETC_NODE_MARKS]; /* of the node at hand */
	uint32_t mark_count;
	bool unlike; /* the node at hand has what only a walk finds */
	bool nomem;
};

/* Reads one element of "nodes" and adds the node, if the Inspector has it.
 * False: stop; the document is damaged or memory exhausted (nomem). */
bool etc_graph_node(struct etc_graph_reader *gr, const struct etc_json_value *v);

/* The member of a union that is set: releases before 0.4 write all of them,
 * the others null. `*kind` is empty if none is. */
void etc_graph_union(const struct etc_json_value *v, struct etc_str *kind,
                     struct etc_json_value *value);

/* Notes a member that none of the known is: `later`. */
void etc_graph_unknown(struct etc_graph_reader *gr, struct etc_str key, const struct etc_str *known,
                       size_t count);

/* A string value without escapes; empty for anything else. */
struct etc_str etc_graph_text(struct etc_graph_reader *gr, const struct etc_json_value *v);

/* The text of member `key` of an object, "" if there is none. */
struct etc_str etc_graph_member(struct etc_graph_reader *gr, const struct etc_json_value *v,
                                struct etc_str key);

#endif
