/* summary.h -- the options of `etcore summary`, and its answer. */
#ifndef ETC_COMMANDS_SUMMARY_H
#define ETC_COMMANDS_SUMMARY_H

#include "context/ask.h"
#include "profile/plan.h"

struct etc_summary_options {
	struct etc_common_options common; /* operands: dumps, their record and program */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* -o, as in output.h */
	const char *etrecord, *program;
	bool no_siblings;
};

/* E0501, E0505, E0904, and those of `analyze`. */
enum etc_status etc_summary_make(struct etc_session *s, const void *options,
                                 const struct etc_reply *reply,
                                 struct etc_error *err) ETC_MUST_CHECK;

extern const struct etc_question etc_ask_summary;

#define ETC_SUMMARY_FORMATS(X) \
	X("text", "txt", put_text) X("markdown", "md", put_markdown) X("json", NULL, put_json)

#endif
