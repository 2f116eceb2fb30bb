/* pipeline.h -- the options of `etcore pipeline`, and its answers. */
#ifndef ETC_COMMANDS_PIPELINE_H
#define ETC_COMMANDS_PIPELINE_H

#include "context/common.h"
#include "context/compare_options.h"

struct etc_pipeline_options {
	/* operands: the command, and what it takes; `run`: config is the pipeline's, `set` keys of it */
	struct etc_common_options common;

	/* run */
	struct etc_opt_list only;    /* names of experiments */
	const char *target, *serial; /* local, adb, adb:SERIAL; or NULL */
	const char *progress;        /* number of a descriptor that shows progress, or NULL */
	bool dry_run, resume, force, kernel_trace;

	/* validate, compare, report */
	const char *folder;         /* the operand */
	struct etc_opt_list output; /* -o, as in output.h */
	const char *known_good;     /* compare: NULL: only against the layout */
	const char *level;          /* validate: auto, schema, content, quality; NULL: auto */
	const char *into;           /* report: folder of its files; NULL: where the dumps are */
	const char *etrecord;       /* report: of all dumps; NULL: the model's, if it is there */
	struct etc_compare_words compare; /* report: its process_spread */
	const char *categories;           /* report: etcore, kit-v1, kit-v2; NULL: etcore */
};

/* Measures into the folder of the configuration (commands/pipeline/run.h). E1005 with the table in
 * `out`: something could not be measured, the warnings say what. */
enum etc_status etc_pipeline_run(const struct etc_pipeline_options *options,
                                 const struct etc_reply *reply,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Writes a commented configuration for `kind` (mac, android, linux) to `path` (NULL:
 * <kind>.ini; "-": into `out`). E1000, E0632, E0903. */
enum etc_status etc_pipeline_new(const char *kind, const char *path, struct etc_text *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Is the folder what a run leaves? E1050 with the findings in `out`. E1067. */
enum etc_status etc_pipeline_validate(const struct etc_pipeline_options *options,
                                      const struct etc_reply *reply,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* Has it the shape of a known good run? E1063 with the findings in `out`. E1066, E1067. */
enum etc_status etc_pipeline_compare(const struct etc_pipeline_options *options,
                                     const struct etc_reply *reply,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Writes analysis_summary.json, report.md and the tables of each dump. E1051, E1054, E1055 if
 * there is nothing to report, E0505, E0550, E0903. */
enum etc_status etc_pipeline_report(const struct etc_pipeline_options *options,
                                    const struct etc_reply *reply,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
