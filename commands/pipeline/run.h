/* run.h -- `etcore pipeline run`: measures the experiments of a configuration into a
 * folder.
 *
 * <root>/manifest.json   settings, machine, model and results; written after every
 *   process
 * <root>/metrics.json    latencies and their statistics
 * <root>/<experiment>/<experiment>_t<threads>[_b<block>].{etdump,log}
 *
 * Files are replaced atomically, so the folder is valid at any time. */
#ifndef ETC_COMMANDS_PIPELINE_RUN_H
#define ETC_COMMANDS_PIPELINE_RUN_H

#include "base/text.h"
#include "commands/pipeline/pipeline.h"
#include "commands/pipeline/kernels.h"
#include "commands/pipeline/target.h"
#include "commands/pipeline/tree.h"
#include "table/emit.h"

/* The kernels that a traced execution showed. */
struct etc_kernel_evidence {
	bool tried;
	const char *log; /* path relative to the folder, or NULL */
	const char *log_sha256;
	const char *why; /* why no kernels are known; NULL: they are known */
	struct etc_seen_kernels kernels;
};

/* A unit of the plan, with its results. */
struct etc_run_unit {
	const struct etc_plan_unit *plan;
	struct etc_block_result *blocks;
	struct etc_kernel_evidence evidence;
};

struct etc_run_experiment {
	struct etc_runner_file runner;
	struct etc_device *device; /* NULL: this machine */
};

struct etc_pipeline_run {
	const struct etc_pipeline_options *options;
	int progress; /* descriptor to which progress is written; 0: none */
	struct etc_pipeline_config config;
	struct etc_run_plan plan;
	struct etc_arena *arena;
	struct etc_notes *notes;
	const char *root, *model; /* absolute paths */
	const char *model_sha256;
	struct etc_model *program; /* the model; NULL: it cannot be read */
	uint64_t model_bytes;
	const char *started;
	struct etc_run_unit *units;
	struct etc_run_experiment *experiments; /* one for each of config.experiments */
	struct etc_device *devices;
	/* the members of the manifest that do not change during the run */
	struct etc_text surroundings;
	uint32_t job;      /* current job of the plan */
	uint64_t spent_ms; /* sum over the processes that have ended */
	uint32_t done;     /* number of processes that have ended */
	/* number, in the order of start, of the last process started for this folder */
	uint32_t last_order;
	bool interrupted;
};

/* Runs the pipeline. `out` receives the text report. E1004 to E1007, errors of reading
 * the configuration, E0901, E0903, E0904. */
enum etc_status etc_run_pipeline(const struct etc_pipeline_options *options, int progress,
                                 struct etc_arena *arena, struct etc_notes *notes,
                                 struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

/* ---- the files of the folder ---------------------------------------------------- */

/* Writes manifest.json and metrics.json. E0903, E0904. */
enum etc_status etc_run_write(struct etc_pipeline_run *run, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the members of the manifest that follow from the folder's files: status, jobs,
 * results. E0904. */
enum etc_status etc_run_measured(const struct etc_pipeline_run *run, struct etc_text *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Makes run->units from run->plan, without results. E0904. */
enum etc_status etc_run_make_units(struct etc_pipeline_run *run,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Returns the number of processes of the plan that are still to be run. With `selected`, counts
 * only processes of the experiments that --only selects. `*of`, unless NULL, is set to the number
 * of all processes counted, including those that have run. */
uint32_t etc_run_open(const struct etc_pipeline_run *run, bool selected, uint32_t *of);

/* Sets run->surroundings: describes the machine, the model and the checkout, for the manifest. */
void etc_run_look_around(struct etc_pipeline_run *run);

/* Takes over the results of an earlier command in this folder. A block's result is taken over if
 * the block's key and files are unchanged, and the block need not be measured again. E1006: the
 * folder has results, but the user gave neither --resume nor --force; or results of experiments
 * that --only does not select would be lost. E1031. */
enum etc_status etc_run_take_over(struct etc_pipeline_run *run,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Removes dumps and logs that would no longer be in any manifest. These are the files of processes
 * that are in the folder's manifest, but not in the plan. Also removes the files of experiments
 * that are not selected, if their results were not taken over. E0904. */
enum etc_status etc_run_drop(const struct etc_pipeline_run *run,
                             struct etc_error *err) ETC_MUST_CHECK;

/* An entry of "jobs" in a manifest. */
struct etc_earlier_job {
	struct etc_str experiment;
	uint64_t threads, block; /* block number, from 1 */
	/* result.state is ETC_BLOCK_STATES if the entry has an unknown status. The members for log
	 * and times are not set yet */
	struct etc_block_result result;
};
void etc_run_job_read(const struct etc_tree *job, struct etc_arena *arena,
                      struct etc_earlier_job *out);

/* Finds the block of the plan that an earlier job measured; NULL: the plan has none. `*unit` is set
 * if the plan has the job's experiment and number of threads. */
struct etc_block_result *etc_run_find_block(const struct etc_pipeline_run *run,
                                            const struct etc_earlier_job *job,
                                            struct etc_run_unit **unit);

/* Reads the log and the dump of a block that an earlier process measured into `folder`, as is done
 * after a block was measured. If these files contradict the block's state, the state changes. The
 * block's hashes are computed from the files. E0904. */
enum etc_status etc_run_collect(const struct etc_pipeline_run *run, const char *folder,
                                const struct etc_run_unit *u, uint32_t block,
                                struct etc_block_result *r, struct etc_error *err) ETC_MUST_CHECK;

/* SHA-256 of everything that a block depends on. NULL if out of memory. */
const char *etc_run_key(const struct etc_pipeline_run *run, const struct etc_run_unit *u,
                        uint32_t block);

/* Writes the results of a unit of the plan: an object with the members experiment and metrics. */
enum etc_status etc_metrics_emit(struct etc_emit *e, const struct etc_pipeline_run *run,
                                 const struct etc_run_unit *u,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Does any block of this unit of the plan have a result: ok, kept or failed? */
bool etc_run_unit_tried(const struct etc_run_unit *u);

/* Latencies of a unit of the plan, in the order of its blocks. */
struct etc_unit_latencies {
	double *v;
	uint32_t n;
	uint8_t source;
};
enum etc_status etc_unit_latencies(const struct etc_run_unit *u, struct etc_arena *arena,
                                   struct etc_unit_latencies *out,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* The status of a unit: "ok", "partial", "failed", "interrupted", "pending". */
const char *etc_run_unit_status(const struct etc_run_unit *u);

/* Absolute path of a file of the folder. */
const char *etc_run_path(const struct etc_pipeline_run *run, const char *relative);

/* ---- screen ---------------------------------------------------------------------- */

void etc_run_show_plan(const struct etc_pipeline_run *run, struct etc_text *out);
enum etc_status etc_run_show_results(const struct etc_pipeline_run *run, struct etc_text *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Writes the current process and the remaining time: on a terminal a line that overwrites itself,
 * else a new line when a process starts. */
void etc_run_progress(struct etc_pipeline_run *run, uint64_t elapsed_ms);
void etc_run_progress_end(const struct etc_pipeline_run *run);

/* Finds the kernels of a unit of the plan: in the log of a trace experiment, else by one extra
 * execution, which is not timed. */
enum etc_status etc_run_kernels(struct etc_pipeline_run *run, struct etc_run_unit *u,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
