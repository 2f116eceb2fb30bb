/* graph_draft.h -- a node while its members are being read, in any order.
 *
 * A node consists of its structure and of scalars. The structure is its keys, and the texts marked
 * ETC_JSON_SAME. Nodes with equal structure are called similar. Each scalar has a number as its
 * name (ETC_NODE_NAME ...), and for each name there is a function that reads the scalar. Scalars
 * are found by a walk through the node. If an earlier node is similar, no walk is needed: each
 * scalar is at the position that it has in the earlier node. */
#ifndef ETC_FORMATS_ETRECORD_GRAPH_DRAFT_H
#define ETC_FORMATS_ETRECORD_GRAPH_DRAFT_H

#include "formats/etrecord/graph_node.h"

struct etc_node_draft {
	struct etc_node_shape shape;
	struct etc_str name;
	bool has_name; /* the node has a name that is not empty */
	struct etc_node node;
	struct etc_grow graphs; /* struct etc_str: names of as_graph arguments */
	bool double_getitem;
	uint8_t odd_metadata; /* enum etc_odd_metadata */
};

/* Faults in a node's metadata for which Python raises an exception, as bits. */
enum etc_odd_metadata { ETC_ODD_MODULES = 1, ETC_ODD_HANDLE = 2 };

/* Numbers by which a reader recognises the marked scalars of a node (etc_json_mark.name). The
 * number of a scalar of an output also contains the output's index, in its upper bits. */
enum {
	ETC_NODE_NAME = 1,
	ETC_NODE_HANDLE,
	ETC_NODE_TRACE,
	ETC_NODE_STACK,
	ETC_NODE_SOURCE,
	ETC_NODE_OUTPUT,
	ETC_NODE_SCALARS
};

/* Reads the scalar `*v` of a node into the draft. Also marks the scalar (json.h), so that it is
 * read without a walk in later nodes with the same structure. */
void etc_node_take(struct etc_graph_reader *gr, struct etc_node_draft *d, uint32_t name,
                   const struct etc_json_value *v);

/* Marks a text on which the node's structure depends: only nodes with the same text at this place
 * are similar. */
void etc_node_same(struct etc_graph_reader *gr, const struct etc_json_value *v);

/* Reads the members of "metadata" (graph_metadata.c). */
void etc_node_metadata(struct etc_graph_reader *gr, struct etc_node_draft *d,
                       const struct etc_json_value *v);

/* Reads source and modules of a node from the JSON texts that the node keeps. False: out of
 * memory. */
bool etc_node_read_origin(struct etc_node *n, struct etc_arena *arena);

/* Each of these functions reads one scalar of a node's metadata into the node's draft. */
typedef void etc_node_taker(struct etc_graph_reader *gr, struct etc_node_draft *d,
                            const struct etc_json_value *v);
etc_node_taker etc_node_take_handle, etc_node_take_trace, etc_node_take_stack, etc_node_take_source;

/* Fills the draft of node `v` from a similar earlier node and from the scalars of `v`. False: there
 * is no similar node, so `v` must be walked (graph_like.c). */
bool etc_node_like(struct etc_graph_reader *gr, const struct etc_json_value *v,
                   struct etc_node_draft *d);

/* etc_node_begin() is called before the walk through a node. etc_node_learn() is called after the
 * walk, and remembers the node, so that similar nodes need not be walked. */
void etc_node_begin(struct etc_graph_reader *gr, const struct etc_json_value *v);
void etc_node_learn(struct etc_graph_reader *gr, const struct etc_json_value *v,
                    const struct etc_node_draft *d);

#endif
