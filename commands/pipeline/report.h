/* report.h -- the steps of `etcore pipeline report`, which measures each dump and then writes the
 * files. */
#ifndef ETC_COMMANDS_PIPELINE_REPORT_H
#define ETC_COMMANDS_PIPELINE_REPORT_H

#include "commands/pipeline/dump.h"
#include "commands/pipeline/model.h"
#include "commands/pipeline/pipeline.h"
#include "base/map.h"
#include "commands/pipeline/summary.h"

/* The operators of an experiment, accumulated while its dumps are read. */
struct etc_report_operators {
	struct etc_map known; /* maps a name to its index in `v` */
	struct etc_summary_operator *v;
	uint32_t count, room;
};

struct etc_report_job {
	const struct etc_pipeline_options *options;
	struct etc_session *session;
	struct etc_run_folder folder;
	struct etc_record record;
	bool has_record;
	/* the model's program; NULL: the model is not known */
	struct etc_model *model;
	struct etc_report_operators *operators; /* the operators of each experiment */
	/* hashes[i]: SHA-256 of dump i of folder.dumps; NULL: the dump cannot be read */
	const char **hashes;
	struct etc_summary summary;
};

/* Sets the times, latencies and load time of the dump `d`, and adds its operators to the operators
 * of its experiment. Results are in the summary's arena. If the dump has no execution, sets d->why
 * (E1057). E0605, E0904. */
enum etc_status etc_report_measure(struct etc_report_job *job, struct etc_dump_work *w,
                                   struct etc_summary_dump *d,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Sets the operators of each experiment, the slowest first. Only the slowest KEPT_OPERATORS (200)
 * are kept. */
void etc_report_operators_finish(struct etc_report_job *job);

/* Writes the kit's tables of one dump to the folder of the dump, or below the folder of --into. If
 * the Inspector raises an exception even without the record, writes no tables, and sets d->kit_why
 * to the error. E0903, E0904. */
enum etc_status etc_report_tables(struct etc_report_job *job, struct etc_dump_work *w,
                                  struct etc_summary_dump *d, struct etc_error *err) ETC_MUST_CHECK;

/* Writes two tables of the kit for each pair of experiments. E0903, E0904. */
enum etc_status etc_report_pairs(struct etc_report_job *job, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the kit's table of micro-kernels for every log whose name ends with "_xnntrace.log". The
 * name of a log shows whether it is of a build with SME2 or without it. If there are logs of both
 * builds, also writes kernel_view_gemm.md, which compares the first log of each build. E0903,
 * E0904. */
enum etc_status etc_report_traces(struct etc_report_job *job, struct etc_error *err) ETC_MUST_CHECK;

/* Writes analysis_summary.json and report.md. E0903, E0904. */
enum etc_status etc_report_documents(struct etc_report_job *job,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
