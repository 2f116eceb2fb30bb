/* gap_bound.h -- computes how large an error an operator may cause if its inputs differ slightly.
 *
 * Some operators turn a rounding error in an input's last digit into a large error, although no
 * code is wrong. Examples are a normalisation whose variance is a difference of nearly equal
 * numbers, and a logarithm of a number near 0. To estimate such an error, the errors of the
 * compared values are propagated element by element through the nodes between them, using the
 * values that one of the sides logged. Each node adds its own rounding error. */
#ifndef ETC_COMMANDS_NUMERIC_GAP_BOUND_H
#define ETC_COMMANDS_NUMERIC_GAP_BOUND_H

#include "commands/numeric/gap_graph.h"
#include "commands/numeric/gap_side.h"
#include "commands/numeric/gap_table.h"

struct etc_gap_bound {
	const struct etc_gap_graph *graph;
	const struct etc_gap_run *run, *reference;
	/* per line of the graph: was its value used to compute `line`? Marks are set from `line`
	 * backwards, up to and including the nearest lines whose values were compared */
	const bool *mark;
	/* error of each line; -1: the line was not compared, so its error is computed from the
	 * errors of its inputs */
	const double *known;
	const struct etc_gap_line *line;
	double allowed;  /* a relative error up to this size needs no explanation */
	double fed_most; /* the largest absolute value of the model's inputs; infinite: unknown */
};

/* Would a backend with `same_formulas` (model/builtin.h) compute this line in float32, and by the
 * same formula as the runtime's kernels? If so, the results of backend and runtime differ only by
 * rounding. */
bool etc_gap_bound_same_formula(const struct etc_graph_line *line);

/* If errors of the inputs may explain the error of b->line, sets *why to a text that says why;
 * otherwise sets *why to an empty text. E0904. */
enum etc_status etc_gap_bound_doubt(const struct etc_gap_bound *b, struct etc_arena *arena,
                                    struct etc_str *why, struct etc_error *err) ETC_MUST_CHECK;

#endif
