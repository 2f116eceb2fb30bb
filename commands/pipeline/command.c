/* command.c -- `etcore pipeline run | new | …`: each subcommand is an element of `commands`. */
#include <string.h>

#include "commands/pipeline/folder.h"
#include "commands/pipeline/pipeline.h"
#include "context/output.h"
#include "context/question.h"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "only", ETC_OPT_LIST, offsetof(struct etc_pipeline_options, only), "NAME...", NULL,
	  "run: these experiments" },
	{ 'n', "dry-run", ETC_OPT_FLAG, offsetof(struct etc_pipeline_options, dry_run), NULL, NULL,
	  "run: show what would be started, in which order" },
	{ 0, "resume", ETC_OPT_FLAG, offsetof(struct etc_pipeline_options, resume), NULL, NULL,
	  "run: keep earlier measurements, and make the missing ones" },
	{ 0, "force", ETC_OPT_FLAG, offsetof(struct etc_pipeline_options, force), NULL, NULL,
	  "run: repeat earlier measurements" },
	{ 0, "kernel-trace", ETC_OPT_FLAG, offsetof(struct etc_pipeline_options, kernel_trace), NULL, NULL,
	  "run: one more execution of each experiment that shows which kernels are used" },
	{ 0, "target", ETC_OPT_TEXT, offsetof(struct etc_pipeline_options, target), "TARGET", NULL,
	  "run: local, adb or adb:SERIAL, whatever the configuration says" },
	{ 0, "serial", ETC_OPT_TEXT, offsetof(struct etc_pipeline_options, serial), "SERIAL", NULL,
	  "run: this device of adb" },
	{ 0, "progress", ETC_OPT_TEXT | ETC_OPT_HIDDEN, offsetof(struct etc_pipeline_options, progress), "DESCRIPTOR", NULL,
	  "where progress is shown" },
	{ 0, "known-good", ETC_OPT_TEXT, offsetof(struct etc_pipeline_options, known_good), "DIR", NULL,
	  "compare: the run to compare with" },
	{ 0, "level", ETC_OPT_CHOICE, offsetof(struct etc_pipeline_options, level), "LEVEL",
	  "auto|schema|content|quality", "validate: how much is checked (default: auto)" },
	{ 0, "into", ETC_OPT_TEXT, offsetof(struct etc_pipeline_options, into), "DIR", NULL,
	  "report: write the files here instead of into the run folder" },
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(struct etc_pipeline_options, etrecord), "FILE", NULL,
	  "report: the model's ETRecord" },
	{ 0, "categories", ETC_OPT_CHOICE, offsetof(struct etc_pipeline_options, categories), "PROFILE",
	  "etcore|kit-v1|kit-v2", "report: the categories that report.md shows (default: etcore)" },
	{ 0, "process-spread", ETC_OPT_TEXT, offsetof(struct etc_pipeline_options, compare.process_spread), "PERCENT", NULL,
	  "report: assumed spread between recordings of one program, if it is not measured (default: 5%, or the spread of the runs if larger)" },
	ETC_OUTPUT_ROW(struct etc_pipeline_options, ETC_TEXT_JSON_FORMATS, "; "
	               "of validate, compare and report (html, too); new: its FILE"),
	ETC_COMMON_ROWS(struct etc_pipeline_options),
};
/* clang-format on */

enum { OPTION_COUNT = sizeof options / sizeof options[0] };

/* A subcommand; its operands follow its name. */
struct command {
	const char *word, *usage;
	const char *takes;  /* names of its options, for etc_opt_listed */
	uint32_t low, high; /* smallest and largest number of operands */
	etc_session_fn *run;
	size_t budget; /* limit of memory for its session */
};

/* Options that all subcommands have; the program etcore itself handles "progress". */
#define COMMON "diagnostics verbose strict progress color no-color width terminal ascii "
/* Options of the subcommands that use etcore's configuration only for its limits. */
#define JUDGE COMMON "config set output "

static const struct command commands[] = {
	{ "run", "run --config FILE",
	  COMMON "config set only dry-run resume force kernel-trace target serial ", 0, 0,
	  etc_pipeline_run, 0 },
	{ "new", "new mac|android|linux [FILE]", COMMON "output ", 1, 2, etc_pipeline_new, 0 },
	{ "validate", "validate DIR [--level LEVEL]", JUDGE "level ", 1, 1, etc_pipeline_validate,
	  ETC_RUN_FOLDER_BUDGET },
	{ "compare", "compare DIR [--known-good DIR]", JUDGE "known-good ", 1, 1,
	  etc_pipeline_compare, ETC_RUN_FOLDER_BUDGET },
	{ "report", "report DIR [--into DIR] [--etrecord FILE]",
	  JUDGE
	  "into etrecord categories process-spread plugin no-plugins isolate no-isolate worker ",
	  1, 1, etc_pipeline_report, ETC_RUN_FOLDER_BUDGET },
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct command *find(const char *word)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(commands[i].word, word) == 0)
			return &commands[i];
	return NULL;
}

static enum etc_status check(const struct command *c, const struct etc_pipeline_options *a,
                             uint32_t count, struct etc_error *err)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (etc_opt_given(&options[i], a) && !etc_opt_listed(c->takes, options[i].name))
			return etc_fail(err, E0501, "pipeline %s takes no --%s", c->word,
			                options[i].name);
	if (count < c->low || count > c->high)
		return etc_fail(err, E0501, "etcore pipeline %s", c->usage);
	return ETC_OK;
}

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_pipeline_options *o = args;
	const char *word = etc_operand(&o->common, 0);
	const struct command *c = word ? find(word) : NULL;

	if (!c)
		return etc_fail(err, E0501,
		                "etcore pipeline run, new, validate, compare or report");
	ETC_TRY(check(c, o, o->common.operands.count - 1, err));
	o->folder = etc_operand(&o->common, 1);
	return etc_session_run(c->budget, c->run, o, reply, err);
}

const struct etc_question etc_ask_pipeline = {
	.name = "pipeline",
	.summary = "measure a model with several runners, judge and compare the runs",
	.usage = "run --config FILE | validate DIR | compare DIR | report DIR | new KIND [FILE]",
	.examples = "etcore pipeline new linux\netcore pipeline run --config linux.ini --dry-run\n"
		    "etcore pipeline run --config configs/mac.json --set model=model.pte",
	.gathers = "only",
	ETC_OPTIONS(struct etc_pipeline_options),
	.run = run,
};
