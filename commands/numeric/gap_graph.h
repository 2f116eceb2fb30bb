/* gap_graph.h -- reads the exported graphs of the two sides of `etcore numeric gap`, and finds
 * which nodes of one export correspond to which nodes of the other. */
#ifndef ETC_COMMANDS_NUMERIC_GAP_GRAPH_H
#define ETC_COMMANDS_NUMERIC_GAP_GRAPH_H

#include "commands/numeric/gap_flow.h"
#include "context/inputs.h"
#include "model/graph_flow.h"
#include "model/reference.h"
#include "model/references.h"

struct etc_gap_graph {
	struct etc_str method;
	struct etc_graph_lines lines;
	struct etc_gap_flow flow;
	const struct etc_graph *graph;
	struct etc_graph_flow tensors;
	/* the weights by name; NULL: the record does not have them */
	const struct etc_ref_value *weights;
};

struct etc_gap_graphs {
	struct etc_gap_graph *v; /* one per method: the graph of the edge program */
	uint32_t count;
};

/* Reads the graphs of the record in `in`; without a record, there are none. A graph that cannot be
 * read is left out. E0904. */
enum etc_status etc_gap_graphs_read(const struct etc_inputs *in, struct etc_arena *arena,
                                    struct etc_gap_graphs *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Returns the graph of `method`; NULL: there is none. An empty `method` means that the method of a
 * run is unknown; then returns the graph if there is only one. */
struct etc_gap_graph *etc_gap_graph_of(const struct etc_gap_graphs *g, struct etc_str method);

/* The graphs of one method on the two sides, which come from different exports. line[i] is the line
 * of the other side's graph that corresponds to line i of this side's graph. */
struct etc_gap_translation {
	struct etc_str method;
	const uint32_t *line; /* UINT32_MAX: there is no corresponding line */
};
struct etc_gap_translations {
	const struct etc_gap_translation *v;
	uint32_t count;
};

/* Maps the lines of the graphs `from` to lines of the graphs `to`, in two steps.
 *
 * (1) Handles are paired if their nodes have the same module and source line. If several
 *     handles have the same module and line, the n-th of one side is paired with the n-th of the
 *     other side, provided that both sides have the same number of them. If every handle that
 *     both sides have belongs to the same module and line on both sides, handles are paired by
 *     their numbers instead. A node that only quantises or dequantises stands for the node that
 *     computed the value.
 * (2) The nodes of paired handles are paired one by one, if both handles have the same operators,
 *     connected in the same way. Otherwise only the nodes that compute the handles' values are
 *     paired.
 *
 * A method that only one side has is left out. E0904. */
enum etc_status etc_gap_translate(const struct etc_gap_graphs *from,
                                  const struct etc_gap_graphs *to, struct etc_arena *arena,
                                  struct etc_gap_translations *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Do two records have the same graphs, and the same handles for each instruction? If so,
 * instructions with equal indices compute the same nodes in both, although the weights may
 * differ. */
bool etc_gap_same_program(const struct etc_gap_graphs *a, const struct etc_record *of_a,
                          const struct etc_gap_graphs *b, const struct etc_record *of_b);

/* Returns an array with the line of the graph for each node of a reference file; UINT32_MAX: the
 * node has no line. The nodes of a handle have lines only if the nodes of that handle in the graph
 * are the same operators in the same order. NULL: out of memory. */
const uint32_t *etc_gap_lines_of_nodes(const struct etc_gap_graph *g,
                                       const struct etc_reference_method *from,
                                       struct etc_arena *arena);

/* Returns the operator of a node without namespace and overload: "where" for "aten.where.self" and
 * for "torch.ops.aten.where.self". */
struct etc_str etc_gap_operator_of(const struct etc_node *n);

/* Is the node a view, or a copy that the runtime may leave out by reusing the memory of the input?
 * If it is left out, no kernel with the node's handle runs. */
bool etc_gap_may_vanish(const struct etc_node *n);

/* Returns the node of the call on a line of the graph. NULL: the line is not a call, or its node
 * has no debug handle. */
const struct etc_node *etc_gap_called_node(const struct etc_graph_line *line);

/* Returns the first output of a called node, as described in the exported graph; NULL: unknown. */
const struct etc_graph_tensor *etc_gap_output_of(const struct etc_gap_graph *g,
                                                 const struct etc_node *n);

/* Is the line a placeholder for an input of the model? (Other placeholders are for parameters,
 * buffers and constants.) The signature of the graph decides; without a signature, the names that
 * torch.export gives to placeholders decide. */
bool etc_gap_is_model_input(const struct etc_graph_line *line);

#endif
