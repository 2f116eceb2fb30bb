/* command.c -- `etcore pipeline run | new | …`: one row of `commands` each. */
#include <string.h>

#include "commands/pipeline/judge.h"
#include "context/output.h"
#include "context/question.h"

struct args {
	struct etc_common_options common;
	struct etc_opt_list only;
	const char *target, *serial, *progress;
	bool dry_run, resume, force, kernel_trace;
	struct etc_opt_list output;
	const char *known_good, *level, *into, *etrecord, *categories, *process_spread;
};

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "only", ETC_OPT_LIST, offsetof(struct args, only), "NAME...", NULL,
	  "run: these experiments" },
	{ 'n', "dry-run", ETC_OPT_FLAG, offsetof(struct args, dry_run), NULL, NULL,
	  "run: show what would be started, in which order" },
	{ 0, "resume", ETC_OPT_FLAG, offsetof(struct args, resume), NULL, NULL,
	  "run: keep what was measured before, go on with the rest" },
	{ 0, "force", ETC_OPT_FLAG, offsetof(struct args, force), NULL, NULL,
	  "run: measure again what was measured before" },
	{ 0, "kernel-trace", ETC_OPT_FLAG, offsetof(struct args, kernel_trace), NULL, NULL,
	  "run: one more execution of each experiment that shows which kernels are used" },
	{ 0, "target", ETC_OPT_TEXT, offsetof(struct args, target), "TARGET", NULL,
	  "run: local, adb or adb:SERIAL, whatever the configuration says" },
	{ 0, "serial", ETC_OPT_TEXT, offsetof(struct args, serial), "SERIAL", NULL,
	  "run: this device of adb" },
	{ 0, "progress", ETC_OPT_TEXT | ETC_OPT_HIDDEN, offsetof(struct args, progress), "DESCRIPTOR", NULL,
	  "where progress is shown" },
	{ 0, "known-good", ETC_OPT_TEXT, offsetof(struct args, known_good), "DIR", NULL,
	  "compare: the run to be like" },
	{ 0, "level", ETC_OPT_CHOICE, offsetof(struct args, level), "LEVEL",
	  "auto|schema|content|quality", "validate: how much is looked at (auto)" },
	{ 0, "into", ETC_OPT_TEXT, offsetof(struct args, into), "DIR", NULL,
	  "report: write its files here, not into the run folder" },
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(struct args, etrecord), "FILE", NULL,
	  "report: the model's ETRecord" },
	{ 0, "categories", ETC_OPT_CHOICE, offsetof(struct args, categories), "PROFILE",
	  "etcore|kit-v1|kit-v2", "report: whose categories report.md shows (etcore)" },
	{ 0, "process-spread", ETC_OPT_TEXT, offsetof(struct args, process_spread), "PERCENT", NULL,
	  "report: what recordings of the same differ by, where it is not measured (5%)" },
	ETC_OUTPUT_ROW(struct args, ETC_TEXT_JSON_FORMATS, "; "
	               "of validate, compare and report; new: its FILE"),
	ETC_COMMON_ROWS(struct args),
};
/* clang-format on */

enum { OPTION_COUNT = sizeof options / sizeof options[0] };

/* A command of the pipeline. Operands begin behind its word. */
struct command {
	const char *word, *usage;
	const char *takes;  /* names of its options, each followed by a blank */
	uint32_t low, high; /* how many operands it takes */
	enum etc_status (*run)(const struct args *a, const char *const *operands, uint32_t count,
	                       const struct etc_reply *r, struct etc_error *err);
};

static enum etc_status make(const struct args *a, const char *const *operands, uint32_t count,
                            const struct etc_reply *r, struct etc_error *err)
{
	if (a->output.count + (count > 1) > 1)
		return etc_fail(err, E0501, "pipeline new writes one file; which of them?");
	return etc_pipeline_new(operands[0],
	                        a->output.count ? a->output.v[0]
	                        : count > 1     ? operands[1]
	                                        : NULL,
	                        r->out, err);
}

static enum etc_status measure(const struct args *a, const char *const *operands, uint32_t count,
                               const struct etc_reply *r, struct etc_error *err)
{
	const struct etc_pipeline_run_options o = {
		.common = a->common,
		.only = a->only.v,
		.only_count = a->only.count,
		.target = a->target,
		.serial = a->serial,
		.progress = a->progress,
		.dry_run = a->dry_run,
		.resume = a->resume,
		.force = a->force,
		.kernel_trace = a->kernel_trace,
	};

	(void)operands;
	(void)count;
	return etc_pipeline_run(&o, r->out, r->on_note, r->arg, err);
}

