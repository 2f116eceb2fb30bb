/* cmd_config.c -- `etcore config`: the effective configuration and its origins. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"

struct args {
	struct etc_common_args common;
	const char *output;
};

static const struct etc_opt options[] = {
	{ 'o', "output", ETC_OPT_CHOICE, offsetof(struct args, output), "FORMAT", "text|json",
	  "form of the answer (text)" },
	ETC_COMMON_ROWS(struct args),
};

static enum etc_status run(void *args, struct etc_error *err)
{
	struct args *a = args;
	struct etc_text out = { .sink = etc_stdout_sink };
	struct etc_config_options o = { .common = etc_common_of(&a->common), .output = a->output };
	enum etc_status st;

	if (a->common.operands.count)
		return etc_fail(err, E0501, "config takes no operands; -c FILE names a file");
	st = etc_config(&o, &out, etc_print_note, &a->common, err);
	return etc_stdout_end(&out, st, err);
}

const struct etc_command etc_cmd_config = {
	.name = "config",
	.summary = "the effective configuration, with the origin of every key",
	.usage = "[-c INI]",
	.examples = "etcore config\netcore config -c etcore.ini\netcore config -o json",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.operands = offsetof(struct args, common.operands),
	.run = run,
};
