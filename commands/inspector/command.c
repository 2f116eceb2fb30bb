/* command.c -- `etcore inspector`: converts the options of ExecuTorch's inspector_cli, and etcore's
 * additional ones, to struct etc_inspector_options. */

#include "commands/inspector/inspector.h"
#include "commands/inspector/writers.h"
#include "context/output.h"
#include "context/question.h"

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "etdump_path", ETC_OPT_FILE | ETC_OPT_EMPTY, offsetof(struct etc_inspector_options, etdump), "FILE", NULL,
	  "the ETDump to read ('-': standard input)" },
	{ 0, "etrecord_path", ETC_OPT_FILE | ETC_OPT_EMPTY, offsetof(struct etc_inspector_options, etrecord), "FILE", NULL,
	  "the ETRecord to join it with" },
	{ 0, "debug_buffer_path", ETC_OPT_FILE | ETC_OPT_EMPTY, offsetof(struct etc_inspector_options, debug_buffer), "FILE", NULL,
	  "debug buffer with the logged tensors" },
	{ 0, "source_time_scale", ETC_OPT_CHOICE, offsetof(struct etc_inspector_options, source_time_scale), "SCALE", "ns|us|ms|s|cycles",
	  "unit of the runtime's ticks (default: ns, or that of the file of -c)" },
	{ 0, "target_time_scale", ETC_OPT_CHOICE, offsetof(struct etc_inspector_options, target_time_scale), "SCALE", "ns|us|ms|s|cycles",
	  "unit of the shown times (default: ms, or that of the file of -c)" },
	{ 0, "tsv_path", ETC_OPT_TEXT | ETC_OPT_EMPTY, offsetof(struct etc_inspector_options, tsv), "FILE", NULL,
	  "write the tab-separated table here as well" },
	{ 0, "compare_results", ETC_OPT_FLAG, offsetof(struct etc_inspector_options, compare_results), NULL, NULL,
	  "print compare_results() of the outputs after the table" },
	{ 0, "numeric_gap", ETC_OPT_TEXT | ETC_OPT_EMPTY, offsetof(struct etc_inspector_options, numeric_gap), "MSE|L1|SNR", NULL,
	  "print calculate_numeric_gap() only; needs --reference_values" },
	{ 0, "reference_values", ETC_OPT_FILE | ETC_OPT_EMPTY, offsetof(struct etc_inspector_options, reference_values), "FILE", NULL,
	  "reference values of the graph's nodes (from sdk/python/record_references.py)" },
	ETC_OUTPUT_ROW(struct etc_inspector_options, ETC_INSPECTOR_FORMATS, ""),
	{ 0, "include-units", ETC_OPT_CHOICE, offsetof(struct etc_inspector_options, include_units), "yes|no", "yes|no",
	  "units in the column names (default: yes)" },
	{ 0, "include-delegate-debug-data", ETC_OPT_CHOICE, offsetof(struct etc_inspector_options, include_delegate_debug_data), "yes|no", "yes|no",
	  "columns of delegate metadata (default: no)" },
	{ 0, "module", ETC_OPT_TEXT | ETC_OPT_EMPTY, offsetof(struct etc_inspector_options, module), "NAME", NULL,
	  "print find_total_for_module(NAME) only" },
	{ 0, "enable_module_hierarchy", ETC_OPT_FLAG, offsetof(struct etc_inspector_options, enable_module_hierarchy), NULL, NULL,
	  "order nodes by module, like the Inspector's option of this name" },
	{ 0, "reference_graph", ETC_OPT_TEXT | ETC_OPT_EMPTY, offsetof(struct etc_inspector_options, reference_graph), "NAME", NULL,
	  "graph of the record that gives names (default: edge_dialect_graph_module)" },
	ETC_SALVAGE_ROW(struct etc_inspector_options),
	ETC_JOBS_ROW(struct etc_inspector_options),
	ETC_COMMON_ROWS(struct etc_inspector_options),
};
/* clang-format on */

/* Refuses an operand that has the name of a dump or record. The operand must be a program: its dump
 * and record are searched next to it, and a table is written there. A user who gives a dump does
 * not want that. */
static enum etc_status check_program(const char *path, struct etc_error *err)
{
	struct etc_str name = etc_str_of(path ? path : "");
	const char *option =
		etc_str_ends(name, ETC_STR(".etdump")) || etc_str_ends(name, ETC_STR(".etdp"))
			? "--etdump_path"
		: etc_str_ends(name, ETC_STR(".etrecord")) ? "--etrecord_path"
							   : NULL;

	if (!option)
		return ETC_OK;
	return etc_fail(err, E0501, "the operand is a program (MODEL.pte): give %s %s", option,
	                path);
}

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_inspector_options *o = args;
	const struct etc_opt_list *operands = &o->common.operands;

	if (operands->count > 1)
		return etc_fail(err, E0501, "one program at most, got %u operands",
		                (unsigned)operands->count);
	if (operands->count)
		o->program = operands->v[0];
	ETC_TRY(check_program(o->program, err));
	if (!o->program && !o->etdump)
		return etc_fail(err, E0501, "which file? give --etdump_path FILE, or a program");
	return etc_inspector(o, reply, err);
}

const struct etc_question etc_ask_inspector = {
	.name = "inspector",
	.summary = "the answer of ExecuTorch's Inspector, bit for bit",
	.usage = "--etdump_path FILE [--etrecord_path FILE] [options]   or   MODEL.pte",
	.examples = "etcore inspector --etdump_path run.etdump --etrecord_path model.etrecord\n"
		    "etcore inspector --etdump_path run.etdump -o json\n"
		    "etcore inspector model.pte",
	ETC_OPTIONS(struct etc_inspector_options),
	.keeps = true,
	.run = run,
};