typedef enum etc_status judge_fn(const struct etc_pipeline_judge_options *options,
                                 struct etc_text *out, etc_note_fn *on_note, void *arg,
                                 struct etc_error *err);

static enum etc_status judge(judge_fn *fn, const struct args *a, const char *folder,
                             const struct etc_reply *r, struct etc_error *err)
{
	struct etc_pipeline_judge_options o = {
		.common = a->common,
		.folder = folder,
		.known_good = a->known_good,
		.level = a->level,
		.into = a->into,
		.etrecord = a->etrecord,
		.categories = a->categories,
		.process_spread = a->process_spread,
		.output = a->output.v,
		.output_count = a->output.count,
	};

	return fn(&o, r->out, r->on_note, r->arg, err);
}

static enum etc_status validate(const struct args *a, const char *const *operands, uint32_t count,
                                const struct etc_reply *r, struct etc_error *err)
{
	(void)count;
	return judge(etc_pipeline_validate, a, operands[0], r, err);
}

static enum etc_status compare(const struct args *a, const char *const *operands, uint32_t count,
                               const struct etc_reply *r, struct etc_error *err)
{
	(void)count;
	return judge(etc_pipeline_compare, a, operands[0], r, err);
}

static enum etc_status report(const struct args *a, const char *const *operands, uint32_t count,
                              const struct etc_reply *r, struct etc_error *err)
{
	(void)count;
	return judge(etc_pipeline_report, a, operands[0], r, err);
}

/* What all commands take stands here once; "progress" is the program's own. */
#define COMMON "diagnostics verbose strict progress color no-color width terminal ascii "
/* Those that only read configuration for its limits. */
#define JUDGE COMMON "config set output "

static const struct command commands[] = {
	{ "run", "run --config FILE",
	  COMMON "config set only dry-run resume force kernel-trace target serial ", 0, 0,
	  measure },
	{ "new", "new mac|android|linux [FILE]", COMMON "output ", 1, 2, make },
	{ "validate", "validate DIR [--level LEVEL]", JUDGE "level ", 1, 1, validate },
	{ "compare", "compare DIR [--known-good DIR]", JUDGE "known-good ", 1, 1, compare },
	{ "report", "report DIR [--into DIR] [--etrecord FILE]",
	  JUDGE
	  "into etrecord categories process-spread plugin no-plugins isolate no-isolate worker ",
	  1, 1, report },
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct command *find(const char *word)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(commands[i].word, word) == 0)
			return &commands[i];
	return NULL;
}

static bool is_given(const struct args *a, const struct etc_opt *o)
{
	const char *at = (const char *)a + o->target;

	switch (o->kind & (ETC_OPT_HIDDEN - 1u)) {
	case ETC_OPT_FLAG:
	case ETC_OPT_COUNT:
		return *at != 0;
	case ETC_OPT_LIST:
		return ((const struct etc_opt_list *)(const void *)at)->count > 0;
	default:
		return *(const char *const *)(const void *)at != NULL;
	}
}

/* Is `name` among the blank-separated words? */
static bool takes(const char *words, const char *name)
{
	size_t n = strlen(name);

	for (const char *w = words; (w = strstr(w, name)); w += n)
		if ((w == words || w[-1] == ' ') && w[n] == ' ')
			return true;
	return false;
}

static enum etc_status check(const struct command *c, const struct args *a, uint32_t count,
                             struct etc_error *err)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (is_given(a, &options[i]) && !takes(c->takes, options[i].name))
			return etc_fail(err, E0501, "pipeline %s takes no --%s", c->word,
			                options[i].name);
	if (count < c->low || count > c->high)
		return etc_fail(err, E0501, "etcore pipeline %s", c->usage);
	return ETC_OK;
}

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	const struct args *a = args;
	const struct etc_opt_list *words = &a->common.operands;
	const struct command *c = words->count ? find(words->v[0]) : NULL;

	if (!c)
		return etc_fail(err, E0501,
		                "etcore pipeline run, new, validate, compare or report");
	ETC_TRY(check(c, a, words->count - 1, err));
	return c->run(a, words->v + 1, words->count - 1, r, err);
}

const struct etc_question etc_ask_pipeline = {
	.name = "pipeline",
	.summary = "measure a model with several runners, judge and compare the runs",
	.usage = "run --config FILE | validate DIR | compare DIR | new KIND [FILE]",
	.examples = "etcore pipeline new linux\netcore pipeline run --config linux.ini --dry-run\n"
		    "etcore pipeline run --config configs/mac.json --set model=model.pte",
	.gathers = "only",
	.options = options,
	.option_count = OPTION_COUNT,
	.size = sizeof(struct args),
	.run = run,
};
