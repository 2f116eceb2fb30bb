/* gap_flow.h -- how errors flow through the exported graph: the largest error among
 * the values that a node's inputs were made of. */
#ifndef ETC_API_GAP_FLOW_H
#define ETC_API_GAP_FLOW_H

#include "base/error.h"
#include "base/map.h"
#include "model/graph_line.h"

struct etc_gap_flow {
	const struct etc_graph_lines *lines; /* count 0: no graph */
	uint32_t *first_input;               /* of each line in `inputs`; one more */
	uint32_t *inputs;                    /* lines */
	struct etc_map of_handle;            /* debug handle, 8 bytes -> its last line */
	uint32_t *exit;                      /* by that line: see etc_gap_flow_exit() */
	double *error;                       /* room for a run: one per line */
};

/* Finds which line takes which: names in the arguments' texts. E0904. */
enum etc_status etc_gap_flow_make(const struct etc_graph_lines *lines, struct etc_arena *arena,
                                  struct etc_gap_flow *out, struct etc_error *err) ETC_MUST_CHECK;

/* The line that gives the value of a handle, or UINT32_MAX. */
uint32_t etc_gap_flow_line(const struct etc_gap_flow *f, int64_t handle);

/* The one line of a handle that lines of other handles take: its value is that of the
 * handle. UINT32_MAX: there are several, or none. */
uint32_t etc_gap_flow_exit(const struct etc_gap_flow *f, int64_t handle);

/* For one run: `known[line]` is the error of a line whose value was compared, or -1.
 * Afterwards etc_gap_flow_input() tells the largest error among a line's inputs; an
 * input that was not compared stands for its own inputs. */
void etc_gap_flow_run(struct etc_gap_flow *f, const double *known);
double etc_gap_flow_input(const struct etc_gap_flow *f, uint32_t line);

#endif
