/* analyze.h -- the options of `etcore analyze`, and its answer. */
#ifndef ETC_COMMANDS_ANALYZE_H
#define ETC_COMMANDS_ANALYZE_H

#include "profile/plan.h"

struct etc_analyze_options {
	struct etc_common_options common; /* operands: files */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* -o, as in output.h */
	const char *etrecord, *debug_buffer, *program;
	bool no_siblings;
};

enum etc_status etc_analyze(const struct etc_analyze_options *options, struct etc_text *out,
                            etc_note_fn *on_note, void *arg, struct etc_error *err) ETC_MUST_CHECK;

/* The same, and with ETC_OK the answer itself (answer.h), to be closed. The
 * options' arrays and texts must live as long. */
struct etc_answer;
enum etc_status etc_analyze_keep(const struct etc_analyze_options *options, struct etc_text *out,
                                 etc_note_fn *on_note, void *arg, struct etc_answer **kept,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
