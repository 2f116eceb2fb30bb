/* failures.h -- finds failures that the log of a runner reports. */
#ifndef ETC_FORMATS_RUNNER_FAILURES_H
#define ETC_FORMATS_RUNNER_FAILURES_H

#include "base/span.h"

struct etc_log_facts {
	struct etc_str failed;       /* the line that reports a failure, or empty */
	struct etc_str not_a_number; /* the first output that contains a nan, or empty */
	bool executed;               /* "Model executed successfully" */
};

/* Does `line`, with its indentation, belong to an output and contain a nan? `*in_output`:
 * whether the line before belonged to an output; initially false. */
bool etc_log_nan(struct etc_str line, bool *in_output);

/* The results are views into `text`. */
void etc_log_read(struct etc_str text, struct etc_log_facts *out);

#endif
