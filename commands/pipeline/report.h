/* report.h -- the steps of `etcore pipeline report`: measures each dump, then writes the files. */
#ifndef ETC_COMMANDS_PIPELINE_REPORT_H
#define ETC_COMMANDS_PIPELINE_REPORT_H

#include "commands/pipeline/dump.h"
#include "commands/pipeline/model.h"
#include "commands/pipeline/pipeline.h"
#include "base/map.h"
#include "commands/pipeline/summary.h"

/* The operators of an experiment, accumulated while its dumps are read. */
struct etc_report_operators {
	struct etc_map known; /* name -> index in v */
	struct etc_summary_operator *v;
	uint32_t count, room;
};

struct etc_report_job {
	const struct etc_pipeline_options *options;
	struct etc_session *session;
	struct etc_run_folder folder;
	struct etc_record record;
	bool has_record;
	struct etc_model *model;                /* NULL: it is not known */
	struct etc_report_operators *operators; /* the operators of each experiment */
	/* hashes[i]: SHA-256 of dump i of folder.dumps; NULL: the dump cannot be read */
	const char **hashes;
	struct etc_summary summary;
};

/* Sets times, latencies and load time of the dump `d`, and adds its operators to those of its
 * experiment. Results are in the summary's arena. If the dump has no execution, d->why is set
 * (E1057). E0605, E0904. */
enum etc_status etc_report_measure(struct etc_report_job *job, struct etc_dump_work *w,
                                   struct etc_summary_dump *d,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Gives each experiment its operators, slowest first. Only the slowest are kept, at most 200
 * (KEPT_OPERATORS). */
void etc_report_operators_finish(struct etc_report_job *job);

/* Writes the kit's tables of one dump, next to it or below --into. If the Inspector raises an
 * exception even without the record, no tables are written, and d->kit_why has the error. E0903,
 * E0904. */
enum etc_status etc_report_tables(struct etc_report_job *job, struct etc_dump_work *w,
                                  struct etc_summary_dump *d, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the kit's two tables of each pair. E0903, E0904. */
enum etc_status etc_report_pairs(struct etc_report_job *job, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the kit's table of micro-kernels for every log whose name ends in "_xnntrace.log". If
 * there is such a log of a build with SME2 and one of a build without it (by the names of the
 * logs), also writes kernel_view_gemm.md, which compares the first of each. E0903, E0904. */
enum etc_status etc_report_traces(struct etc_report_job *job, struct etc_error *err) ETC_MUST_CHECK;

/* Writes analysis_summary.json and report.md. E0903, E0904. */
enum etc_status etc_report_documents(struct etc_report_job *job,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
