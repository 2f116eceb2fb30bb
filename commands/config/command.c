/* command.c -- `etcore config`: the effective configuration and its origins. */

#include "commands/config/config.h"
#include "context/output.h"
#include "context/question.h"

static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct etc_config_options, ETC_TEXT_JSON_FORMATS, ""),
	ETC_COMMON_ROWS(struct etc_config_options),
};

const struct etc_question etc_ask_config = {
	.name = "config",
	.summary = "the effective configuration, with the origin of every key",
	.usage = "[-c INI]",
	.examples = "etcore config\netcore config -c etcore.ini\netcore config -o json",
	ETC_OPTIONS(struct etc_config_options),
	.answer = etc_config,
};
