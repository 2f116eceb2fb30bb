/* command_baseline.c -- `etcore baseline save | merge | show`: options into struct
 * etc_baseline_request. */
#include "context/question.h"

struct args {
	struct etc_common_options common;
	const char *output, *etrecord, *program, *warmup, *source, *ticks;
	bool no_siblings;
};

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'o', "output", ETC_OPT_TEXT, offsetof(struct args, output), "FILE", NULL,
	  "save, merge: the baseline to write (-: standard output)" },
	ETC_DUMPS_ROWS(struct args),
	ETC_JOBS_ROW(struct args),
	ETC_COMMON_ROWS(struct args),
};
/* clang-format on */

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	struct args *a = args;
	const struct etc_opt_list *words = &a->common.operands;
	struct etc_baseline_request o = {
		.common = a->common,
		.action = words->count ? words->v[0] : NULL,
		.files = words->count ? words->v + 1 : NULL,
		.file_count = words->count ? words->count - 1 : 0,
		.output = a->output,
		.etrecord = a->etrecord,
		.program = a->program,
		.no_siblings = a->no_siblings,
		.warmup = a->warmup,
		.source_time_scale = a->source,
		.ticks_per_second = a->ticks,
	};

	return etc_baseline(&o, r->out, r->on_note, r->arg, err);
}

const struct etc_question etc_ask_baseline = {
	.name = "baseline",
	.summary = "keep dumps for later comparisons in one small file",
	.usage = "save ETDUMP… -o FILE | merge FILE… -o FILE | show FILE",
	.examples = "etcore baseline save run1.etdump run2.etdump -o main.baseline\n"
		    "etcore baseline merge main.baseline today.baseline -o all.baseline\n"
		    "etcore baseline show main.baseline",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
