/* command.c -- `etcore report`: the table of its options, stored in struct etc_report_request. */
#include "commands/report/request.h"
#include "context/output.h"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(struct etc_report_request, etrecord), "FILE", NULL,
	  "the ETRecord of all dumps (else those among or beside them)" },
	{ 'm', "pte", ETC_OPT_FILE, offsetof(struct etc_report_request, program), "FILE", NULL,
	  "the program of all dumps (else those among or beside them)" },
	ETC_NO_SIBLINGS_ROW(struct etc_report_request, no_siblings),
	ETC_OUTPUT_ROW(struct etc_report_request, ETC_REPORT_FORMATS, ""),
	{ 0, "names", ETC_OPT_TEXT, offsetof(struct etc_report_request, names), "A,B,…", NULL,
	  "names of the groups (else what differs in their paths)" },
	ETC_METHOD_ROW(struct etc_report_request, plan.method),
	{ 0, "stat", ETC_OPT_CHOICE, offsetof(struct etc_report_request, plan.stat), "STATISTIC",
	  "typical|mean|median|min", "what the times are over the runs (typical)" },
	ETC_WARMUP_ROW(struct etc_report_request),
	ETC_PEAK_ROW(struct etc_report_request, "the roofline with"),
	ETC_COMPARE_ROWS(struct etc_report_request, "the first group"),
	ETC_ANALYSIS_ROWS(struct etc_report_request),
};
/* clang-format on */

const struct etc_question etc_ask_report = {
	.name = "report",
	.summary = "one page to look at: table, flame graph, timeline, runs, memory",
	.usage = "FILE… [-- FILE…] [-o report.html]",
	.examples = "etcore report run.etdump -o report.html\n"
		    "etcore report before.etdump -- after.etdump -o diff.html\n"
		    "etcore report run.etdump -o markdown",
	.groups = true,
	ETC_OPTIONS(struct etc_report_request),
	.needs = "which file? etcore report run.etdump -o report.html",
	.answer = etc_report_make,
};
