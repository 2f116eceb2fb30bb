/* overhead.h -- the options of `etcore overhead`, and its answer. */
#ifndef ETC_COMMANDS_OVERHEAD_H
#define ETC_COMMANDS_OVERHEAD_H

#include "context/ask.h"
#include "context/compare_options.h"
#include "profile/plan.h"

struct etc_overhead_options {
	struct etc_common_options common; /* operands: more recordings with the tracer */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* -o, as in output.h */
	struct etc_opt_list on, off;
	struct etc_compare_words compare;
};

/* Compares the recordings and writes the result. E0501, E0505,
 * E0574 … E0576, E0904, and errors of `analyze`. */
enum etc_status etc_overhead_make(struct etc_session *s, const void *options,
                                  const struct etc_reply *reply,
                                  struct etc_error *err) ETC_MUST_CHECK;

extern const struct etc_question etc_ask_overhead;

#endif
