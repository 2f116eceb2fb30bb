/* gap_graph.h -- the graphs behind two sides of `etcore numeric gap`: which node a
 * debug handle is, and which node of another export is the same one. */
#ifndef ETC_API_GAP_GRAPH_H
#define ETC_API_GAP_GRAPH_H

#include "commands/numeric/gap_flow.h"
#include "commands/numeric/gap_side.h"

struct etc_gap_graph {
	struct etc_str method;
	struct etc_graph_lines lines;
	struct etc_gap_flow flow;
};

struct etc_gap_graphs {
	struct etc_gap_graph *v; /* the edge program of each method */
	uint32_t count;
};

/* Those of the record that `in` has, if any. A graph that cannot be read is left out.
 * E0904. */
enum etc_status etc_gap_graphs_read(const struct etc_inputs *in, struct etc_arena *arena,
                                    struct etc_gap_graphs *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* The graph of a method, also the only one for a run of no known method; or NULL. */
struct etc_gap_graph *etc_gap_graph_of(const struct etc_gap_graphs *g, struct etc_str method);

/* Lines of `from` by those of `to`. Handles are paired first: of the same module and line
 * of the model, of several the n-th if both have as many; what only quantises or dequantises
 * a value stands for the node that made it; where all common handles agree anyway, they
 * stay as they are. Then the nodes of two handles: one by one where they are of the same
 * operators, else only those that give the handle's value. Only methods that both
 * have. E0904. */
enum etc_status etc_gap_translate(const struct etc_gap_graphs *from,
                                  const struct etc_gap_graphs *to, struct etc_arena *arena,
                                  struct etc_gap_translations *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* "aten.where.self" and "torch.ops.aten.where.self" -> "where" */
struct etc_str etc_gap_operator_of(const struct etc_node *n);

/* The node that a line of the graph calls; NULL: none of its own, or one without a debug handle. */
const struct etc_node *etc_gap_called_node(const struct etc_graph_line *line);

#endif
