/* run.h -- `etcore pipeline run`: measures what a configuration asks for into a folder.
 *
 *   <root>/manifest.json   what was measured, how, where, of what; after every process
 *   <root>/metrics.json    latencies and their statistics
 *   <root>/<experiment>/<experiment>_t<threads>[_b<block>].{etdump,log}
 *
 * Files are whole or not there at all, so the folder is valid whenever it is looked at. */
#ifndef ETC_PIPELINE_RUN_H
#define ETC_PIPELINE_RUN_H

#include "base/text.h"
#include "commands/pipeline/pipeline.h"
#include "commands/pipeline/kernels.h"
#include "commands/pipeline/target.h"
#include "commands/pipeline/tree.h"
#include "table/emit.h"

/* The kernels that one extra execution showed. */
struct etc_kernel_evidence {
	bool tried;
	const char *log; /* relative to the folder, or NULL */
	const char *log_sha256;
	const char *why; /* nothing was seen; or NULL */
	struct etc_seen_kernels kernels;
};

/* A unit of the plan, with what is known of it. */
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
	int progress; /* descriptor of a terminal that shows how it goes on; 0: none */
	struct etc_pipeline_config config;
	struct etc_run_plan plan;
	struct etc_arena *arena;
	struct etc_notes *notes;
	const char *root, *model; /* absolute */
	const char *model_sha256;
	uint64_t model_bytes;
	const char *started;
	struct etc_run_unit *units;
	struct etc_run_experiment *experiments; /* as config.experiments */
	struct etc_device *devices;
	struct etc_text surroundings; /* members of the manifest that do not change */
	uint32_t job;                 /* of the plan: under way */
	uint64_t begin_ms, spent_ms;  /* spent: in processes that are over */
	uint32_t done;                /* those */
	uint32_t last_order;          /* of a process that was started for this folder */
	bool interrupted;
};

/* Does it. `out`: what a person reads. E1004 … E1007, what reading the configuration says,
 * E0901, E0903, E0904. */
enum etc_status etc_run_pipeline(const struct etc_pipeline_options *options, int progress,
                                 struct etc_arena *arena, struct etc_notes *notes,
                                 struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

/* ---- the files of the folder ---------------------------------------------------- */

/* manifest.json and metrics.json. E0903, E0904. */
enum etc_status etc_run_write(struct etc_pipeline_run *run, struct etc_error *err) ETC_MUST_CHECK;

/* What the folder's files decide, as an object of the manifest's members: status, jobs,
 * results. E0904. */
enum etc_status etc_run_measured(const struct etc_pipeline_run *run, struct etc_text *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Fills r->units of r->plan: nothing is measured yet. E0904. */
enum etc_status etc_run_make_units(struct etc_pipeline_run *run,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Processes of the plan that are still to be done, of those that `--only` names or all. */
uint32_t etc_run_open(const struct etc_pipeline_run *run, bool selected, uint32_t *of);

/* Fills r->surroundings. */
void etc_run_look_around(struct etc_pipeline_run *run);

/* Takes over what an earlier command measured in this folder, if its key is the same and
 * its files are there. E1006 when that is not asked for, E1031. */
enum etc_status etc_run_take_over(struct etc_pipeline_run *run,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Removes the dumps and logs of processes that the folder's manifest has and the plan has not any
 * more, of the selected experiments: a report would count them. E0904. */
enum etc_status etc_run_drop(const struct etc_pipeline_run *run,
                             struct etc_error *err) ETC_MUST_CHECK;

/* A process as the "jobs" of a manifest have it. */
struct etc_earlier_job {
	struct etc_str experiment;
	uint64_t threads, block;        /* block from 1 */
	struct etc_block_result result; /* state ETC_BLOCK_STATES: its word is none; log and
	                                 * times are not read yet */
};
void etc_run_job_read(const struct etc_tree *job, struct etc_arena *arena,
                      struct etc_earlier_job *out);

/* The block of the plan that it is, or NULL; `*unit` is set where experiment and threads
 * are. */
struct etc_block_result *etc_run_find_block(const struct etc_pipeline_run *run,
                                            const struct etc_earlier_job *job,
                                            struct etc_run_unit **unit);

/* Reads the log and the dump of a block that was measured into `folder`, as was done then:
 * its state changes if they do not carry it; hashes are those of the files. E0904. */
enum etc_status etc_run_collect(const struct etc_pipeline_run *run, const char *folder,
                                const struct etc_run_unit *u, uint32_t block,
                                struct etc_block_result *r, struct etc_error *err) ETC_MUST_CHECK;

/* What a block depends on, as SHA-256. NULL: no memory. */
const char *etc_run_key(const struct etc_pipeline_run *run, const struct etc_run_unit *u,
                        uint32_t block);

/* {experiment, metrics}. */
enum etc_status etc_metrics_emit(struct etc_emit *e, const struct etc_pipeline_run *run,
                                 const struct etc_run_unit *u,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Was anything of the unit tried? */
bool etc_run_unit_tried(const struct etc_run_unit *u);

/* Latencies of a unit, blocks in the order of their numbers. */
struct etc_unit_latencies {
	double *v;
	uint32_t n;
	uint8_t source;
};
enum etc_status etc_unit_latencies(const struct etc_run_unit *u, struct etc_arena *arena,
                                   struct etc_unit_latencies *out,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* "ok", "partial", "failed", "interrupted", "pending" */
const char *etc_run_unit_status(const struct etc_run_unit *u);

/* Absolute path of a file of the folder. */
const char *etc_run_path(const struct etc_pipeline_run *run, const char *relative);

/* ---- for people ------------------------------------------------------------------ */

void etc_run_show_plan(const struct etc_pipeline_run *run, struct etc_text *out);
enum etc_status etc_run_show_results(const struct etc_pipeline_run *run, struct etc_text *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* A line that replaces itself on the terminal: which process, how long yet. */
void etc_run_progress(struct etc_pipeline_run *run, uint64_t elapsed_ms);
void etc_run_progress_end(const struct etc_pipeline_run *run);

/* One extra execution that shows kernels. */
enum etc_status etc_run_trace_kernels(struct etc_pipeline_run *run, struct etc_run_unit *u,
                                      struct etc_error *err) ETC_MUST_CHECK;

#endif
