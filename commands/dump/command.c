/* command.c -- `etcore dump`: options into struct etc_dump_options. */

#include "context/output.h"
#include "context/question.h"

struct args {
	struct etc_common_options common;
	struct etc_opt_list output;
	const char *graph, *diff;
};

/* clang-format off */
static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct args, ETC_TEXT_JSON_FORMATS, ""),
	{ 0, "graph", ETC_OPT_OPTIONAL, offsetof(struct args, graph), "[NAME]", NULL,
	  "one graph of an ETRecord (the edge program)" },
	{ 0, "diff", ETC_OPT_FILE, offsetof(struct args, diff), "FILE", NULL,
	  "what differs between two programs" },
	ETC_SALVAGE_ROW(struct args),
	ETC_JOBS_ROW(struct args),
	ETC_CONFIG_ROW(struct args),
	ETC_REPORT_ROWS(struct args),
};
/* clang-format on */

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	struct args *a = args;
	struct etc_dump_options o = {
		.common = a->common,
		.output = a->output.v,
		.output_count = a->output.count,
		.graph = a->graph,
		.diff = a->diff,
	};

	if (a->common.operands.count == 0 && a->graph && a->graph[0]) {
		/* `dump --graph FILE`: the only word is the file. */
		o.file = a->graph;
		o.graph = "";
	} else if (a->common.operands.count == 1) {
		o.file = a->common.operands.v[0];
	} else {
		return etc_fail(err, E0501, "dump takes one file, got %u",
		                (unsigned)a->common.operands.count);
	}
	return etc_dump(&o, r->out, r->on_note, r->arg, err);
}

const struct etc_question etc_ask_dump = {
	.name = "dump",
	.summary = "every field of an ETDump, an ETRecord, a .pte, .bpte or .ptd",
	.usage = "FILE [-o FORMAT[=PATH]] [--graph [NAME] | --diff FILE]",
	.examples = "etcore dump run.etdump\n"
		    "etcore dump run.etdump -o json=run.json\n"
		    "etcore dump fp32.pte --diff int8.pte",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
