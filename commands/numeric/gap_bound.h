/* gap_bound.h -- bounds the error that an operator can make of small differences of its inputs.
 *
 * Where a norm's variance cancels, or a logarithm is taken near 0, rounding of an input in the
 * last digit becomes a large difference although no code is wrong. Errors are propagated
 * element by element through the nodes between the compared values, using the logged values of
 * either side, with rounding added at each node. */
#ifndef ETC_COMMANDS_NUMERIC_GAP_BOUND_H
#define ETC_COMMANDS_NUMERIC_GAP_BOUND_H

#include "commands/numeric/gap_graph.h"
#include "commands/numeric/gap_side.h"
#include "commands/numeric/gap_table.h"

struct etc_gap_bound {
	const struct etc_gap_graph *graph;
	const struct etc_gap_run *run, *reference;
	/* for each line of the graph: does `line` depend on it? Lines beyond the nearest compared
	 * lines are not marked */
	const bool *mark;
	/* error of each line; -1: the line was not compared, so its error is computed from its
	 * inputs */
	const double *known;
	const struct etc_gap_line *line;
	double allowed;  /* relative error that needs no explanation */
	double fed_most; /* the largest absolute value of the model's inputs; infinite: not known */
};

/* Would a backend whose `same_formulas` (model/builtin.h) is set compute this line in float32 by
 * the formula of the runtime's kernels? Then only rounding differs. */
bool etc_gap_bound_same_formula(const struct etc_graph_line *line);

/* Sets *why to the reason why errors of inputs may explain the error of b->line. Empty: they cannot
 * explain it. E0904. */
enum etc_status etc_gap_bound_doubt(const struct etc_gap_bound *b, struct etc_arena *arena,
                                    struct etc_str *why, struct etc_error *err) ETC_MUST_CHECK;

#endif
