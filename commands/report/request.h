/* request.h -- the options of `etcore report`, and its answer. */
#ifndef ETC_COMMANDS_REPORT_H
#define ETC_COMMANDS_REPORT_H

#include "context/ask.h"
#include "context/compare_options.h"
#include "profile/plan.h"

struct etc_report_request {
	struct etc_common_options common; /* operands: groups of files, "--" between them */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* -o, as in output.h */
	const char *etrecord, *program, *names;
	bool no_siblings;
	struct etc_compare_words compare;
};

/* Makes the report. E0501, E0560, E0904, and the
 * errors of the commands that it runs. */
enum etc_status etc_report_make(struct etc_session *s, const void *options,
                                const struct etc_reply *reply,
                                struct etc_error *err) ETC_MUST_CHECK;

extern const struct etc_question etc_ask_report;

#define ETC_REPORT_FORMATS(X) X("html", "htm", 0) X("markdown", "md", 0)

#endif
