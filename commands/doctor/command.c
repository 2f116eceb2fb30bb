/* command.c -- `etcore doctor`: options into struct etc_doctor_options. */
#include "commands/doctor/doctor.h"
#include "context/output.h"
#include "context/question.h"

struct args {
	struct etc_common_options common;
	struct etc_opt_list output;
	bool no_siblings;
};

/* clang-format off */
static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct args, ETC_DOCTOR_FORMATS, ""),
	{ 0, "no-siblings", ETC_OPT_FLAG, offsetof(struct args, no_siblings), NULL, NULL,
	  "do not look for files beside the dump" },
	ETC_CONFIG_ROW(struct args),
	ETC_REPORT_ROWS(struct args),
};
/* clang-format on */

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	struct args *a = args;
	struct etc_doctor_options o = {
		.common = a->common,
		.files = a->common.operands.v,
		.file_count = a->common.operands.count,
		.output = a->output.v,
		.output_count = a->output.count,
		.no_siblings = a->no_siblings,
	};

	return etc_doctor(&o, r->out, r->on_note, r->arg, err);
}

const struct etc_question etc_ask_doctor = {
	.name = "doctor",
	.summary = "what is wrong with these files, and what to do about it",
	.usage = "FILE… [--no-siblings] [-o FORMAT[=PATH]]",
	.examples = "etcore doctor run.etdump model.etrecord\n"
		    "etcore doctor run.etdump model.pte debug.bin\n"
		    "etcore doctor *.etdump -o json",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
