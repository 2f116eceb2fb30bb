/* command.c -- `etcore overhead`: the table of its options, stored in struct
 * etc_overhead_options. */
#include "commands/overhead/overhead.h"
#include "context/output.h"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "on", ETC_OPT_LIST, offsetof(struct etc_overhead_options, on), "FILE", NULL,
	  "a dump of runs with the tracer (repeatable; files without an option, too)" },
	{ 0, "off", ETC_OPT_LIST, offsetof(struct etc_overhead_options, off), "FILE…", NULL,
	  "dumps with fewer events, or logs of a runner that measures its iterations (repeatable)" },
	ETC_METHOD_ROW(struct etc_overhead_options, plan.method),
	ETC_WARMUP_ROW(struct etc_overhead_options),
	ETC_TEST_ROWS(struct etc_overhead_options),
	ETC_OUTPUT_ROW(struct etc_overhead_options, ETC_TABLE_FORMATS, ""),
	ETC_SOURCE_ROW(struct etc_overhead_options),
	ETC_TICKS_ROW(struct etc_overhead_options),
	ETC_COMMON_ROWS(struct etc_overhead_options),
};
/* clang-format on */

const struct etc_question etc_ask_overhead = {
	.name = "overhead",
	.summary = "what the event tracer costs, per run and per event",
	.usage = "--on FILE… --off FILE…",
	.examples =
		"etcore overhead --on traced.etdump --off plain.log\n"
		"etcore overhead --on events.etdump --off whole-runs.etdump -o json\n"
		"etcore overhead a1.etdump a2.etdump a3.etdump --off b1.etdump b2.etdump b3.etdump",
	.gathers = "off",
	ETC_OPTIONS(struct etc_overhead_options),
	.answer = etc_overhead_make,
};
