/* plan.h -- which processes are started, in which order.
 *
 * A unit is one experiment at one number of threads. Its runs are divided over blocks, one
 * process each, so that units can take turns: what drifts with time (heat, clocks, other
 * load) then meets all of them alike. ABBA: every other round goes backwards, which takes
 * out what drifts steadily. */
#ifndef ETC_PIPELINE_PLAN_H
#define ETC_PIPELINE_PLAN_H

#include "commands/pipeline/config.h"

/* One process. */
struct etc_plan_job {
	uint32_t unit, block; /* block from 0 */
	uint32_t runs;        /* measured executions; before them the experiment's warmup */
};

struct etc_plan_unit {
	const struct etc_experiment *experiment;
	uint32_t threads, blocks;
	bool selected; /* by --only */
};

struct etc_run_plan {
	struct etc_plan_unit *units;
	struct etc_plan_job *jobs; /* of selected units, in the order of their start */
	uint32_t unit_count, job_count;
};

/* `only`: names of experiments, each may be several with commas between; none: all.
 * E1004 there is nothing to do, or no such experiment. E0904. */
enum etc_status etc_run_plan_make(const struct etc_pipeline_config *c, const char *const *only,
                                  uint32_t only_count, struct etc_arena *arena,
                                  struct etc_run_plan *out, struct etc_error *err) ETC_MUST_CHECK;

/* Measured executions of a block of it. */
uint32_t etc_plan_runs(const struct etc_plan_unit *u, uint32_t block);

/* "on/on_t1.etdump", the second block's "on/on_t1_b2.etdump"; `suffix` ".log". Of a trace
 * of kernels the log is "on/on_t1_xnntrace.log". Arena's, with NUL; NULL: no memory. */
const char *etc_plan_file(const struct etc_plan_unit *u, uint32_t block, const char *suffix,
                          struct etc_arena *arena);

#endif
