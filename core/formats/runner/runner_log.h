/* runner_log.h -- reads times and other data from a log of executor_runner.
 *
 * Source: examples/portable/executor_runner/executor_runner.cpp of ExecuTorch 1.5. A line may have
 * any prefix, such as one of the platform or of logcat. */
#ifndef ETC_FORMATS_RUNNER_RUNNER_LOG_H
#define ETC_FORMATS_RUNNER_RUNNER_LOG_H

#include "base/arena.h"
#include "base/error.h"

struct etc_runner_log {
	/* times of the lines "Iteration 1 of 3: 0.5 ms", in ms; if the log has several such series,
	 * only the last series */
	double *iteration_ms;
	uint32_t iterations;
	double iterations_of; /* the number 3 in the last line such as "Iteration 1 of 3" */
	/* the first line of the series of iteration_ms whose time is not in ms: "Iteration 3 of 8:
	 * 1300 us" */
	struct etc_str skipped;
	/* resolution of iteration_ms, in ms: 0.01 for "0.25 ms"; if the lines differ, the finest */
	double step_ms;
	/* the log has a line such as "Model executed successfully 3 time(s) in 1.5 ms." */
	bool executed;
	/* the time and the count in the last line "Model executed successfully ..."; total_count
	 * -1: the line has no count */
	double total_ms, total_count;
	double total_step_ms; /* one unit of the last digit that the line has for total_ms, in ms */
	/* Times in lines such as "Total time: 12.5 ms", used only if the log lacks the lines of the
	 * members above; 0: there is no such line. told_total_ms is the time in the last line with
	 * the word total or sum; told_average_ms is the time in the last line with the word avg or
	 * average. A time in us or s is converted to ms. */
	double told_total_ms, told_average_ms;
	bool loaded; /* the log has a line such as "Model loaded in 2.5 ms."; its time is load_ms */
	double load_ms;
	/* N in the line "Resetting threadpool with num threads = N"; -1: no such line; INT32_MAX: N
	 * is larger */
	int32_t threads;
	bool not_a_number; /* an output contains a nan */
	/* the name in the first line such as "unknown command line flag 'etdump_path'" */
	struct etc_str unknown_flag;
	struct etc_str last; /* the last line that is not blank */
};

enum {
	ETC_ITERATIONS_MAX = 1 << 20
}; /* number of iterations whose times
	                                          * are stored; later ones are ignored */

/* Does the time for all executions contradict the times of the single executions? It does if it is
 * shorter than their sum, or longer by more than a fifth of their sum plus 0.2 ms for each
 * execution; a smaller excess may be other work. Sets `*sum_ms` to the sum. */
bool etc_runner_log_contradicts(const struct etc_runner_log *log, double *sum_ms);

/* Does the number of lines such as "Iteration 1 of 3" differ from the number of executions that
 * these lines name (3)? */
static inline bool etc_runner_log_lacks(const struct etc_runner_log *log)
{
	return log->iterations && log->iterations < ETC_ITERATIONS_MAX && !log->skipped.len &&
	       log->iterations_of != log->iterations;
}

/* Reads a log. Texts in `*out` are copies. E0904. */
enum etc_status etc_runner_log_read(struct etc_str log, struct etc_arena *arena,
                                    struct etc_runner_log *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
