/* command.c -- `etcore memory`: the table of its options, whose values are stored in struct
 * etc_memory_options. */
#include "commands/memory/memory.h"
#include "commands/memory/forms.h"
#include "context/output.h"
#include "context/question.h"

/* clang-format off */
static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct etc_memory_options, ETC_MEMORY_FORMATS, ""),
	ETC_METHOD_ROW(struct etc_memory_options, method),
	ETC_NO_SIBLINGS_ROW(struct etc_memory_options, no_siblings),
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct etc_memory_options, top), "N", NULL,
	  "rows of each list on screen, 0 for all (default: 24 lifetimes, 10 of other lists)" },
	ETC_JOBS_ROW(struct etc_memory_options),
	ETC_CONFIG_ROW(struct etc_memory_options),
	ETC_REPORT_ROWS(struct etc_memory_options),
};
/* clang-format on */

const struct etc_question etc_ask_memory = {
	.name = "memory",
	.summary = "how a program's memory is planned, what holds the peak, what runs allocate",
	.usage = "[FILE.pte] [RUN.etdump] [-o FORMAT[=PATH]] [--method NAME]",
	.examples = "etcore memory model.pte\n"
		    "etcore memory model.pte -o svg=plan.svg\n"
		    "etcore memory model.pte run.etdump -o json",
	ETC_OPTIONS(struct etc_memory_options),
	.needs = "memory takes a program, an ETDump, or both",
	.answer = etc_memory,
};
