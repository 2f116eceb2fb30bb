/* questions.c -- the one list of questions. */
#include "context/question.h"

#include "base/number.h"

/* A new question is one line here and one file, ask_<name>.c. */
/* clang-format off */
static const struct etc_question *const questions[] = {
	&etc_ask_analyze,
	&etc_ask_diff,
	&etc_ask_check,
	&etc_ask_baseline,
	&etc_ask_inspector,
	&etc_ask_dump,
	&etc_ask_memory,
	&etc_ask_numeric,
	&etc_ask_doctor,
	&etc_ask_pipeline,
	&etc_ask_plugins,
	&etc_ask_config,
	&etc_ask_explain,
	&etc_ask_check_one,
	&etc_ask_plugin_host,
};
/* clang-format on */

const struct etc_question *etc_question_at(unsigned i)
{
	return i < sizeof questions / sizeof questions[0] ? questions[i] : NULL;
}

struct etc_common_options etc_common_of(const struct etc_common_args *args)
{
	struct etc_common_options o = {
		.config = args->config,
		.plugins = args->plugins.v,
		.plugin_count = args->plugins.count,
		.no_plugins = args->no_plugins,
		.isolate = args->isolate,
		.no_isolate = args->no_isolate,
		.worker = args->worker,
		.set = args->set.v,
		.set_count = args->set.count,
		.strict = args->strict,
		.salvage = args->salvage,
		.json_diagnostics = args->diagnostics && strcmp(args->diagnostics, "json") == 0,
		.verbose = args->verbose,
		.jobs = args->jobs,
		.given = args->given,
		.color = args->no_color ? "never" : args->color,
		.terminal = args->terminal,
		.ascii = args->ascii,
	};
	struct etc_error ignored; /* etcore_run has looked at it */

	if (etc_width_parse(args->width, &o.width, &ignored) != ETC_OK)
		o.width = 0;
	return o;
}

enum etc_status etc_width_parse(const char *width, uint32_t *out, struct etc_error *err)
{
	uint64_t v = 0;

	if (width && (!etc_number_parse_u64(etc_str_of(width), &v) || v > UINT32_MAX))
		return etc_fail(err, E0505, "--width '%s'; expected a whole number from 0", width);
	*out = (uint32_t)v;
	return ETC_OK;
}
