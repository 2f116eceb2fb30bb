/* run.h -- `etcore pipeline run`: measures the experiments of a configuration into a folder.
 *
 * <root>/manifest.json   settings, machine, model and results; rewritten after every process
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

/* The kernels that one execution with a kernel trace used. */
struct etc_kernel_evidence {
	bool tried;
	const char *log; /* path of the log, relative to the run folder; NULL: there is no log */
	const char *log_sha256;
	const char *why; /* why the kernels are not known; NULL: they are known */
	struct etc_seen_kernels kernels;
};

/* A unit of the plan (an experiment at one number of threads), with its results. */
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
	int progress; /* file descriptor for progress messages; 0: none */
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
	/* those members of the manifest that do not change during the run, as JSON: they describe
	 * the machine, the model and the git checkout of ExecuTorch */
	struct etc_text surroundings;
	/* the manifest of the command whose results were taken over; NULL: none were */
	const struct etc_tree *earlier;
	uint32_t job;      /* index of the current job in the plan */
	uint64_t spent_ms; /* total duration of the processes that have ended */
	uint32_t done;     /* number of processes that have ended */
	/* highest serial number of a process of this folder so far; the next process gets the next
	 * number */
	uint32_t last_order;
	bool interrupted;
};

/* Runs the pipeline, and writes the report as text to `out`. E1004 to E1007, the errors of reading
 * the configuration, E0901, E0903, E0904. */
enum etc_status etc_run_pipeline(const struct etc_pipeline_options *options, int progress,
                                 struct etc_arena *arena, struct etc_notes *notes,
                                 struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

/* ---- the files of the run folder ------------------------------------------------ */

/* Writes manifest.json and metrics.json. E0903, E0904. */
enum etc_status etc_run_write(struct etc_pipeline_run *run, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the members of the manifest that follow from the folder's files: status, jobs and results.
 * E0904. */
enum etc_status etc_run_measured(const struct etc_pipeline_run *run, struct etc_text *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Makes run->units from run->plan, without results. E0904. */
enum etc_status etc_run_make_units(struct etc_pipeline_run *run,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Returns the number of processes of the plan that have not run yet. With `selected`, only counts
 * processes of the experiments that --only selects. If `of` is not NULL, sets `*of` to the number
 * of all these processes, including those that have run. */
uint32_t etc_run_open(const struct etc_pipeline_run *run, bool selected, uint32_t *of);

/* Sets run->surroundings: describes the machine, the model and the git checkout of ExecuTorch, for
 * the manifest. */
void etc_run_look_around(struct etc_pipeline_run *run);

/* Takes over the results of an earlier command in this folder. The result of a block is taken over
 * if its key and files are unchanged, and the block need not be measured again. E1006: the folder
 * has results, but neither --resume nor --force was given; or results of experiments that --only
 * does not select would be lost. E1031. */
enum etc_status etc_run_take_over(struct etc_pipeline_run *run,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Removes dumps and logs that the new manifest would not list: the files of processes that are in
 * the folder's manifest but not in the plan, and the files of experiments that are not selected and
 * whose results were not taken over. E0904. */
enum etc_status etc_run_drop(const struct etc_pipeline_run *run,
                             struct etc_error *err) ETC_MUST_CHECK;

/* An entry of "jobs" in a manifest. */
struct etc_earlier_job {
	struct etc_str experiment;
	uint64_t threads, block; /* block number, from 1 */
	/* result.state is ETC_BLOCK_STATES if the entry has an unknown status. The members `log`
	 * and `times` of the result are not set */
	struct etc_block_result result;
};
void etc_run_job_read(const struct etc_tree *job, struct etc_arena *arena,
                      struct etc_earlier_job *out);

/* Finds the block of the plan that an earlier job measured; NULL: the plan has no such block.
 * `*unit` is set if the plan has the job's experiment and number of threads. */
struct etc_block_result *etc_run_find_block(const struct etc_pipeline_run *run,
                                            const struct etc_earlier_job *job,
                                            struct etc_run_unit **unit);

/* Reads again the log and the dump of a block that an earlier command measured into `folder`, as
 * after a measurement. If these files contradict the state of the block, changes the state.
 * Computes the hashes of the block from the files. E0904. */
enum etc_status etc_run_collect(const struct etc_pipeline_run *run, const char *folder,
                                const struct etc_run_unit *u, uint32_t block,
                                struct etc_block_result *r, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the SHA-256 of everything that a block's result depends on. NULL: out of memory. */
const char *etc_run_key(const struct etc_pipeline_run *run, const struct etc_run_unit *u,
                        uint32_t block);

/* Writes the results of a unit of the plan as an object with the members experiment and metrics. */
enum etc_status etc_metrics_emit(struct etc_emit *e, const struct etc_pipeline_run *run,
                                 const struct etc_run_unit *u,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Has any block of the unit a result: ok, kept or failed? */
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

/* Returns the status of a unit: "ok", "partial", "failed", "interrupted" or "pending". */
const char *etc_run_unit_status(const struct etc_run_unit *u);

/* Returns the absolute path of a file of the folder. */
const char *etc_run_path(const struct etc_pipeline_run *run, const char *relative);

/* ---- screen ---------------------------------------------------------------------- */

void etc_run_show_plan(const struct etc_pipeline_run *run, struct etc_text *out);
enum etc_status etc_run_show_results(const struct etc_pipeline_run *run, struct etc_text *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Shows the current process and the remaining time. On a terminal, the line is overwritten each
 * time. Otherwise a new line is written when a process starts. */
void etc_run_progress(struct etc_pipeline_run *run, uint64_t elapsed_ms);
void etc_run_progress_end(const struct etc_pipeline_run *run);

/* Finds the kernels of a unit of the plan: in the log of an experiment that is a trace, else in the
 * log of one more execution, whose time is not measured. */
enum etc_status etc_run_kernels(struct etc_pipeline_run *run, struct etc_run_unit *u,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
