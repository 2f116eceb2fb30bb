/* log.h -- what the log of a runner admits. */
#ifndef ETC_PIPELINE_LOG_H
#define ETC_PIPELINE_LOG_H

#include "base/span.h"

struct etc_log_facts {
	struct etc_str failed;       /* the line that tells of a failure, or empty */
	struct etc_str not_a_number; /* the first output that holds a nan, or empty */
	bool executed;               /* "Model executed successfully" */
};

/* Does `line`, with its indentation, belong to an output and hold a nan? `*in_output`: the line
 * before it belonged to one; false before the first. */
bool etc_log_nan(struct etc_str line, bool *in_output);

/* Views into `text`. */
void etc_log_read(struct etc_str text, struct etc_log_facts *out);

#endif
