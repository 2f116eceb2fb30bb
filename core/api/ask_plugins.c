/* ask_plugins.c -- `etcore plugins [list | info NAME | check LIB | new NAME]`. */
#include <string.h>

#include "api/question.h"

struct args {
	struct etc_common_args common;
	const char *output, *level, *limit, *sample, *expected;
};

static const struct etc_opt options[] = {
	{ 'o', "output", ETC_OPT_CHOICE, offsetof(struct args, output), "FORMAT",
	  "text|json|tap|junit", "form of the answer (text); tap and junit: of check" },
	{ 0, "level", ETC_OPT_CHOICE, offsetof(struct args, level), "LEVEL", "basic|strict|parity",
	  "check: how much is asked of the plugin (basic)" },
	{ 0, "limit", ETC_OPT_TEXT, offsetof(struct args, limit), "SECONDS", NULL,
	  "check: time that one check may take (20)" },
	{ 0, "sample", ETC_OPT_TEXT, offsetof(struct args, sample), "ETDUMP", NULL,
	  "check: try it on the events of this run as well, and on damaged ones like them" },
	{ 0, "expected", ETC_OPT_TEXT, offsetof(struct args, expected), "JSON", NULL,
	  "check: the answers of a parser in Python that --level parity compares with" },
	ETC_COMMON_ROWS(struct args),
};

static enum etc_status check(const struct args *a, const struct etc_reply *r, struct etc_error *err)
{
	const struct etc_opt_list *words = &a->common.operands;
	struct etc_plugins_check_options o = {
		.common = etc_common_of(&a->common),
		.library = words->count > 1 ? words->v[1] : NULL,
		.checks = words->count > 2 ? words->v + 2 : NULL,
		.check_count = words->count > 2 ? words->count - 2 : 0,
		.level = a->level,
		.output = a->output,
		.limit = a->limit,
		.sample = a->sample,
		.expected = a->expected,
	};

	return etc_plugins_check(&o, r->out, r->on_note, r->arg, err);
}

static enum etc_status make(const struct args *a, const struct etc_reply *r, struct etc_error *err)
{
	const struct etc_opt_list *words = &a->common.operands;

	if (words->count > 2 || a->level || a->limit || a->sample || a->expected || a->output)
		return etc_fail(err, E0501, "plugins new NAME, without options");
	return etc_plugins_new(words->count > 1 ? words->v[1] : NULL, r->out, err);
}

static enum etc_status list(const struct args *a, const struct etc_reply *r, struct etc_error *err)
{
	const struct etc_opt_list *words = &a->common.operands;
	struct etc_plugins_options o = { .common = etc_common_of(&a->common), .output = a->output };

	if (words->count > 2)
		return etc_fail(err, E0501, "plugins [list | info NAME | check LIB | new NAME]");
	if (a->level || a->limit || a->sample || a->expected)
		return etc_fail(
			err, E0501,
			"--level, --limit, --sample and --expected belong to plugins check");
	if (a->output && strcmp(a->output, "text") != 0 && strcmp(a->output, "json") != 0)
		return etc_fail(err, E0505, "-o %s belongs to plugins check", a->output);
	if (words->count > 0)
		o.action = words->v[0];
	if (words->count > 1)
		o.name = words->v[1];
	return etc_plugins(&o, r->out, r->on_note, r->arg, err);
}

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	const struct args *a = args;
	const char *word = a->common.operands.count ? a->common.operands.v[0] : "list";

	if (strcmp(word, "check") == 0)
		return check(a, r, err);
	return strcmp(word, "new") == 0 ? make(a, r, err) : list(a, r, err);
}

const struct etc_question etc_ask_plugins = {
	.name = "plugins",
	.summary = "which plugins were found where, and whether one keeps its contract",
	.usage = "[list | info NAME | check LIB [CHECK...] | new NAME]",
	.examples = "etcore plugins\netcore plugins info xnnpack\n"
		    "etcore plugins check ./acme.so --level strict",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
