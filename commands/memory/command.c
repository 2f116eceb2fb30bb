/* command.c -- `etcore memory`: options into struct etc_memory_options. */
#include "commands/memory/forms.h"
#include "context/output.h"
#include "context/question.h"

struct args {
	struct etc_common_options common;
	struct etc_opt_list output;
	const char *method, *top;
};

/* clang-format off */
static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct args, ETC_MEMORY_FORMATS, ""),
	{ 0, "method", ETC_OPT_TEXT, offsetof(struct args, method), "NAME", NULL,
	  "only this method of the program" },
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct args, top), "N", NULL,
	  "rows of each list on screen, 0 for all (24 lifetimes, the 10 largest of others)" },
	ETC_JOBS_ROW(struct args),
	ETC_CONFIG_ROW(struct args),
	ETC_REPORT_ROWS(struct args),
};
/* clang-format on */

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	struct args *a = args;
	struct etc_memory_options o = {
		.common = a->common,
		.output = a->output.v,
		.output_count = a->output.count,
		.method = a->method,
		.top = a->top,
	};

	if (a->common.operands.count == 0)
		return etc_fail(err, E0501, "memory takes a program, an ETDump, or both");
	o.files = a->common.operands.v;
	o.file_count = a->common.operands.count;
	return etc_memory(&o, r->out, r->on_note, r->arg, err);
}

const struct etc_question etc_ask_memory = {
	.name = "memory",
	.summary = "how a program's memory is planned, what holds the peak, what runs allocate",
	.usage = "FILE.pte [RUN.etdump] [-o FORMAT[=PATH]] [--method NAME]",
	.examples = "etcore memory model.pte\n"
		    "etcore memory model.pte -o svg=plan.svg\n"
		    "etcore memory model.pte run.etdump -o json",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
