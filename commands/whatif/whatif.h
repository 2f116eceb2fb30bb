/* whatif.h -- the options of `etcore what-if`, and its answer. */
#ifndef ETC_COMMANDS_WHATIF_H
#define ETC_COMMANDS_WHATIF_H

#include "context/ask.h"
#include "profile/plan.h"

struct etc_whatif_options {
	struct etc_common_options common; /* operands: dumps, their record and program */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* -o, as in output.h */
	const char *etrecord, *program, *ratios;
	struct etc_opt_list row;       /* --row: item i belongs to item i of `times` or `to` */
	struct etc_opt_list times, to; /* --times and --to */
	bool no_siblings;
};

/* Computes and writes the result. E0501, E0505, E0570 … E0573,
 * E0904, and errors of `analyze`. */
enum etc_status etc_whatif(struct etc_session *s, const void *options,
                           const struct etc_reply *reply, struct etc_error *err) ETC_MUST_CHECK;

extern const struct etc_question etc_ask_what_if;

#endif
