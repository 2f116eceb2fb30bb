/* requests.h -- the options of `etcore diff`, `check` and `baseline`, and the functions that run
 * them. */
#ifndef ETC_COMMANDS_COMPARE_REQUESTS_H
#define ETC_COMMANDS_COMPARE_REQUESTS_H

#include "commands/compare/groups.h"
#include "context/compare_options.h"
#include "profile/plan.h"

/* The row for the option --report in a command's table of options. etc_link_parse() checks the
 * value of the option: E0505 if it is not a URL. */
#define ETC_LINK_ROW(type, forms)                                                 \
	{                                                                         \
		0, "report", ETC_OPT_TEXT, offsetof(type, report), "URL", NULL,   \
			forms ": where the whole report is; the page links to it" \
	}
enum etc_status etc_link_parse(const char *url, struct etc_str *out,
                               struct etc_error *err) ETC_MUST_CHECK;

struct etc_diff_request {
	struct etc_common_options common; /* operands: groups of files, "--" between them */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */
	struct etc_group_options groups;
	struct etc_compare_words compare;
	const char *report; /* URL of the report, for markdown; or NULL */
};

/* Compares each group with the first group. E0501: there are fewer than two groups, or a group has
 * no dump. */
etc_session_fn etc_diff ETC_MUST_CHECK;

struct etc_check_request {
	struct etc_common_options common; /* operands: dumps that are checked */
	/* `by`: also compares rows, as `diff` does; `where`: compares only the rows that it
	 * selects. */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */
	/* values of --baseline: dumps, stored baselines, and folders that contain dumps or stored
	 * baselines */
	struct etc_opt_list baseline;
	/* max_regression: NULL means 5%; metric: NULL means `typical` */
	const char *max_regression, *metric;
	struct etc_opt_list rules; /* files of rules */
	/* options about the two groups: the dumps of the baseline, and the dumps that are
	 * checked */
	struct etc_group_options groups;
	struct etc_compare_words compare;
	/* value of --report: URL of the whole report, for markdown and github; NULL: not given */
	const char *report;
	/* "pass" or "fail": the result if there is no verdict; NULL: the exit status is 11 */
	const char *no_verdict;
	/* value of --runner: "KEY=VALUE,…" about the device, for PyTorch's benchmark database */
	const char *runner;
	/* values of --dependency: NAME=VERSION of software on the device, for PyTorch's benchmark
	 * database */
	struct etc_opt_list dependencies;
};

/* Checks the dumps against the baseline. E0175: a time is significantly slower, by more than a rule
 * allows. E0190: a line has no verdict. The report is written to `out` even with these two errors,
 * and if --strict turns a warning into an error. E0177: no baseline. Also returns the errors of
 * reading the rules (gate_rules.h) and the dumps. */
etc_session_fn etc_check ETC_MUST_CHECK;

struct etc_baseline_request {
	/* operands: "save", "merge" or "show", and then either dumps with their records and
	 * programs, or baselines */
	struct etc_common_options common;
	struct etc_plan_options plan;
	/* the dumps, which form a single group, and the files that belong to them */
	struct etc_group_options groups;
	const char *output; /* save, merge: the file to write; "-": `out` */
};

/* save: writes the data of dumps that comparisons need to one file; comparisons then accept the
 * file in place of the dumps. merge: joins several such files. show: describes one such file.
 * E0176, E0178, E0501, E0504, and the errors of reading dumps. */
etc_session_fn etc_baseline ETC_MUST_CHECK;

#endif
