/* gap_nodes.h -- which node of the exporter's graph each instruction computed.
 *
 * A debug handle is that of an operator of the model, which the exporter may have
 * decomposed into several nodes: exp, log1p, gt, where, tanh and mul of one Mish have
 * one handle. Which of them an event logged follows from the kernel's name, from the
 * handles of the delegates and from the order in which nodes depend on each other.
 * Where that leaves a choice nothing is said. */
#ifndef ETC_API_GAP_NODES_H
#define ETC_API_GAP_NODES_H

#include "commands/numeric/gap_graph.h"

enum {
	ETC_GAP_NOBODY = -1, /* no instruction computes the line: a view, a constant, an input */
	ETC_GAP_UNSURE = -2  /* one does, but which is not known */
};

/* An instruction of the method's first chain. */
struct etc_gap_call {
	int32_t instruction;
	bool calls_delegate; /* says the record */
	bool is_delegate;    /* or another that has several handles */
	struct etc_str base; /* of the kernel: "where" of "where.self_out"; empty: not known */
	const int64_t *handles;
	uint32_t handle_count;
	uint32_t output_count;
	uint32_t *outputs; /* the line of each, UINT32_MAX: not known */
};

struct etc_gap_nodes {
	const struct etc_gap_graph *graph;
	int32_t *owner; /* of each line: an instruction, or one of the above */
	struct etc_gap_call *calls;
	uint32_t call_count;
	struct etc_map of_instruction; /* int32_t -> calls */
	bool foreign;                  /* the record is of another program */
};

/* For the runs of one method: `maps` of the record, `list` has the kernels' names. E0904. */
enum etc_status etc_gap_nodes_find(const struct etc_gap_graph *graph,
                                   const struct etc_method_maps *maps,
                                   const struct etc_logged_list *list, struct etc_arena *arena,
                                   struct etc_gap_nodes *out, struct etc_error *err) ETC_MUST_CHECK;

/* NULL: the record does not know it. */
const struct etc_gap_call *etc_gap_call_of(const struct etc_gap_nodes *n, int32_t instruction);

/* The runtime makes no value of a view: that of the node it is taken from has the same
 * elements in the same order. The line whose value `line` has. */
uint32_t etc_gap_viewed(const struct etc_gap_nodes *n, uint32_t line);

/* The one view of `line`, or UINT32_MAX. */
uint32_t etc_gap_view_of(const struct etc_gap_nodes *n, uint32_t line);

/* The one node whose value is that of all nodes with these handles: it alone is used by
 * others. UINT32_MAX: there are several, or none. */
uint32_t etc_gap_exit_of(const struct etc_gap_graph *g, const int64_t *handles, uint32_t count);

#endif
