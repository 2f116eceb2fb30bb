/* questions.c -- the list of all questions. */
#include "context/question.h"

/* A new question needs a row here, and a folder in commands/ whose command.c defines
 * etc_ask_NAME. */
/* clang-format off */
#define ETC_QUESTIONS(X) \
	X(analyze) \
	X(diff) \
	X(check) \
	X(baseline) \
	X(batch) \
	X(farm) \
	X(what_if) \
	X(summary) \
	X(overhead) \
	X(report) \
	X(inspector) \
	X(dump) \
	X(trace) \
	X(memory) \
	X(peaks) \
	X(tokens) \
	X(numeric) \
	X(doctor) \
	X(pipeline) \
	X(plugins) \
	X(config) \
	X(explain) \
	X(check_one) \
	X(plugin_host) \
	/* this comment ends the list, so that every row can end in a backslash */
#define DECLARE(name) extern const struct etc_question etc_ask_##name;
#define ADDRESS(name) &etc_ask_##name,
/* clang-format on */

ETC_QUESTIONS(DECLARE)
static const struct etc_question *const questions[] = { ETC_QUESTIONS(ADDRESS) };

const struct etc_question *etc_question_at(unsigned i)
{
	return i < sizeof questions / sizeof questions[0] ? questions[i] : NULL;
}
