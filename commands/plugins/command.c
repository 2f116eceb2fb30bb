/* command.c -- `etcore plugins [list | info NAME | check LIB | new NAME]`. */
#include <string.h>

#include "commands/plugins/plugins.h"
#include "commands/plugins/check_report.h"
#include "context/output.h"
#include "context/question.h"

static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct etc_plugins_options, ETC_CHECK_FORMATS, "; tap, junit: of check"),
	{ 0, "level", ETC_OPT_CHOICE, offsetof(struct etc_plugins_options, level), "LEVEL",
	  "basic|strict|parity|stress", "check: which checks are made (default: basic)" },
	{ 0, "limit", ETC_OPT_TEXT, offsetof(struct etc_plugins_options, limit), "SECONDS", NULL,
	  "check: time limit of one check (default: 20)" },
	{ 0, "sample", ETC_OPT_TEXT, offsetof(struct etc_plugins_options, sample), "ETDUMP", NULL,
	  "check: also test with the events of this run, and with damaged variants of them" },
	{ 0, "expected", ETC_OPT_TEXT, offsetof(struct etc_plugins_options, expected), "JSON", NULL,
	  "check: the answers of a parser in Python that --level parity compares with" },
	{ 0, "seed", ETC_OPT_TEXT, offsetof(struct etc_plugins_options, seed), "N", NULL,
	  "check: seed of the random events of --level stress (default: 1)" },
	{ 0, "language", ETC_OPT_CHOICE, offsetof(struct etc_plugins_options, language), "LANGUAGE",
	  "c|cpp|rust|zig", "new: programming language of the plugin (default: c)" },
	{ 0, "backend", ETC_OPT_TEXT | ETC_OPT_EMPTY, offsetof(struct etc_plugins_options, backend),
	  "ID", NULL, "new: id of the backend whose events it explains (default: made from NAME)" },
	ETC_COMMON_ROWS(struct etc_plugins_options),
};

static bool asks_check(const struct etc_plugins_options *o)
{
	return o->level || o->limit || o->sample || o->expected || o->seed;
}

static enum etc_status make(const struct etc_plugins_options *o, const struct etc_reply *reply,
                            struct etc_error *err)
{
	if (o->common.operands.count > 2 || asks_check(o) || o->output.count)
		return etc_fail(err, E0501,
		                "plugins new NAME [--language LANGUAGE] [--backend ID]");
	return etc_plugins_new(o, reply->out, err);
}

static enum etc_status list(const struct etc_plugins_options *o, const struct etc_reply *reply,
                            struct etc_error *err)
{
	if (o->common.operands.count > 2)
		return etc_fail(err, E0501, "plugins [list | info NAME | check LIB | new NAME]");
	if (asks_check(o))
		return etc_fail(err, E0501,
		                "--level, --limit, --sample, --expected and --seed belong to "
		                "plugins check");
	return etc_session_run(0, etc_plugins, o, reply, err);
}

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_plugins_options *o = args;
	const char *word = o->common.operands.count ? o->common.operands.v[0] : "list";

	if (strcmp(word, "new") == 0)
		return make(o, reply, err);
	if (o->language || o->backend)
		return etc_fail(err, E0501, "--language and --backend belong to plugins new");
	return strcmp(word, "check") == 0 ? etc_session_run(0, etc_plugins_check, o, reply, err)
	                                  : list(o, reply, err);
}

const struct etc_question etc_ask_plugins = {
	.name = "plugins",
	.summary = "which plugins were found where, and whether one keeps its contract",
	.usage = "[list | info NAME | check LIB [CHECK...] | new NAME]",
	.examples = "etcore plugins\netcore plugins info xnnpack\n"
		    "etcore plugins check ./acme.so --level strict",
	ETC_OPTIONS(struct etc_plugins_options),
	.run = run,
};
