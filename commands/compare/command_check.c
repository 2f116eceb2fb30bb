/* command_check.c -- `etcore check`: the table of its options, whose values are stored in struct
 * etc_check_request. */
#include "commands/compare/requests.h"
#include "commands/compare/gate_forms.h"
#include "context/output.h"
#include "context/question.h"
#include "model/profile.h"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "baseline", ETC_OPT_LIST, offsetof(struct etc_check_request, baseline), "DIR|FILE…", NULL,
	  "dumps to compare with; a folder stands for the dumps in it" },
	{ 0, "max-regression", ETC_OPT_TEXT, offsetof(struct etc_check_request, max_regression), "PERCENT", NULL,
	  "limit for a slowdown; 5 means 5% (default: 5%)" },
	{ 0, "metric", ETC_OPT_CHOICE, offsetof(struct etc_check_request, metric), "STATISTIC", "typical|mean|median|p90|p95|p99",
	  "how the times of the runs become one time (default: typical)" },
	{ 0, "rules", ETC_OPT_LIST, offsetof(struct etc_check_request, rules), "INI", NULL,
	  "more rules: [rule NAME] with method, category, op, metric, max_regression (repeatable)" },
	ETC_METHOD_ROW(struct etc_check_request, plan.method),
	{ 0, "by", ETC_OPT_CHOICE, offsetof(struct etc_check_request, plan.by), "WHAT",
	  &etc_by_compare[1],
	  "also check every row of this kind, with the same limit (default: only end to end)" },
	{ 0, "where", ETC_OPT_LIST, offsetof(struct etc_check_request, plan.where), "COLUMN OP VALUE", NULL,
	  "only rows that fulfil this (of --by op if --by is not given); no columns that the comparison computes (repeatable)" },
	ETC_COMPARE_ROWS(struct etc_check_request, "the baseline"),
	{ 0, "no-verdict", ETC_OPT_CHOICE, offsetof(struct etc_check_request, no_verdict), "STATUS", "pass|fail",
	  "status if a line has no verdict: pass is 0, fail is 1 (default: 11)" },
	{ 0, "names", ETC_OPT_TEXT, offsetof(struct etc_check_request, groups.names), "BASELINE,NOW", NULL,
	  "names of the two sides (default: the parts of their paths that differ)" },
	ETC_OUTPUT_ROW(struct etc_check_request, ETC_GATE_FORMATS, ""),
	ETC_LINK_ROW(struct etc_check_request, "-o markdown, github"),
	{ 0, "runner", ETC_OPT_TEXT, offsetof(struct etc_check_request, runner), "KEY=VALUE,…", NULL,
	  "-o pytorch: the device: name, type, cpu_info, cpu_count, avail_mem_in_gb, …" },
	{ 0, "dependency", ETC_OPT_LIST, offsetof(struct etc_check_request, dependencies), "NAME=VERSION", NULL,
	  "-o pytorch: software that ran there, also as NAME=REPOSITORY@COMMIT (repeatable)" },
	ETC_DUMPS_ROWS(struct etc_check_request),
	ETC_JOBS_ROW(struct etc_check_request),
	ETC_COMMON_ROWS(struct etc_check_request),
};
/* clang-format on */

const struct etc_question etc_ask_check = {
	.name = "check",
	.summary = "did it get slower than the baseline? A gate for CI",
	.usage = "FILE… --baseline DIR|FILE… [--max-regression 5%] [--rules INI] [options]",
	.examples = "etcore check run.etdump --baseline before.etdump\n"
		    "etcore check new/*.etdump --baseline old/ --max-regression 3%\n"
		    "etcore check run.etdump --rules rules.ini --baseline before.etdump -o junit",
	.gathers = "baseline",
	ETC_OPTIONS(struct etc_check_request),
	.answer = etc_check,
};
