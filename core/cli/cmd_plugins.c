/* cmd_plugins.c -- `etcore plugins [list | info NAME]`. */
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
	struct etc_plugins_options o = { .common = etc_common_of(&a->common), .output = a->output };
	enum etc_status st;

	if (a->common.operands.count > 2)
		return etc_fail(err, E0501, "plugins [list | info NAME]");
	if (a->common.operands.count > 0)
		o.action = a->common.operands.v[0];
	if (a->common.operands.count > 1)
		o.name = a->common.operands.v[1];
	st = etc_plugins(&o, &out, etc_print_note, &a->common, err);
	return etc_stdout_end(&out, st, err);
}

const struct etc_command etc_cmd_plugins = {
	.name = "plugins",
	.summary = "which plugins were found where, and why one was refused",
	.usage = "[list | info NAME]",
	.examples = "etcore plugins\netcore plugins info xnnpack\n"
		    "etcore plugins --plugin ./acme.so",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.operands = offsetof(struct args, common.operands),
	.run = run,
};
