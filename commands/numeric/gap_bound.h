/* gap_bound.h -- what an operator can make of small differences of its inputs.
 *
 * Where a norm's variance cancels, or a logarithm is taken next to 0, rounding in the
 * last place of an input becomes a large difference, and nothing is wrong. Errors are
 * followed element by element through the nodes between what was compared, from the
 * values that either side logged, with rounding added at each. */
#ifndef ETC_API_GAP_BOUND_H
#define ETC_API_GAP_BOUND_H

#include "commands/numeric/gap_graph.h"
#include "commands/numeric/gap_table.h"

struct etc_gap_bound {
	const struct etc_gap_graph *graph;
	const struct etc_gap_run *run, *reference;
	const bool *mark;    /* lines that the value was made of … */
	const double *known; /* … error of each; -1: not compared, and made of others */
	const struct etc_gap_line *line;
	double allowed; /* relative error that needs no explanation */
};

/* Why the inputs of the line may explain its error; empty: they cannot. E0904. */
enum etc_status etc_gap_bound_doubt(const struct etc_gap_bound *b, struct etc_arena *arena,
                                    struct etc_str *why, struct etc_error *err) ETC_MUST_CHECK;

#endif
