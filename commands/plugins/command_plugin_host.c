/* command_plugin_host.c -- `etcore plugin-host PATH BYTES`: the command by which etcore starts
 * itself for an isolated plugin. It fails when started by hand. */
#include <errno.h>
#include <stdlib.h>

#include "context/question.h"
#include "host/isolated/serve.h"

struct args {
	struct etc_common_options common;
};

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
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
	.run = run,
};
