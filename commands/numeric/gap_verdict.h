/* gap_verdict.h -- decides which event caused an error, if that can be proven. */
#ifndef ETC_COMMANDS_NUMERIC_GAP_VERDICT_H
#define ETC_COMMANDS_NUMERIC_GAP_VERDICT_H

#include "commands/numeric/gap_nodes.h"
#include "commands/numeric/gap_table.h"

struct etc_gap_verdicts {
	struct etc_gap_line *lines; /* lines of one run, in the order of execution */
	uint32_t count;
	struct etc_gap_graph *graph; /* NULL: no graph; then all earlier lines count as inputs */
	const struct etc_gap_nodes *nodes;
	/* without a graph: the instructions that a record lists; NULL: no record */
	const struct etc_gap_nodes *calls;
	/* values of the run and of the reference, by line of the graph */
	const struct etc_gap_run *run, *reference;
	bool same_program; /* both sides ran the same instructions */
	/* on one of the sides another run came before this one, and may have changed buffers of the
	 * model */
	bool later;
	bool same_inputs;  /* both sides have recorded inputs, and these are equal */
	bool near_inputs;  /* the recorded inputs differ, but less than another sample would */
	bool other_inputs; /* the run's inputs differ from the reference's */
	double fed_most; /* the largest absolute value of the model's inputs; infinite: not known */
	bool all;        /* every value of the run is in `lines`; needed without a graph */
	uint32_t starts; /* output: number of lines with STARTS or STARTS_IF, 0 or 1 */
	bool unproven;   /* output: there is an error whose cause is not proven */
};

/* Is the error of the line small, or not clearly larger than that of its inputs? */
bool etc_gap_is_carried(const struct etc_gap_line *l);

/* Fills input, rise, verdict, problem, first_seen and other_bits of the lines. E0904. */
enum etc_status etc_gap_judge(struct etc_gap_verdicts *v, struct etc_arena *arena,
                              struct etc_error *err) ETC_MUST_CHECK;

#endif
