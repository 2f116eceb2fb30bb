/* graph_index.h -- the nodes of a method's graph in a record, by debug handle and by
 * instruction. */
#ifndef ETC_TOGETHER_GRAPH_INDEX_H
#define ETC_TOGETHER_GRAPH_INDEX_H

#include "base/map.h"
#include "model/graph_flow.h"
#include "model/program.h"
#include "model/record.h"
#include "join/contents.h"
#include "together/places.h"
#include "together/scales.h"

/* Value of a node index: there is no node. */
#define ETC_NO_NODE UINT32_MAX

struct etc_graph_index {
	const struct etc_method_maps *maps;
	const struct etc_graph *graph;
	/* maps an instruction, as text, to an index in maps->handles */
	struct etc_map instructions;
	/* maps a debug handle (8 bytes) to its index in `head` */
	struct etc_map handles;
	uint32_t *head; /* for each handle, its first node */
	uint32_t *next; /* for each node, the next node with its handle, or ETC_NO_NODE */
	/* the record lists the handle of each product, softmax and max pooling; see find_whole() */
	bool whole;
	bool crowded; /* some handle has too many nodes; nodes are then not compared at all */
	/* the graph has calls of delegates instead of the nodes inside the delegates */
	bool lowered;
	bool channels; /* weights may have a scale per channel */
	/* for each node: it dequantises weights of 4 bits; NULL: unknown */
	const bool *fours;
	bool eights;     /* all weights that are dequantised have at least 8 bits */
	bool bits_asked; /* an attempt to find `fours` and `eights` was made */
	struct etc_graph_flow flow;
	bool flow_asked;   /* an attempt to read `flow` was made */
	bool halves;       /* the graph may have tensors of float16; set by has_halves() (dump.c) */
	bool halves_asked; /* has_halves() was called */
	/* maps a debug handle of an instruction (8 bytes) to an index in `owner`, which has the
	 * index of the instruction in maps->handles */
	struct etc_map listed;
	uint32_t *owner;
	uint64_t limits_steps; /* number of nodes that any_limits() has visited */
	uint64_t listed_steps; /* number of handles that etc_graph_index_is_node() has visited */
	/* the method in the program, with its values; NULL: not read yet */
	const struct etc_program_method *method;
	const struct etc_source *sources; /* sources of the values of `method` (etc_sources_find());
	                                   * NULL: not searched yet */
	/* for each instruction, the sources of its delegate's values; NULL: it calls no delegate,
	 * or the delegate is unreadable */
	struct etc_wires **wires;
	/* the graph in the blob of each delegate; NULL: not read yet, or the delegate has no
	 * blob */
	const struct etc_delegate_graph **blobs;
	bool inputs_known; /* the method has equally many inputs in the record and in the program */
	/* the places of weights (places.h); NULL: unknown, or not read yet */
	struct etc_places *places;
	bool places_asked; /* an attempt to make `places` was made */
	/* scales and zero points of the graph's quantisations (scales.h); NULL: not read yet */
	struct etc_scales *scales;
};

/* Makes the index of a method's graph. False: out of memory. */
bool etc_graph_index_init(struct etc_graph_index *x, const struct etc_method_maps *maps,
                          const struct etc_graph *g, struct etc_arena *arena);

/* Returns the first node with the debug handle. The other nodes with this handle follow in the list
 * x->next. ETC_NO_NODE: no node has it. */
uint32_t etc_graph_index_first(const struct etc_graph_index *x, const int64_t *handle);

/* Returns the debug handles of the instruction; NULL: the record does not list it, or the index is
 * `crowded`. */
const struct etc_handles *etc_graph_index_handles(const struct etc_graph_index *x,
                                                  int64_t instruction);

/* Counts the operators of the nodes with these handles. False: out of memory. */
bool etc_contents_of_handles(const struct etc_graph_index *x, const struct etc_handles *h,
                             struct etc_contents *c, struct etc_arena *arena);

/* Returns the method's edge graph. If the record has no edge graph per method, returns its only
 * one. */
const struct etc_graph *etc_graph_of_method(const struct etc_record *r,
                                            const struct etc_method_maps *maps);

/* Compares the operator `name` with the nodes that the record has for the instruction, and writes a
 * conflict to `to`. `to` stays empty if there is no conflict, or if this cannot be decided. `who`
 * says in the text where `name` is from: "in the program". */
void etc_graph_index_compare(const struct etc_graph_index *x, int64_t instruction,
                             struct etc_str name, const char *who, char *to, size_t room);

/* Returns the node that limits or normalises the result of node `at`; ETC_NO_NODE: there is
 * none. */
uint32_t etc_graph_index_behind(const struct etc_graph_index *x, uint32_t at);

/* Do node and kernel have the same operator, of the same library? A kernel of another library may
 * replace several nodes, or a node of another type. */
bool etc_node_runs_as(const struct etc_node *n, struct etc_str kernel);

/* Does the instruction's list of handles contain the node's handle? 1: yes; 0: no; -1: unknown,
 * because the node or the instruction has no handle, or because too many handles were visited
 * already. */
int etc_graph_index_is_node(void *index, uint32_t node, uint32_t instruction);

#endif
