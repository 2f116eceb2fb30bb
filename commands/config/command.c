/* command.c -- `etcore config`: the effective configuration and its origins. */

#include "context/output.h"
#include "context/question.h"

struct args {
	struct etc_common_options common;
	struct etc_opt_list output;
};

static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct args, ETC_TEXT_JSON_FORMATS, ""),
	ETC_COMMON_ROWS(struct args),
};

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	struct args *a = args;
	struct etc_config_options o = { .common = a->common,
		                        .output = a->output.v,
		                        .output_count = a->output.count };

	if (a->common.operands.count)
		return etc_fail(err, E0501, "config takes no operands; -c FILE names a file");
	return etc_config(&o, r->out, r->on_note, r->arg, err);
}

const struct etc_question etc_ask_config = {
	.name = "config",
	.summary = "the effective configuration, with the origin of every key",
	.usage = "[-c INI]",
	.examples = "etcore config\netcore config -c etcore.ini\netcore config -o json",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
