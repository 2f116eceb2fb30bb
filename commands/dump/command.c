/* command.c -- `etcore dump`: the table of its options, whose values are stored in struct
 * etc_dump_options. */

#include "commands/dump/dump.h"
#include "context/output.h"
#include "context/question.h"

/* clang-format off */
static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct etc_dump_options, ETC_DUMP_FORMATS, "; dot, svg: of --graph"),
	{ 0, "graph", ETC_OPT_OPTIONAL, offsetof(struct etc_dump_options, graph), "[NAME]", NULL,
	  "one graph of an ETRecord (default: the edge program)" },
	{ 0, "times", ETC_OPT_FILE, offsetof(struct etc_dump_options, times), "ETDUMP", NULL,
	  "--graph -o dot, svg: colour the nodes by their time in this dump" },
	{ 'm', "pte", ETC_OPT_FILE, offsetof(struct etc_dump_options, program), "FILE", NULL,
	  "--times: the program that ran (default: the one beside that dump)" },
	{ 0, "diff", ETC_OPT_FILE, offsetof(struct etc_dump_options, diff), "FILE", NULL,
	  "differences from a second program" },
	ETC_SALVAGE_ROW(struct etc_dump_options),
	ETC_JOBS_ROW(struct etc_dump_options),
	ETC_CONFIG_ROW(struct etc_dump_options),
	ETC_REPORT_ROWS(struct etc_dump_options),
};
/* clang-format on */

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_dump_options o = *(const struct etc_dump_options *)args;
	const struct etc_opt_list *operands = &o.common.operands;

	if (operands->count == 0 && o.graph && o.graph[0]) {
		/* `dump --graph FILE`: the option has no value, FILE is the operand. */
		o.file = o.graph;
		o.graph = "";
	} else if (operands->count == 1) {
		o.file = operands->v[0];
	} else {
		return etc_fail(err, E0501, "dump takes one file, got %u",
		                (unsigned)operands->count);
	}
	return etc_session_run(0, etc_dump, &o, reply, err);
}

const struct etc_question etc_ask_dump = {
	.name = "dump",
	.summary = "every field of an ETDump, an ETRecord, a .pte, .bpte or .ptd",
	.usage = "FILE [-o FORMAT[=PATH]] [--graph [NAME] | --diff FILE]",
	.examples = "etcore dump run.etdump\n"
		    "etcore dump run.etdump -o json=run.json\n"
		    "etcore dump fp32.pte --diff int8.pte",
	ETC_OPTIONS(struct etc_dump_options),
	.run = run,
};
