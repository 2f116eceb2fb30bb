/* plan.h -- plans which processes are started, in which order.
 *
 * A unit is one experiment with one number of threads. Its runs are divided over blocks, one
 * process each. The processes run in rounds: round n has the n-th block of every unit. So effects
 * that drift with time (heat, clocks, other load) affect all units alike. With ABBA, every second
 * round has the units in reverse order, which cancels a steady drift. Units that are not timed, such
 * as traces of kernels, have one process each, after all rounds. */
#ifndef ETC_COMMANDS_PIPELINE_PLAN_H
#define ETC_COMMANDS_PIPELINE_PLAN_H

#include "commands/pipeline/config.h"

/* One process. */
struct etc_plan_job {
	uint32_t unit, block; /* block number, from 0 */
	uint32_t runs;        /* measured executions; the warm-up executions come before these */
};

struct etc_plan_unit {
	const struct etc_experiment *experiment;
	uint32_t threads, blocks;
	bool selected; /* selected by --only; without --only all are */
};

struct etc_run_plan {
	struct etc_plan_unit *units;
	struct etc_plan_job *jobs; /* jobs of the selected units, in order of start */
	uint32_t unit_count, job_count;
	uint32_t blocks; /* largest number of blocks of a unit */
};

/* Makes the plan for the experiments that `only` names: names, or lists of names separated by
 * commas. An empty `only` selects all experiments. E1004: there is nothing to do, or an experiment
 * is unknown. E0904. */
enum etc_status etc_run_plan_make(const struct etc_pipeline_config *c, const char *const *only,
                                  uint32_t only_count, struct etc_arena *arena,
                                  struct etc_run_plan *out, struct etc_error *err) ETC_MUST_CHECK;

/* Number of blocks per unit that the schedule asks for. A unit of an experiment with fewer runs has
 * fewer blocks. */
uint32_t etc_plan_blocks(const struct etc_pipeline_config *c);

/* Number of measured executions in block `block` of a unit. */
uint32_t etc_plan_runs(const struct etc_plan_unit *u, uint32_t block);

/* The path of a block's file: "on/on_t1.etdump", for the second block
 * "on/on_t1_b2.etdump"; `suffix` may be ".log". The log of a trace of kernels is
 * "on/on_t1_xnntrace.log". In the arena, terminated by NUL; NULL if out of memory. */
const char *etc_plan_file(const struct etc_plan_unit *u, uint32_t block, const char *suffix,
                          struct etc_arena *arena);

#endif
