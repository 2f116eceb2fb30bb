/* gap_nodes.h -- finds the node of the exported graph that each instruction computed.
 *
 * A debug handle represents an operator of the model. The exporter may decompose it into several
 * nodes, which all have that handle: exp, log1p, gt, where, tanh and mul for one Mish. The node of
 * a logged value is found by the name of the kernel, by the handles of the delegates, and by the
 * order of dependent nodes. If several nodes remain possible, the result is "unsure". */
#ifndef ETC_COMMANDS_NUMERIC_GAP_NODES_H
#define ETC_COMMANDS_NUMERIC_GAP_NODES_H

#include "commands/numeric/gap_graph.h"
#include "commands/numeric/logged.h"

enum {
	/* no instruction computes the line: it is a view, a constant or an input */
	ETC_GAP_NOBODY = -1,
	ETC_GAP_OUTPUTS_MOST = 64, /* maximum number of outputs of an instruction */
	ETC_GAP_UNSURE = -2 /* some instruction computes the line, but it is unknown which one */
};

/* An instruction of the method's first chain. */
struct etc_gap_call {
	int32_t instruction;
	bool calls_delegate; /* according to the record, the instruction calls a delegate */
	/* backend of that delegate; empty: the instruction calls no delegate */
	struct etc_str backend;
	/* the instruction calls a delegate, or the record lists several handles for it */
	bool is_delegate;
	/* name of the kernel without its overload: "where" for "where.self_out"; empty: unknown */
	struct etc_str base;
	/* the instruction's first output in a run; NULL: it was not logged */
	const struct etc_tensor *first;
	const int64_t *handles;
	uint32_t handle_count;
	uint32_t output_count;
	uint32_t *outputs; /* the line that computes each output; UINT32_MAX: unknown */
	/* the lines that may compute an output whose line is unknown; NULL: any line may */
	const uint32_t *may;
	uint32_t may_count;
};

struct etc_gap_nodes {
	const struct etc_gap_graph *graph;
	int32_t *owner; /* for each line: the instruction that computes it, ETC_GAP_NOBODY or
	                 * ETC_GAP_UNSURE */
	struct etc_gap_call *calls;
	uint32_t call_count;
	struct etc_map of_instruction; /* maps an instruction (int32_t) to its index in `calls` */
	/* Line i is computed by one of the calls whose indices are may_call[first_call[i]] to
	 * may_call[first_call[i + 1] - 1]. If this range is empty, the line may be a view that no
	 * call computes, or it is unknown which calls may compute it. NULL: this is unknown for
	 * every line. */
	const uint32_t *first_call, *may_call;
	bool foreign; /* the record belongs to another program */
};

/* Assigns the graph's nodes to the instructions of one method, using the record's `maps` and the
 * names of kernels in `list`. E0904. */
enum etc_status etc_gap_nodes_find(const struct etc_gap_graph *graph,
                                   const struct etc_method_maps *maps,
                                   const struct etc_logged_list *list, struct etc_arena *arena,
                                   struct etc_gap_nodes *out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the call of an instruction; NULL: the record does not list the instruction. */
const struct etc_gap_call *etc_gap_call_of(const struct etc_gap_nodes *n, int32_t instruction);

/* Returns the line of the node that `line` is a view of; if `line` is not a view, returns `line`.
 * The runtime stores no value for a view, but the viewed node has the same elements in the same
 * order. */
uint32_t etc_gap_viewed(const struct etc_gap_nodes *n, uint32_t line);

/* Returns the only line whose node is a view (a view, reshape and the like) of the node of `line`.
 * UINT32_MAX: there is none, or there are several. */
uint32_t etc_gap_view_of(const struct etc_gap_nodes *n, uint32_t line);

/* Finds the node with the final value of a group of handles, and returns its line. That node is
 * the only one of the group that nodes of other handles read, or the only node of the group.
 * UINT32_MAX: nodes of other handles read several nodes of the group, or none. */
uint32_t etc_gap_exit_of(const struct etc_gap_graph *g, const int64_t *handles, uint32_t count);

#endif
