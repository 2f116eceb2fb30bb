/* command.c -- `etcore tokens`: the table of its options, stored in struct etc_tokens_options. */
#include "commands/tokens/tokens.h"
#include "context/question.h"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(struct etc_tokens_options, etrecord), "FILE", NULL,
	  "the ETRecord of all dumps (else those among or beside the dumps)" },
	{ 'm', "pte", ETC_OPT_FILE, offsetof(struct etc_tokens_options, program), "FILE", NULL,
	  "the program of all dumps (else those among or beside the dumps)" },
	ETC_NO_SIBLINGS_ROW(struct etc_tokens_options, no_siblings),
	ETC_OUTPUT_ROW(struct etc_tokens_options, ETC_TABLE_FORMATS, ""),
	{ 0, "prefill", ETC_OPT_TEXT, offsetof(struct etc_tokens_options, prefill), "N", NULL,
	  "the first N runs of each generation are its prefill (else as names, shapes or --stats tell)" },
	{ 0, "generation", ETC_OPT_TEXT, offsetof(struct etc_tokens_options, generation), "N", NULL,
	  "a generation has N runs (else it begins with each dump and each prefill)" },
	{ 0, "stats", ETC_OPT_FILE, offsetof(struct etc_tokens_options, stats), "FILE", NULL,
	  "log or JSON with the statistics that the runner printed (PyTorchObserver)" },
	ETC_METHOD_ROW(struct etc_tokens_options, plan.method),
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct etc_tokens_options, plan.top), "N", NULL,
	  "operators on screen, 0 for all (12)" },
	ETC_WHERE_ROW(struct etc_tokens_options, plan.where),
	ETC_ANALYSIS_ROWS(struct etc_tokens_options),
};
/* clang-format on */

const struct etc_question etc_ask_tokens = {
	.name = "tokens",
	.summary = "time per token of a program that runs in a loop: prefill, decode, growth",
	.usage = "RUN… [-m PROGRAM] [--stats LOG] [-o FORMAT[=PATH]]",
	.examples = "etcore tokens run.etdump model.pte\n"
		    "etcore tokens run1.etdump run2.etdump run3.etdump --stats runner.log\n"
		    "etcore tokens run.etdump --prefill 16 -o csv",
	ETC_OPTIONS(struct etc_tokens_options),
	.needs = "which dump? etcore tokens run.etdump",
	.answer = etc_tokens_answer,
};
