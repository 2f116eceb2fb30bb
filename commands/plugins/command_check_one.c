/* command_check_one.c -- `etcore check-one CHECK LIB SAMPLE EXPECTED SEED`: the command by
 * which `etcore plugins check` starts this program for one check. It fails when started by
 * hand, without the shared memory for the result. */
#include "commands/plugins/plugins.h"
#include "context/question.h"

struct args {
	struct etc_common_options common;
};

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	struct args *a = args;

	(void)reply;
	if (a->common.operands.count != 5)
		return etc_fail(err, E0501, "%s CHECK LIB SAMPLE EXPECTED SEED", ETC_CHECK_COMMAND);
	return etc_plugins_check_one(a->common.operands.v[0], a->common.operands.v[1],
	                             a->common.operands.v[2], a->common.operands.v[3],
	                             a->common.operands.v[4], err);
}

const struct etc_question etc_ask_check_one = {
	.name = ETC_CHECK_COMMAND,
	.hidden = true,
	.summary = "one check of a plugin, for `etcore plugins check`",
	.usage = "CHECK LIB SAMPLE EXPECTED SEED",
	.examples = "",
	.size = sizeof(struct args),
	.run = run,
};
