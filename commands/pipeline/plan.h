/* plan.h -- plans which processes are started, and in which order.
 *
 * A unit is one experiment with one number of threads. Its runs are divided among blocks; each
 * block is one process. The processes are started in rounds. Round n has the n-th block of every
 * unit, so that effects that drift with time (heat, clock speed, other load) affect all units
 * equally. With ABBA, every second round has the units in reverse order, which cancels a steady
 * drift. Units whose times are not measured, such as traces of kernels, have one process each,
 * after all rounds. */
#ifndef ETC_COMMANDS_PIPELINE_PLAN_H
#define ETC_COMMANDS_PIPELINE_PLAN_H

#include "commands/pipeline/config.h"

/* One process. */
struct etc_plan_job {
	uint32_t unit, block; /* block number, from 0 */
	/* number of measured executions, which follow the warm-up executions */
	uint32_t runs;
};

struct etc_plan_unit {
	const struct etc_experiment *experiment;
	uint32_t threads, blocks;
	bool selected; /* --only selects the unit, or was not given */
};

struct etc_run_plan {
	struct etc_plan_unit *units;
	struct etc_plan_job *jobs; /* jobs of the selected units, in order of start */
	uint32_t unit_count, job_count;
	uint32_t blocks; /* largest number of blocks of a unit */
};

/* Makes the plan for the experiments that `only` names. Each item is a name, or a list of names
 * separated by commas. If `only` is empty, all experiments are selected. E1004: there is nothing to
 * do, or an experiment is unknown. E0904. */
enum etc_status etc_run_plan_make(const struct etc_pipeline_config *c, const char *const *only,
                                  uint32_t only_count, struct etc_arena *arena,
                                  struct etc_run_plan *out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the number of blocks per unit that the schedule asks for. If an experiment has fewer runs
 * than that number of blocks, its units have fewer blocks. */
uint32_t etc_plan_blocks(const struct etc_pipeline_config *c);

/* Returns the number of measured executions in block `block` of a unit. */
uint32_t etc_plan_runs(const struct etc_plan_unit *u, uint32_t block);

/* Returns the path of a block's file relative to the run folder: "on/on_t1.etdump", or
 * "on/on_t1_b2.etdump" for the second block. `suffix` is ".etdump" or ".log". The log of a trace of
 * kernels is "on/on_t1_xnntrace.log". The path is in the arena, terminated by NUL; NULL: out of
 * memory. */
const char *etc_plan_file(const struct etc_plan_unit *u, uint32_t block, const char *suffix,
                          struct etc_arena *arena);

#endif
