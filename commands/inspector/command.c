/* command.c -- `etcore inspector`: the flags of ExecuTorch's
 * inspector_cli and ours, turned into struct etc_inspector_options. */

#include "inspector/inspector.h"
#include "context/output.h"
#include "context/question.h"

struct args {
	struct etc_common_options common;
	struct etc_opt_list output;
	const char *etdump, *etrecord, *debug_buffer, *source, *target, *tsv, *units,
		*delegate_data, *module, *reference_graph, *numeric_gap, *reference_values;
	bool hierarchy, compare_results;
};

/* clang-format off */
static const struct etc_opt options[] = {
	{ 0, "etdump_path", ETC_OPT_FILE, offsetof(struct args, etdump), "FILE", NULL,
	  "the ETDump to read ('-': standard input)" },
	{ 0, "etrecord_path", ETC_OPT_FILE, offsetof(struct args, etrecord), "FILE", NULL,
	  "the ETRecord to join it with" },
	{ 0, "debug_buffer_path", ETC_OPT_FILE, offsetof(struct args, debug_buffer), "FILE", NULL,
	  "debug buffer with the logged tensors" },
	{ 0, "source_time_scale", ETC_OPT_CHOICE, offsetof(struct args, source), "SCALE", "ns|us|ms|s|cycles",
	  "what the runtime's ticks are (ns, or what -c says)" },
	{ 0, "target_time_scale", ETC_OPT_CHOICE, offsetof(struct args, target), "SCALE", "ns|us|ms|s|cycles",
	  "what to show (ms, or what -c says)" },
	{ 0, "tsv_path", ETC_OPT_TEXT, offsetof(struct args, tsv), "FILE", NULL,
	  "write the tab-separated table here as well" },
	{ 0, "compare_results", ETC_OPT_FLAG, offsetof(struct args, compare_results), NULL, NULL,
	  "print compare_results() of the outputs behind the table" },
	{ 0, "numeric_gap", ETC_OPT_TEXT, offsetof(struct args, numeric_gap), "MSE|L1|SNR", NULL,
	  "print calculate_numeric_gap() only; needs --reference_values" },
	{ 0, "reference_values", ETC_OPT_FILE, offsetof(struct args, reference_values), "FILE", NULL,
	  "what the graph's nodes gave (sdk/python/record_references.py)" },
	ETC_OUTPUT_ROW(struct args, ETC_INSPECTOR_FORMATS, ""),
	{ 0, "include-units", ETC_OPT_CHOICE, offsetof(struct args, units), "yes|no", "yes|no",
	  "units in the column names (yes)" },
	{ 0, "include-delegate-debug-data", ETC_OPT_CHOICE, offsetof(struct args, delegate_data), "yes|no", "yes|no",
	  "columns of delegate metadata (no)" },
	{ 0, "module", ETC_OPT_TEXT, offsetof(struct args, module), "NAME", NULL,
	  "print find_total_for_module(NAME) only" },
	{ 0, "enable_module_hierarchy", ETC_OPT_FLAG, offsetof(struct args, hierarchy), NULL, NULL,
	  "order nodes by module, as the Inspector's option of that name" },
	{ 0, "reference_graph", ETC_OPT_TEXT, offsetof(struct args, reference_graph), "NAME", NULL,
	  "graph that gives names (edge_dialect_graph_module)" },
	ETC_SALVAGE_ROW(struct args),
	ETC_JOBS_ROW(struct args),
	ETC_COMMON_ROWS(struct args),
};
/* clang-format on */

/* Beside a program its dump and record are looked for, and a table is written: a dump that was
 * meant for --etdump_path is no program. */
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

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	struct args *a = args;
	struct etc_inspector_options o = {
		.common = a->common,
		.etdump = a->etdump,
		.etrecord = a->etrecord,
		.debug_buffer = a->debug_buffer,
		.source_time_scale = a->source,
		.target_time_scale = a->target,
		.tsv = a->tsv,
		.output = a->output.v,
		.output_count = a->output.count,
		.include_units = a->units,
		.include_delegate_debug_data = a->delegate_data,
		.module = a->module,
		.enable_module_hierarchy = a->hierarchy,
		.reference_graph = a->reference_graph,
		.compare_results = a->compare_results,
		.numeric_gap = a->numeric_gap,
		.reference_values = a->reference_values,
	};

	if (a->common.operands.count > 1)
		return etc_fail(err, E0501, "one program at most, got %u operands",
		                (unsigned)a->common.operands.count);
	if (a->common.operands.count)
		o.program = a->common.operands.v[0];
	ETC_TRY(check_program(o.program, err));
	if (!o.program && !o.etdump)
		return etc_fail(err, E0501, "which file? give --etdump_path FILE, or a program");
	return etc_inspector(&o, r->out, r->on_note, r->arg, err);
}

const struct etc_question etc_ask_inspector = {
	.name = "inspector",
	.summary = "the answer of ExecuTorch's Inspector, bit for bit",
	.usage = "--etdump_path FILE [--etrecord_path FILE] [options]   or   MODEL.pte",
	.examples = "etcore inspector --etdump_path run.etdump --etrecord_path model.etrecord\n"
		    "etcore inspector --etdump_path run.etdump -o json\n"
		    "etcore inspector model.pte",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
