/* command_baseline.c -- `etcore baseline save | merge | show`: the table of its options, whose
 * values are stored in struct etc_baseline_request. */
#include "commands/compare/requests.h"
#include "context/question.h"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'o', "output", ETC_OPT_TEXT, offsetof(struct etc_baseline_request, output), "FILE", NULL,
	  "save, merge: the baseline to write (-: standard output)" },
	ETC_DUMPS_ROWS(struct etc_baseline_request),
	ETC_JOBS_ROW(struct etc_baseline_request),
	ETC_COMMON_ROWS(struct etc_baseline_request),
};
/* clang-format on */

static enum etc_status answer(struct etc_session *s, const void *request,
                              const struct etc_reply *reply, struct etc_error *err)
{
	static const struct etc_opt_form forms[] = {
		{ "save", " etrecord pte no-siblings warmup source-time-scale ticks-per-second " },
		{ "merge", "" },
		{ "show", "" },
	};
	const struct etc_opt_forms all = { "baseline", forms, sizeof forms / sizeof *forms };
	const struct etc_baseline_request *r = request;

	if (r->common.operands.count)
		ETC_TRY(etc_opt_fit(options, sizeof options / sizeof *options, r, &all,
		                    r->common.operands.v[0], err));
	return etc_baseline(s, request, reply, err);
}

const struct etc_question etc_ask_baseline = {
	.name = "baseline",
	.summary = "keep dumps for later comparisons in one small file",
	.usage = "save ETDUMP… -o FILE | merge FILE… -o FILE | show FILE",
	.examples = "etcore baseline save run1.etdump run2.etdump -o main.baseline\n"
		    "etcore baseline merge main.baseline today.baseline -o all.baseline\n"
		    "etcore baseline show main.baseline",
	ETC_OPTIONS(struct etc_baseline_request),
	.answer = answer,
};
