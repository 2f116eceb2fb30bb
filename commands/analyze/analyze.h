/* analyze.h -- the options of `etcore analyze`, and its answer. */
#ifndef ETC_COMMANDS_ANALYZE_ANALYZE_H
#define ETC_COMMANDS_ANALYZE_ANALYZE_H

#include "profile/plan.h"

struct etc_analyze_options {
	struct etc_common_options common; /* operands: files */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */
	const char *etrecord, *debug_buffer, *program;
	/* --subtract-overhead: a time with its unit, or a JSON file that `overhead` wrote */
	const char *subtract_overhead;
	bool no_siblings;
	bool bars; /* show a bar next to each row on a terminal */
};

/* Runs the analysis. If reply->kept is set, the answer is stored there (answer.h). The caller must
 * then close the answer, and must keep the arrays and texts of `options` until the answer is
 * closed. */
enum etc_status etc_analyze(void *options, const struct etc_reply *reply,
                            struct etc_error *err) ETC_MUST_CHECK;

#endif
