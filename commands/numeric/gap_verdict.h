/* gap_verdict.h -- who made an error, if anything proves it. */
#ifndef ETC_API_GAP_VERDICT_H
#define ETC_API_GAP_VERDICT_H

#include "commands/numeric/gap_nodes.h"
#include "commands/numeric/gap_table.h"

struct etc_gap_verdicts {
	struct etc_gap_line *lines; /* of one run, in the order of execution */
	uint32_t count;
	struct etc_gap_graph *graph; /* NULL: none; what came before counts as input */
	const struct etc_gap_nodes *nodes;
	const struct etc_gap_run *run, *reference; /* of the graph: whose values they are */
	bool same_inputs;  /* both sides say what they were given, and it is the same */
	bool other_inputs; /* the run was not given what the reference was made of */
	bool all;          /* without a graph: every value of the run has a line */
	uint32_t starts;   /* of those lines, afterwards: 0 or 1 */
	bool unproven;     /* an error is there that nobody can be blamed for */
};

/* Fills input, rise, verdict, problem and first_seen of the lines. E0904. */
enum etc_status etc_gap_judge(struct etc_gap_verdicts *v, struct etc_arena *arena,
                              struct etc_error *err) ETC_MUST_CHECK;

#endif
