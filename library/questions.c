/* questions.c -- the one list of questions. */
#include "context/question.h"

/* A new question is one line here and one folder of commands/. */
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
