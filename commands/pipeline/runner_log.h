/* runner_log.h -- what executor_runner says: the lines of its log that matter.
 *
 * examples/portable/executor_runner/executor_runner.cpp of ExecuTorch 1.5. A line may have
 * anything before it: the platform's prefix, or logcat's. */
#ifndef ETC_PIPELINE_RUNNER_LOG_H
#define ETC_PIPELINE_RUNNER_LOG_H

#include "base/arena.h"
#include "base/error.h"

struct etc_runner_log {
	double *iteration_ms; /* "Iteration 1 of 3: 0.5 ms", of the last series */
	uint32_t iterations;
	bool executed; /* "Model executed successfully 3 time(s) in 1.5 ms.", the last one */
	double total_ms, total_count; /* of executions; count -1: not told */
	/* "Total time: 12.5 ms", "Average: 2.5 ms" …, where nothing of the above is told: the
	 * last line with a number and ms, us or s that speaks of total or sum, of avg or
	 * average. 0: none. */
	double told_total_ms, told_average_ms;
	bool loaded; /* "Model loaded in 2.5 ms." … */
	double load_ms;
	int32_t threads;             /* "Resetting threadpool with num threads = 4"; -1: no word */
	bool written;                /* "ETDump written to file …" */
	bool not_a_number;           /* an output is nan */
	struct etc_str unknown_flag; /* "unknown command line flag 'etdump_path'" */
	struct etc_str last;         /* last line with anything on it */
};

enum { ETC_ITERATIONS_MAX = 1 << 20 }; /* what comes after them is passed over */

/* Nothing in `out` refers to `log`. E0904. */
enum etc_status etc_runner_log_read(struct etc_str log, struct etc_arena *arena,
                                    struct etc_runner_log *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
