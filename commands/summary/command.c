/* command.c -- `etcore summary`: the table of its options, stored in struct etc_summary_options. */
#include "commands/summary/summary.h"
#include "context/output.h"

/* clang-format off */
static const struct etc_opt options[] = {
	ETC_METHOD_ROW(struct etc_summary_options, plan.method),
	ETC_WARMUP_ROW(struct etc_summary_options),
	ETC_FILES_ROWS(struct etc_summary_options),
	ETC_OUTPUT_ROW(struct etc_summary_options, ETC_SUMMARY_FORMATS, ""),
	ETC_ANALYSIS_ROWS(struct etc_summary_options),
};
/* clang-format on */

const struct etc_question etc_ask_summary = {
	.name = "summary",
	.summary = "one paragraph in words: what takes the time, and how sure that is",
	.usage = "FILE… [-o text|markdown|json]",
	.examples = "etcore summary run.etdump\n"
		    "etcore summary run.etdump -r model.etrecord -o markdown\n"
		    "etcore summary run.etdump -o json",
	ETC_OPTIONS(struct etc_summary_options),
	.needs = "which file? etcore summary run.etdump",
	.answer = etc_summary_make,
};
