/* gap_bound.h -- computes how large an error an operator can cause if its inputs differ slightly.
 *
 * Some operators turn an input's rounding error in the last digit into a large error, although no
 * code is wrong. Examples are a norm whose variance is a difference of nearly equal numbers, and a
 * logarithm of a number near 0. Errors are propagated element by element through the nodes between
 * the compared values, using the logged values of either side. Each node adds its own rounding. */
#ifndef ETC_COMMANDS_NUMERIC_GAP_BOUND_H
#define ETC_COMMANDS_NUMERIC_GAP_BOUND_H

#include "commands/numeric/gap_graph.h"
#include "commands/numeric/gap_side.h"
#include "commands/numeric/gap_table.h"

struct etc_gap_bound {
	const struct etc_gap_graph *graph;
	const struct etc_gap_run *run, *reference;
	/* for each line of the graph: does `line` depend on it? Only lines up to and including the
	 * nearest compared ones are marked */
	const bool *mark;
	/* error of each line; -1: the line was not compared, so its error is computed from its
	 * inputs */
	const double *known;
	const struct etc_gap_line *line;
	double allowed;  /* a relative error up to this size needs no explanation */
	double fed_most; /* the largest absolute value of the model's inputs; infinite: not known */
};

/* Would a backend whose `same_formulas` (model/builtin.h) is set compute this line in float32 and
 * by the formula of the runtime's kernels? If so, results of both differ only by rounding. */
bool etc_gap_bound_same_formula(const struct etc_graph_line *line);

/* Sets *why to a text that says why errors of the inputs may explain the error of b->line. The text
 * is empty if they cannot explain it. E0904. */
enum etc_status etc_gap_bound_doubt(const struct etc_gap_bound *b, struct etc_arena *arena,
                                    struct etc_str *why, struct etc_error *err) ETC_MUST_CHECK;

#endif
