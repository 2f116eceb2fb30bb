/* command.c -- `etcore what-if`: the table of its options, stored in struct etc_whatif_options. */
#include "commands/whatif/whatif.h"
#include "context/output.h"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "row", ETC_OPT_LIST, offsetof(struct etc_whatif_options, row), "COLUMN OP VALUE", NULL,
	  "rows that would take another time, as in analyze --where (repeatable: the first belongs to the first --times)" },
	{ 0, "times", ETC_OPT_LIST, offsetof(struct etc_whatif_options, times), "FACTOR", NULL,
	  "their new time: 0.5 or 50% of what it is (repeatable)" },
	{ 0, "to", ETC_OPT_LIST, offsetof(struct etc_whatif_options, to), "TIME|LIBRARY", NULL,
	  "the new time of each row: 1.5ms; with kernels of a library: by the ratios that were measured (repeatable)" },
	{ 0, "ratios", ETC_OPT_FILE, offsetof(struct etc_whatif_options, ratios), "FILE", NULL,
	  "for --to LIBRARY: a comparison without and with its kernels, by diff -o json" },
	{ 0, "by", ETC_OPT_CHOICE, offsetof(struct etc_whatif_options, plan.by), "WHAT",
	  &etc_by_analyze[1], "what a row is (op)" },
	ETC_METHOD_ROW(struct etc_whatif_options, plan.method),
	{ 0, "stat", ETC_OPT_CHOICE, offsetof(struct etc_whatif_options, plan.stat), "STATISTIC",
	  "typical|mean|min|total", "what the times are over the runs (typical)" },
	ETC_WARMUP_ROW(struct etc_whatif_options),
	ETC_FILES_ROWS(struct etc_whatif_options),
	ETC_OUTPUT_ROW(struct etc_whatif_options, ETC_TABLE_FORMATS, ""),
	ETC_ANALYSIS_ROWS(struct etc_whatif_options),
};
/* clang-format on */

const struct etc_question etc_ask_what_if = {
	.name = "what-if",
	.summary = "the total if some rows took another time",
	.usage = "FILE… --row 'COLUMN OP VALUE' --times FACTOR [--row … --times …]",
	.examples = "etcore what-if run.etdump --row 'name ~ GEMM' --times 0.5\n"
		    "etcore what-if run.etdump --row 'category = copy' --times 0 --row 'name ~ "
		    "Softmax' "
		    "--times 50%\n"
		    "etcore what-if run.etdump --to LIBRARY --ratios diff.json",
	ETC_OPTIONS(struct etc_whatif_options),
	.needs = "which file? etcore what-if run.etdump --row 'name ~ GEMM' --times 0.5",
	.answer = etc_whatif,
};
