/* command.c -- `etcore plugins [list | info NAME | check LIB | new NAME]`. */
#include <string.h>

#include "commands/plugins/check_report.h"
#include "context/output.h"
#include "context/question.h"

struct args {
	struct etc_common_options common;
	struct etc_opt_list output;
	const char *level, *limit, *sample, *expected;
	const char *seed, *language, *backend;
};

static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct args, ETC_CHECK_FORMATS, "; tap, junit: of check"),
	{ 0, "level", ETC_OPT_CHOICE, offsetof(struct args, level), "LEVEL",
	  "basic|strict|parity|stress", "check: how much is asked of the plugin (basic)" },
	{ 0, "limit", ETC_OPT_TEXT, offsetof(struct args, limit), "SECONDS", NULL,
	  "check: time that one check may take (20)" },
	{ 0, "sample", ETC_OPT_TEXT, offsetof(struct args, sample), "ETDUMP", NULL,
	  "check: try it on the events of this run as well, and on damaged ones like them" },
	{ 0, "expected", ETC_OPT_TEXT, offsetof(struct args, expected), "JSON", NULL,
	  "check: the answers of a parser in Python that --level parity compares with" },
	{ 0, "seed", ETC_OPT_TEXT, offsetof(struct args, seed), "N", NULL,
	  "check: which random events --level stress makes (1)" },
	{ 0, "language", ETC_OPT_CHOICE, offsetof(struct args, language), "LANGUAGE",
	  "c|cpp|rust|zig", "new: what it is written in (c)" },
	{ 0, "backend", ETC_OPT_TEXT, offsetof(struct args, backend), "ID", NULL,
	  "new: id of the backend whose events it explains (made of NAME)" },
	ETC_COMMON_ROWS(struct args),
};

static bool asks_check(const struct args *a)
{
	return a->level || a->limit || a->sample || a->expected || a->seed;
}

static enum etc_status check(const struct args *a, const struct etc_reply *r, struct etc_error *err)
{
	const struct etc_opt_list *words = &a->common.operands;
	struct etc_plugins_check_options o = {
		.common = a->common,
		.library = words->count > 1 ? words->v[1] : NULL,
		.checks = words->count > 2 ? words->v + 2 : NULL,
		.check_count = words->count > 2 ? words->count - 2 : 0,
		.level = a->level,
		.output = a->output.v,
		.output_count = a->output.count,
		.limit = a->limit,
		.sample = a->sample,
		.expected = a->expected,
		.seed = a->seed,
	};

	return etc_plugins_check(&o, r->out, r->on_note, r->arg, err);
}

static enum etc_status make(const struct args *a, const struct etc_reply *r, struct etc_error *err)
{
	const struct etc_opt_list *words = &a->common.operands;

	struct etc_plugins_new_options o = { .name = words->count > 1 ? words->v[1] : NULL,
		                             .language = a->language,
		                             .backend = a->backend };

	if (words->count > 2 || asks_check(a) || a->output.count)
		return etc_fail(err, E0501,
		                "plugins new NAME [--language LANGUAGE] [--backend ID]");
	return etc_plugins_new(&o, r->out, err);
}

static enum etc_status list(const struct args *a, const struct etc_reply *r, struct etc_error *err)
{
	const struct etc_opt_list *words = &a->common.operands;
	struct etc_plugins_options o = { .common = a->common,
		                         .output = a->output.v,
		                         .output_count = a->output.count };

	if (words->count > 2)
		return etc_fail(err, E0501, "plugins [list | info NAME | check LIB | new NAME]");
	if (asks_check(a))
		return etc_fail(err, E0501,
		                "--level, --limit, --sample, --expected and --seed belong to "
		                "plugins check");
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

	if (strcmp(word, "new") == 0)
		return make(a, r, err);
	if (a->language || a->backend)
		return etc_fail(err, E0501, "--language and --backend belong to plugins new");
	return strcmp(word, "check") == 0 ? check(a, r, err) : list(a, r, err);
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
