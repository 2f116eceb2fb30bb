/* command_diff.c -- `etcore diff`: the table of its options, whose values are stored in struct
 * etc_diff_request. */
#include "commands/compare/requests.h"
#include "context/output.h"
#include "context/question.h"
#include "model/profile.h"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "names", ETC_OPT_TEXT, offsetof(struct etc_diff_request, groups.names), "A,B,…", NULL,
	  "names of the groups (default: the parts of their paths that differ)" },
	ETC_GROUPS_ROWS(struct etc_diff_request, "groups"),
	ETC_OUTPUT_ROW(struct etc_diff_request, ETC_TABLE_FORMATS, ""),
	ETC_LINK_ROW(struct etc_diff_request, "-o markdown"),
	{ 0, "by", ETC_OPT_CHOICE, offsetof(struct etc_diff_request, plan.by), "WHAT",
	  &etc_by_compare[1], "what a row stands for (default: op)" },
	ETC_METHOD_ROW(struct etc_diff_request, plan.method),
	{ 0, "stat", ETC_OPT_CHOICE, offsetof(struct etc_diff_request, plan.stat), "STATISTIC",
	  "typical|mean|median|min|p90|p95|p99", "how the times of the runs become one time (default: typical)" },
	ETC_COMPARE_ROWS(struct etc_diff_request, "the first group"),
	ETC_WARMUP_ROW(struct etc_diff_request),
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct etc_diff_request, plan.top), "N", NULL,
	  "number of changed rows on screen (default: 20); 0: all rows, also unchanged ones" },
	{ 0, "sort", ETC_OPT_TEXT, offsetof(struct etc_diff_request, plan.sort), "COLUMN[:asc|:desc]", NULL,
	  "order of the lines in machine-readable formats (default: by size of the change)" },
	{ 0, "columns", ETC_OPT_TEXT, offsetof(struct etc_diff_request, plan.columns), "NAME,…", NULL,
	  "columns of the lines; -o csv shows all names" },
	ETC_TABLE_ROWS(struct etc_diff_request),
	ETC_JOBS_ROW(struct etc_diff_request),
	ETC_COMMON_ROWS(struct etc_diff_request),
};
/* clang-format on */

const struct etc_question etc_ask_diff = {
	.name = "diff",
	.summary = "what changed from one group of dumps to another",
	.usage = "FILE… -- FILE… [-- FILE…] [options]",
	.examples = "etcore diff before.etdump -- after.etdump\n"
		    "etcore diff a/*.etdump -- b/*.etdump --by category\n"
		    "etcore diff fp32/run.etdump -- int8/run.etdump -o markdown",
	.groups = true,
	ETC_OPTIONS(struct etc_diff_request),
	.answer = etc_diff,
};
