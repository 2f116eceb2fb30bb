/* gap_flow.h -- propagates errors through the exported graph: finds, for each node, the largest
 * error of the values that the node was computed from.
 *
 * A line is an entry of struct etc_graph_lines. It is a node of the graph, which may also be a
 * placeholder, a getitem or the output. Functions and arrays identify a line by its index in that
 * struct. */
#ifndef ETC_COMMANDS_NUMERIC_GAP_FLOW_H
#define ETC_COMMANDS_NUMERIC_GAP_FLOW_H

#include "base/error.h"
#include "base/map.h"
#include "model/graph_line.h"

struct etc_gap_flow {
	const struct etc_graph_lines *lines; /* count 0: no graph */
	/* index in `inputs` of each line's first input; lines->count + 1 entries */
	uint32_t *first_input;
	/* inputs[k] is an input of line i if first_input[i] <= k < first_input[i + 1] */
	uint32_t *inputs;
	/* maps a debug handle (8 bytes) to the line that etc_gap_flow_line() returns */
	struct etc_map of_handle;
	/* exit[line] is the result of etc_gap_flow_exit() for the handle whose last line is
	 * `line` */
	uint32_t *exit;
	double *error; /* scratch for one run: the error of each line */
};

/* Finds the inputs of every line: the names in its arguments. E0904. */
enum etc_status etc_gap_flow_make(const struct etc_graph_lines *lines, struct etc_arena *arena,
                                  struct etc_gap_flow *out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the last line whose node has the debug handle. Lines that are getitems are ignored,
 * because a getitem has the handle of the call whose result it reads. UINT32_MAX: no line has the
 * handle. */
uint32_t etc_gap_flow_line(const struct etc_gap_flow *f, int64_t handle);

/* Returns the exit of a handle: the line with the final value of the handle's nodes. It is the only
 * line of the handle that lines of other handles read. If the handle has a single node, the exit is
 * that node, even if no line reads it. UINT32_MAX: there is no exit, because lines of other handles
 * read several lines of the handle, or none. */
uint32_t etc_gap_flow_exit(const struct etc_gap_flow *f, int64_t handle);

/* etc_gap_flow_run() sets the errors of one run: known[line] is the error of a compared value, or
 * -1 if the value was not compared. Afterwards, etc_gap_flow_input() returns the largest error
 * among the inputs of a line. An input that was not compared is replaced by its own inputs. */
void etc_gap_flow_run(struct etc_gap_flow *f, const double *known);
double etc_gap_flow_input(const struct etc_gap_flow *f, uint32_t line);

#endif
