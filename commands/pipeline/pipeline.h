/* pipeline.h -- the options of `etcore pipeline`, and the functions that run its subcommands. */
#ifndef ETC_COMMANDS_PIPELINE_PIPELINE_H
#define ETC_COMMANDS_PIPELINE_PIPELINE_H

#include "context/session.h"
#include "context/compare_options.h"

struct etc_pipeline_options {
	/* operands: the subcommand and its operands. For `run`, `config` is the path of the
	 * pipeline's configuration, and `set` sets keys in it */
	struct etc_common_options common;

	/* Members for `run`: */
	struct etc_opt_list only; /* names of experiments */
	/* values of --target ("local", "adb" or "adb:SERIAL") and --serial; NULL: not given */
	const char *target, *serial;
	const char *progress; /* number of the file descriptor for progress messages, or NULL */
	bool dry_run, resume, force, kernel_trace;

	/* Members for `validate`, `compare` and `report`; some are for one of them only: */
	const char *folder;         /* the operand */
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */
	/* compare: a run folder that is known to be good; NULL: only the layout is checked */
	const char *known_good;
	const char *level; /* validate: auto, schema, content, quality; NULL: auto */
	/* report: folder for the tables and documents; NULL: next to the dumps */
	const char *into;
	/* report: path of the ETRecord for all dumps; NULL: the ETRecord next to the model, if
	 * any */
	const char *etrecord;
	struct etc_compare_words compare; /* report: only process_spread is used */
	/* report: whose categories are used: etcore, kit-v1 or kit-v2; NULL: etcore */
	const char *categories;
};

/* Measures the experiments, and writes the results to the folder that the configuration names
 * (run.h). E1005: some measurements failed; warnings say why, and `out` has the table of those that
 * succeeded. */
etc_session_fn etc_pipeline_run ETC_MUST_CHECK;

/* Writes a commented configuration. The first operand is its kind: mac, android or linux. The path
 * of the file is the second operand or -o, by default <kind>.ini; "-" is `out`. E0501, E1000,
 * E0632, E0903. */
etc_session_fn etc_pipeline_new ETC_MUST_CHECK;

/* Appends the commented INI file for `kind`: "mac", "android" or "linux". E1000: unknown kind. */
enum etc_status etc_pipeline_template(const char *kind, struct etc_text *out,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* Checks that a run folder is complete and consistent. E1050: it is not, and `out` has the
 * findings. E1067. */
etc_session_fn etc_pipeline_validate ETC_MUST_CHECK;

/* Checks that a run folder has the same structure as a folder that is known to be good. E1063: the
 * structure differs, and `out` has the findings. E1066, E1067. */
etc_session_fn etc_pipeline_compare ETC_MUST_CHECK;

/* Writes analysis_summary.json, report.md and the tables of each dump. E1051, E1054, E1055: there
 * is nothing to report. E1073, E1074: the verdict of the gates (etc_summary_verdict()). E0505,
 * E0550, E0903. */
etc_session_fn etc_pipeline_report ETC_MUST_CHECK;

#endif
