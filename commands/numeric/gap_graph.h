/* gap_graph.h -- the graphs of the two sides of `etcore numeric gap`: finds the node of a
 * debug handle, and the corresponding node of another export. */
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
	/* the weights, a dict by name; NULL: not in the record */
	const struct etc_ref_value *weights;
};

struct etc_gap_graphs {
	struct etc_gap_graph *v; /* the edge program's graph of each method */
	uint32_t count;
};

/* Reads the graphs of the record that `in` has, if any. A graph that cannot be read is
 * left out. E0904. */
enum etc_status etc_gap_graphs_read(const struct etc_inputs *in, struct etc_arena *arena,
                                    struct etc_gap_graphs *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* The graph of a method, or NULL. For a run of unknown method: the graph, if there is
 * only one. */
struct etc_gap_graph *etc_gap_graph_of(const struct etc_gap_graphs *g, struct etc_str method);

/* Maps the lines of a method's graph to lines of the other side's graph of that method, which
 * comes from another export: line[i] is the line that corresponds to line i. */
struct etc_gap_translation {
	struct etc_str method;
	const uint32_t *line; /* UINT32_MAX: none */
};
struct etc_gap_translations {
	const struct etc_gap_translation *v;
	uint32_t count;
};

/* Maps the lines of graphs `from` to lines of graphs `to`, in two steps. (1) Handles are paired if
 * their nodes have the same module and source line. If several handles have the same module and
 * line, the n-th handle of one side is paired with the n-th of the other side, provided that both
 * sides have equally many. If all common handles have the same origin, handles are paired by
 * number. A node that only quantises or dequantises stands for the node that computed the value.
 * (2) The nodes of paired handles are paired one by one, if both handles have the same operators,
 * connected in the same way. Else only the nodes that compute the handles' values are paired.
 * Methods that only one side has are left out. E0904. */
enum etc_status etc_gap_translate(const struct etc_gap_graphs *from,
                                  const struct etc_gap_graphs *to, struct etc_arena *arena,
                                  struct etc_gap_translations *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Do two records have the same graphs, and the same handles for each instruction? If so, an
 * instruction with the same index computes the same nodes in both, even if the weights differ. */
bool etc_gap_same_program(const struct etc_gap_graphs *a, const struct etc_record *of_a,
                          const struct etc_gap_graphs *b, const struct etc_record *of_b);

/* Returns an array with the line in the graph for each node of a reference file; UINT32_MAX: it has
 * none. The nodes of a handle have lines only if the graph's nodes of that handle are the same
 * operators in the same order. NULL: out of memory. */
const uint32_t *etc_gap_lines_of_nodes(const struct etc_gap_graph *g,
                                       const struct etc_reference_method *from,
                                       struct etc_arena *arena);

/* The operator of a node without namespace and overload: "where" for "aten.where.self" and for
 * "torch.ops.aten.where.self". */
struct etc_str etc_gap_operator_of(const struct etc_node *n);

/* Is the node a view, or a copy that the runtime may leave out by using the memory of the node's
 * input? Then no kernel with the node's handle runs. */
bool etc_gap_may_vanish(const struct etc_node *n);

/* The node of the call on a line of the graph; NULL: the line is no call, or its node has no debug
 * handle. */
const struct etc_node *etc_gap_called_node(const struct etc_graph_line *line);

/* The first output of a called node, as it was exported; NULL: not known. */
const struct etc_graph_tensor *etc_gap_output_of(const struct etc_gap_graph *g,
                                                 const struct etc_node *n);

/* Is the line a placeholder of a model input, not of a parameter, buffer or constant? The graph's
 * signature decides; without a signature, the names that torch.export gives decide. */
bool etc_gap_is_model_input(const struct etc_graph_line *line);

#endif
