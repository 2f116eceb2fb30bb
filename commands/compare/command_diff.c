/* command_diff.c -- `etcore diff`: options into struct etc_diff_request. */
#include "context/output.h"
#include "context/question.h"
#include "model/profile.h"

struct args {
	struct etc_common_options common;
	struct etc_opt_list output, where;
	const char *names, *etrecord, *program, *by, *method, *stat, *warmup, *top, *sort, *columns,
		*confidence, *rounds, *process_spread, *order, *source, *target, *ticks;
	bool no_siblings;
};

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "names", ETC_OPT_TEXT, offsetof(struct args, names), "A,B,…", NULL,
	  "names of the groups (else what differs in their paths)" },
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(struct args, etrecord), "FILE", NULL,
	  "the ETRecord of all groups (else those among or beside the dumps)" },
	{ 'm', "pte", ETC_OPT_FILE, offsetof(struct args, program), "FILE", NULL,
	  "the program of all groups (else those among or beside the dumps)" },
	{ 0, "no-siblings", ETC_OPT_FLAG, offsetof(struct args, no_siblings), NULL, NULL,
	  "do not look for files beside the dump" },
	ETC_OUTPUT_ROW(struct args, ETC_TABLE_FORMATS, ""),
	{ 0, "by", ETC_OPT_CHOICE, offsetof(struct args, by), "WHAT",
	  &etc_by_compare[1], "what a row is (op)" },
	{ 0, "method", ETC_OPT_TEXT, offsetof(struct args, method), "NAME", NULL,
	  "only this method of the program" },
	{ 0, "stat", ETC_OPT_CHOICE, offsetof(struct args, stat), "STATISTIC",
	  "typical|mean|median|min|p90|p95|p99", "what the times are over the runs (typical)" },
	{ 0, "confidence", ETC_OPT_TEXT, offsetof(struct args, confidence), "LEVEL", NULL,
	  "of the intervals, and 1 - the level of significance (95%)" },
	{ 0, "rounds", ETC_OPT_TEXT, offsetof(struct args, rounds), "N", NULL,
	  "of the bootstrap (10000); 0: intervals by Student's t" },
	{ 0, "process-spread", ETC_OPT_TEXT, offsetof(struct args, process_spread), "PERCENT", NULL,
	  "what recordings of the same differ by, where it is not measured (5%)" },
	{ 0, "order", ETC_OPT_TEXT, offsetof(struct args, order), "ABAB…", NULL,
	  "in which order the dumps were recorded, A: the first group; none (by start times)" },
	{ 0, "warmup", ETC_OPT_TEXT, offsetof(struct args, warmup), "N", NULL,
	  "runs of each path and dump to set aside (1)" },
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct args, top), "N", NULL,
	  "changed rows on screen (20); 0: all rows, unchanged ones too" },
	{ 0, "sort", ETC_OPT_TEXT, offsetof(struct args, sort), "COLUMN[:asc|:desc]", NULL,
	  "order of the lines for machines (size of the change)" },
	{ 0, "columns", ETC_OPT_TEXT, offsetof(struct args, columns), "NAME,…", NULL,
	  "columns of the lines; -o csv shows all names" },
	ETC_TABLE_ROWS(struct args),
	ETC_JOBS_ROW(struct args),
	ETC_COMMON_ROWS(struct args),
};
/* clang-format on */

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	struct args *a = args;
	struct etc_diff_request o = {
		.common = a->common,
		.files = a->common.operands.v,
		.file_count = a->common.operands.count,
		.names = a->names,
		.etrecord = a->etrecord,
		.program = a->program,
		.no_siblings = a->no_siblings,
		.by = a->by,
		.output = a->output.v,
		.output_count = a->output.count,
		.warmup = a->warmup,
		.top = a->top,
		.method = a->method,
		.stat = a->stat,
		.sort = a->sort,
		.columns = a->columns,
		.confidence = a->confidence,
		.rounds = a->rounds,
		.process_spread = a->process_spread,
		.order = a->order,
		.where = a->where.v,
		.where_count = a->where.count,
		.source_time_scale = a->source,
		.target_time_scale = a->target,
		.ticks_per_second = a->ticks,
	};

	return etc_diff(&o, r->out, r->on_note, r->arg, err);
}

const struct etc_question etc_ask_diff = {
	.name = "diff",
	.summary = "what changed from one group of dumps to another",
	.usage = "FILE… -- FILE… [-- FILE…] [options]",
	.examples = "etcore diff before.etdump -- after.etdump\n"
		    "etcore diff a/*.etdump -- b/*.etdump --by category\n"
		    "etcore diff fp32/run.etdump -- int8/run.etdump -o markdown",
	.groups = true,
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
