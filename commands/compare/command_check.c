/* command_check.c -- `etcore check`: options into struct etc_check_request. */
#include "commands/compare/gate_forms.h"
#include "context/output.h"
#include "context/question.h"
#include "model/profile.h"

struct args {
	struct etc_common_options common;
	struct etc_opt_list output, baseline, where, dependencies;
	const char *max_regression, *metric, *rules, *method, *names, *by, *runner, *confidence,
		*rounds, *process_spread, *order, *no_verdict, *etrecord, *program, *warmup,
		*source, *ticks;
	bool no_siblings;
};

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "baseline", ETC_OPT_LIST, offsetof(struct args, baseline), "DIR|FILE…", NULL,
	  "dumps to compare with; a folder is those in it" },
	{ 0, "max-regression", ETC_OPT_TEXT, offsetof(struct args, max_regression), "PERCENT", NULL,
	  "how much slower is too much: 5 and 5% are 5 %, 0.5% is half a percent (5%)" },
	{ 0, "metric", ETC_OPT_CHOICE, offsetof(struct args, metric), "STATISTIC", "typical|mean|median|p90|p95|p99",
	  "what the times are over the runs (typical)" },
	{ 0, "rules", ETC_OPT_TEXT, offsetof(struct args, rules), "INI", NULL,
	  "more rules: [rule NAME] with method, category, op, metric, max_regression" },
	{ 0, "method", ETC_OPT_TEXT, offsetof(struct args, method), "NAME", NULL,
	  "only this method of the program" },
	{ 0, "by", ETC_OPT_CHOICE, offsetof(struct args, by), "WHAT",
	  &etc_by_compare[1],
	  "every such row too, with the same limit (only the ends)" },
	{ 0, "where", ETC_OPT_LIST, offsetof(struct args, where), "COLUMN OP VALUE", NULL,
	  "only rows with this, by op if --by is not given; no outcomes (repeatable)" },
	{ 0, "confidence", ETC_OPT_TEXT, offsetof(struct args, confidence), "LEVEL", NULL,
	  "of the intervals, and 1 - the level of significance (95%)" },
	{ 0, "rounds", ETC_OPT_TEXT, offsetof(struct args, rounds), "N", NULL,
	  "of the bootstrap (10000); 0: intervals by Student's t" },
	{ 0, "process-spread", ETC_OPT_TEXT, offsetof(struct args, process_spread), "PERCENT", NULL,
	  "what recordings of the same differ by, where it is not measured (5%)" },
	{ 0, "order", ETC_OPT_TEXT, offsetof(struct args, order), "ABAB…", NULL,
	  "in which order the dumps were recorded, A: the baseline; none (by start times)" },
	{ 0, "no-verdict", ETC_OPT_CHOICE, offsetof(struct args, no_verdict), "STATUS", "pass|fail",
	  "where a line has no verdict: end with status 0 or 1 (11)" },
	{ 0, "names", ETC_OPT_TEXT, offsetof(struct args, names), "BASELINE,NOW", NULL,
	  "what to call the two (else what differs in their paths)" },
	ETC_OUTPUT_ROW(struct args, ETC_GATE_FORMATS, ""),
	{ 0, "runner", ETC_OPT_TEXT, offsetof(struct args, runner), "KEY=VALUE,…", NULL,
	  "-o pytorch: the device: name, type, cpu_info, cpu_count, avail_mem_in_gb, …" },
	{ 0, "dependency", ETC_OPT_LIST, offsetof(struct args, dependencies), "NAME=VERSION", NULL,
	  "-o pytorch: what ran there, or NAME=REPOSITORY@COMMIT (repeatable)" },
	ETC_DUMPS_ROWS(struct args),
	ETC_JOBS_ROW(struct args),
	ETC_COMMON_ROWS(struct args),
};
/* clang-format on */

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	struct args *a = args;
	struct etc_check_request o = {
		.common = a->common,
		.files = a->common.operands.v,
		.file_count = a->common.operands.count,
		.baseline = a->baseline.v,
		.baseline_count = a->baseline.count,
		.output = a->output.v,
		.output_count = a->output.count,
		.max_regression = a->max_regression,
		.metric = a->metric,
		.rules = a->rules,
		.method = a->method,
		.names = a->names,
		.by = a->by,
		.runner = a->runner,
		.dependencies = a->dependencies.v,
		.dependency_count = a->dependencies.count,
		.where = a->where.v,
		.where_count = a->where.count,
		.confidence = a->confidence,
		.rounds = a->rounds,
		.process_spread = a->process_spread,
		.order = a->order,
		.no_verdict = a->no_verdict,
		.etrecord = a->etrecord,
		.program = a->program,
		.no_siblings = a->no_siblings,
		.warmup = a->warmup,
		.source_time_scale = a->source,
		.ticks_per_second = a->ticks,
	};

	return etc_check(&o, r->out, r->on_note, r->arg, err);
}

const struct etc_question etc_ask_check = {
	.name = "check",
	.summary = "did it get slower than the baseline? A gate for CI",
	.usage = "FILE… --baseline DIR|FILE… [--max-regression 5%] [--rules INI] [options]",
	.examples = "etcore check run.etdump --baseline before.etdump\n"
		    "etcore check new/*.etdump --baseline old/ --max-regression 3%\n"
		    "etcore check run.etdump --rules rules.ini --baseline before.etdump -o junit",
	.gathers = "baseline",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
