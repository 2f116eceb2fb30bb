/* command.c -- `etcore config`: the effective configuration and its origins. */

#include "commands/config/config.h"
#include "context/output.h"
#include "context/question.h"

static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct etc_config_options, ETC_TEXT_JSON_FORMATS, ""),
	ETC_COMMON_ROWS(struct etc_config_options),
};

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_config_options *o = args;

	if (o->common.operands.count)
		return etc_fail(err, E0501, "config takes no operands; -c FILE names a file");
	return etc_session_run(0, etc_config, o, reply, err);
}

const struct etc_question etc_ask_config = {
	.name = "config",
	.summary = "the effective configuration, with the origin of every key",
	.usage = "[-c INI]",
	.examples = "etcore config\netcore config -c etcore.ini\netcore config -o json",
	ETC_OPTIONS(struct etc_config_options),
	.run = run,
};
