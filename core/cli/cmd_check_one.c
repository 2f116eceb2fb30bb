/* cmd_check_one.c -- `etcore check-one CHECK LIB [SAMPLE]`: how `etcore plugins check`
 * starts itself for one check. Not for people: without its board it refuses. */
#include "cli/commands.h"

struct args {
	struct etc_opt_list operands;
};

static enum etc_status run(void *args, struct etc_error *err)
{
	struct args *a = args;

	if (a->operands.count < 2 || a->operands.count > 3)
		return etc_fail(err, E0501, "%s CHECK LIB [SAMPLE]", ETC_CHECK_COMMAND);
	return etc_plugins_check_one(a->operands.v[0], a->operands.v[1],
	                             a->operands.count > 2 ? a->operands.v[2] : NULL, err);
}

const struct etc_command etc_cmd_check_one = {
	.name = ETC_CHECK_COMMAND,
	.hidden = true,
	.summary = "one check of a plugin, for `etcore plugins check`",
	.usage = "CHECK LIB [SAMPLE]",
	.examples = "",
	.size = sizeof(struct args),
	.operands = offsetof(struct args, operands),
	.run = run,
};
