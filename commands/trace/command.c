/* command.c -- `etcore trace`: the table of its options, stored in struct etc_trace_options. */
#include "commands/trace/forms.h"
#include "context/output.h"
#include "context/question.h"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'o', "output", ETC_OPT_LIST, offsetof(struct etc_trace_options, output), "FORM[=PATH]|PATH",
	  &("" ETC_TRACE_FORMATS(ETC_FORMAT_WORD))[1],
	  "form of the trace, and its file: chrome=PATH, or x.folded (repeatable; else perfetto into "
	  "a .pftrace beside the dump)" },
	{ 0, "runs", ETC_OPT_TEXT, offsetof(struct etc_trace_options, runs), "typical|all|N", "typical|all",
	  "the typical run nearest the mean of each path, all runs and loads, or the run that analyze --by run calls run N (typical)" },
	ETC_METHOD_ROW(struct etc_trace_options, method),
	ETC_FILES_ROWS(struct etc_trace_options),
	ETC_WARMUP_ROW(struct etc_trace_options),
	ETC_ANALYSIS_ROWS(struct etc_trace_options),
};
/* clang-format on */

const struct etc_question etc_ask_trace = {
	.name = "trace",
	.summary = "runs as a timeline or flame graph, for Perfetto and other viewers",
	.usage = "FILE… [-o FORM[=PATH]] [--runs typical|all|N]",
	.examples = "etcore trace run.etdump\n"
		    "etcore trace run.etdump --runs all -o all.pftrace\n"
		    "etcore trace run.etdump -o speedscope=run.speedscope.json -o run.folded",
	ETC_OPTIONS(struct etc_trace_options),
	.needs = "which file? etcore trace run.etdump",
	.answer = etc_trace_draw,
};
