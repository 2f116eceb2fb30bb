/* pipeline.h -- the options of `etcore pipeline`, and its answers. */
#ifndef ETC_COMMANDS_PIPELINE_H
#define ETC_COMMANDS_PIPELINE_H

#include "context/session.h"
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
etc_session_fn etc_pipeline_run ETC_MUST_CHECK;

/* Writes a commented configuration for a kind (mac, android, linux), the first operand, to the
 * second or -o (else <kind>.ini; "-": into `out`). E0501, E1000, E0632, E0903. */
etc_session_fn etc_pipeline_new ETC_MUST_CHECK;

/* Is the folder what a run leaves? E1050 with the findings in `out`. E1067. */
etc_session_fn etc_pipeline_validate ETC_MUST_CHECK;

/* Has it the shape of a known good run? E1063 with the findings in `out`. E1066, E1067. */
etc_session_fn etc_pipeline_compare ETC_MUST_CHECK;

/* Writes analysis_summary.json, report.md and the tables of each dump. E1051, E1054, E1055 if
 * there is nothing to report, E0505, E0550, E0903. */
etc_session_fn etc_pipeline_report ETC_MUST_CHECK;

#endif
