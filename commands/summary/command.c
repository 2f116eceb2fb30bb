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

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	static const char *const own[] = { "output", NULL };
	const struct etc_summary_options *o = args;
	const struct etc_asker asker = {
		.options = options,
		.option_count = sizeof options / sizeof options[0],
		.args = &o->common,
		.own = own,
	};

	if (o->common.operands.count == 0)
		return etc_fail(err, E0501, "which file? etcore summary run.etdump");
	return etc_summary_make(o, &asker, reply, err);
}

const struct etc_question etc_ask_summary = {
	.name = "summary",
	.summary = "one paragraph in words: what takes the time, and how sure that is",
	.usage = "FILE… [-o text|markdown|json]",
	.examples = "etcore summary run.etdump\n"
		    "etcore summary run.etdump -r model.etrecord -o markdown\n"
		    "etcore summary run.etdump -o json",
	ETC_OPTIONS(struct etc_summary_options),
	.run = run,
};
