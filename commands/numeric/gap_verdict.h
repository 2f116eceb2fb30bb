/* gap_verdict.h -- decides which event caused an error, if that can be proven. */
#ifndef ETC_COMMANDS_NUMERIC_GAP_VERDICT_H
#define ETC_COMMANDS_NUMERIC_GAP_VERDICT_H

#include "commands/numeric/gap_nodes.h"
#include "commands/numeric/gap_table.h"

struct etc_gap_verdicts {
	struct etc_gap_line *lines; /* the compared values of one run, in the order of execution */
	uint32_t count;
	/* the graph of the run's method; NULL: there is none, and all lines before a line count as
	 * its inputs */
	struct etc_gap_graph *graph;
	const struct etc_gap_nodes *nodes;
	/* without a graph: the instructions that a record lists; NULL: there is no record */
	const struct etc_gap_nodes *calls;
	/* values of the run and of the reference, by line of the graph */
	const struct etc_gap_run *run, *reference;
	bool same_program; /* both sides ran the same instructions */
	/* on one of the sides, the compared run is not the first one, so earlier runs may have
	 * changed buffers of the model */
	bool later;
	bool same_inputs; /* the inputs of both sides are known, and are equal */
	/* the known inputs of both sides differ only slightly, as if both had been made from the
	 * same data, such as one picture, by different preprocessing */
	bool near_inputs;
	bool other_inputs; /* the inputs of the run differ from those of the reference */
	double fed_most;   /* the largest absolute value of the model's inputs; infinite: unknown */
	/* `lines` has every value of the run. Without a graph, a cause is proven only in this
	 * case */
	bool all;
	/* The members below are set by etc_gap_judge(). starts: number of lines with the verdict
	 * STARTS or STARTS_IF, at most 1; unproven: there is an error whose cause is not proven */
	uint32_t starts;
	bool unproven;
};

/* Is the error of the line small, or not clearly larger than the error of the line's inputs? */
bool etc_gap_is_carried(const struct etc_gap_line *l);

/* Sets the members input, rise, verdict, problem, first_seen and other_bits of the lines. E0904. */
enum etc_status etc_gap_judge(struct etc_gap_verdicts *v, struct etc_arena *arena,
                              struct etc_error *err) ETC_MUST_CHECK;

#endif
