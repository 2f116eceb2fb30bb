/* failures.h -- finds failures that the log of a runner reports. */
#ifndef ETC_FORMATS_RUNNER_FAILURES_H
#define ETC_FORMATS_RUNNER_FAILURES_H

#include "base/span.h"

struct etc_log_facts {
	/* the first line that reports a failure, at most 256 bytes of it; or empty */
	struct etc_str failed;
	/* the first line of an output of the model that contains a nan, or empty */
	struct etc_str not_a_number;
	bool executed; /* "Model executed successfully" */
};

/* Does `line` (not trimmed) belong to an output of the model, and contain a nan? Call it for each
 * line of the log in turn. It keeps its state between the calls in `*in_output`, which must be
 * false before the first line. */
bool etc_log_nan(struct etc_str line, bool *in_output);

/* Reads a runner's log. The texts in `*out` are views into `text`. */
void etc_log_read(struct etc_str text, struct etc_log_facts *out);

#endif
