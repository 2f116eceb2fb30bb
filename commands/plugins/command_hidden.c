/* command_hidden.c -- the commands with which etcore starts itself: `etcore check-one CHECK LIB
 * SAMPLE EXPECTED SEED` runs one check of `etcore plugins check`; `etcore plugin-host PATH BYTES`
 * runs an isolated plugin. If a user starts them, they fail, because the file descriptors for their
 * results are missing. */
#include <errno.h>
#include <stdlib.h>

#include "commands/plugins/plugins.h"
#include "context/question.h"
#include "host/isolated/serve.h"

struct args {
	struct etc_common_options common;
};

static enum etc_status run_check(void *args, const struct etc_reply *reply, struct etc_error *err)
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
	.run = run_check,
};

static enum etc_status run_host(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	struct args *a = args;
	char *end = NULL;
	unsigned long long memory;

	(void)reply;
	if (a->common.operands.count != 2)
		return etc_fail(err, E0501, "%s PATH BYTES", ETC_PLUGIN_COMMAND);
	errno = 0;
	memory = strtoull(a->common.operands.v[1], &end, 10);
	if (errno || *end || memory > SIZE_MAX)
		return etc_fail(err, E0501, "%s PATH BYTES", ETC_PLUGIN_COMMAND);
	return etc_plugin_serve(a->common.operands.v[0], (size_t)memory, err);
}

const struct etc_question etc_ask_plugin_host = {
	.name = ETC_PLUGIN_COMMAND,
	.hidden = true,
	.summary = "the process of an isolated plugin, for etcore itself",
	.usage = "PATH BYTES",
	.examples = "",
	.size = sizeof(struct args),
	.run = run_host,
};
