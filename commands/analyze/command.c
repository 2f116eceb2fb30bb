/* command.c -- `etcore analyze`: the table of its options, whose values are stored in struct
 * etc_analyze_options. */
#include "commands/analyze/overlay.h"
#include "context/output.h"
#include "context/question.h"

/* clang-format off */
/* Column names for completion. Plugins' columns are left out, because listing them would load the
 * plugins, which runs their constructors. */
static const char columns[] =
#define X(name) "|" name
#include "model/own_columns.def"
#undef X
#define X(name, type, unit, rollup, help) "|" name
#include "model/agreed_columns.def"
#undef X
	;

static const struct etc_opt options[] = {
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(struct etc_analyze_options, etrecord), "FILE", NULL,
	  "the ETRecord (default: the one beside the dump)" },
	{ 'b', "debug-buffer", ETC_OPT_FILE, offsetof(struct etc_analyze_options, debug_buffer), "FILE", NULL,
	  "debug buffer of the dump" },
	{ 'm', "pte", ETC_OPT_FILE, offsetof(struct etc_analyze_options, program), "FILE", NULL,
	  "the program that ran" },
	ETC_NO_SIBLINGS_ROW(struct etc_analyze_options, no_siblings),
	ETC_OUTPUT_ROW(struct etc_analyze_options, ETC_ANALYZE_FORMATS, "; model-explorer[=DIR] is node data of graphs"),
	{ 0, "events", ETC_OPT_FLAG, offsetof(struct etc_analyze_options, plan.events), NULL, NULL,
	  "every event with its percentiles" },
	{ 0, "by", ETC_OPT_CHOICE, offsetof(struct etc_analyze_options, plan.by), "WHAT",
	  &etc_by_analyze[1], "what a row stands for (default: op)" },
	ETC_METHOD_ROW(struct etc_analyze_options, plan.method),
	{ 0, "stat", ETC_OPT_CHOICE, offsetof(struct etc_analyze_options, plan.stat), "STATISTIC",
	  "typical|mean|median|min|total", "how the times of the runs become one time (default: typical)" },
	{ 0, "warmup", ETC_OPT_TEXT, offsetof(struct etc_analyze_options, plan.warmup), "N", NULL,
	  "number of first runs of each path to leave out (default: 1)" },
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct etc_analyze_options, plan.top), "N", NULL,
	  "rows on screen, 0 for all" },
	{ 0, "sort", ETC_OPT_TEXT, offsetof(struct etc_analyze_options, plan.sort), "COLUMN[:asc|:desc]", &columns[1],
	  "order of the rows (default: self_ns)" },
	{ 0, "tree", ETC_OPT_FLAG, offsetof(struct etc_analyze_options, plan.tree), NULL, NULL,
	  "modules as a tree, with own and total time (--top N: modules inside one module)" },
	{ 0, "roofline", ETC_OPT_FLAG, offsetof(struct etc_analyze_options, plan.roofline), NULL, NULL,
	  "speed of each row, compared with the processor's peaks, and the time that could be saved at most" },
	ETC_PEAK_ROW(struct etc_analyze_options, "--roofline with"),
	{ 0, "subtract-overhead", ETC_OPT_FILE, offsetof(struct etc_analyze_options, subtract_overhead), "FILE|TIME", NULL,
	  "subtract the cost of the event tracer: a file of `overhead -o json`, or a time per event (120ns)" },
	{ 0, "bars", ETC_OPT_FLAG, offsetof(struct etc_analyze_options, bars), NULL, NULL,
	  "a bar beside each row on screen; the longest is the largest time" },
	{ 0, "columns", ETC_OPT_TEXT, offsetof(struct etc_analyze_options, plan.columns), "NAME,…", &columns[1],
	  "columns of the tables; -o csv lists the names, `plugins info` those of a plugin" },
	ETC_SALVAGE_ROW(struct etc_analyze_options),
	ETC_TABLE_ROWS(struct etc_analyze_options),
	ETC_JOBS_ROW(struct etc_analyze_options),
	ETC_COMMON_ROWS(struct etc_analyze_options),
};
/* clang-format on */

const struct etc_question etc_ask_analyze = {
	.name = "analyze",
	.summary = "where the time went: one ranked screen",
	.usage = "FILE… [-r ETRECORD] [options]",
	.examples = "etcore analyze run.etdump\n"
		    "etcore analyze run.etdump -r model.etrecord --by kernel\n"
		    "etcore analyze run.etdump -o json=answer.json",
	.keeps = true,
	ETC_OPTIONS(struct etc_analyze_options),
	.needs = "which file? etcore analyze run.etdump",
	.run = etc_analyze,
};
