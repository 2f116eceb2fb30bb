/* command.c -- `etcore doctor`: the table of its options, whose values are stored in struct
 * etc_doctor_options. */
#include "commands/doctor/doctor.h"
#include "context/output.h"
#include "context/question.h"

/* clang-format off */
static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct etc_doctor_options, ETC_DOCTOR_FORMATS, ""),
	ETC_NO_SIBLINGS_ROW(struct etc_doctor_options, no_siblings),
	ETC_CONFIG_ROW(struct etc_doctor_options),
	ETC_REPORT_ROWS(struct etc_doctor_options),
};
/* clang-format on */

const struct etc_question etc_ask_doctor = {
	.name = "doctor",
	.summary = "what is wrong with these files, and what to do about it",
	.usage = "FILE… [--no-siblings] [-o FORMAT[=PATH]]",
	.examples = "etcore doctor run.etdump model.etrecord\n"
		    "etcore doctor run.etdump model.pte debug.bin\n"
		    "etcore doctor *.etdump -o json",
	ETC_OPTIONS(struct etc_doctor_options),
	.answer = etc_doctor,
};
