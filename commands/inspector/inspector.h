/* inspector.h -- the options of `etcore inspector`, and the function that runs it. */
#ifndef ETC_COMMANDS_INSPECTOR_INSPECTOR_H
#define ETC_COMMANDS_INSPECTOR_INSPECTOR_H

#include "context/common.h"

struct etc_inspector_options {
	struct etc_common_options common;
	const char *etdump, *etrecord, *debug_buffer; /* paths of the files; NULL: not given */
	/* the operand, a program such as model.pte; the other files are searched next to the
	 * program, and the TSV is written next to it */
	const char *program;
	const char *source_time_scale, *target_time_scale; /* NULL: from the configuration */
	/* --tsv_path: the file for the table */
	const char *tsv;
	struct etc_opt_list output; /* values of -o (see context/output.h) */
	const char *include_units, *include_delegate_debug_data; /* yes, no; NULL: default */
	const char *module;                                      /* --module NAME */
	bool enable_module_hierarchy;
	const char *reference_graph;
	bool compare_results;
	const char *numeric_gap;      /* --numeric_gap MSE, L1, SNR; NULL: not given */
	const char *reference_values; /* --numeric_gap: the file of reference values */
};

/* Writes the Inspector's output, byte for byte, to reply->out. */
enum etc_status etc_inspector(const struct etc_inspector_options *options,
                              const struct etc_reply *reply, struct etc_error *err) ETC_MUST_CHECK;

#endif
