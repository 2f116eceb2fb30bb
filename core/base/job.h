/* job.h -- runs a program that is being measured: its output goes to a file, this process wakes
 * up at most once a second, and the program can be stopped. */
#ifndef ETC_BASE_JOB_H
#define ETC_BASE_JOB_H

#include "base/process.h"

#ifdef __cplusplus
extern "C" {
#endif

enum etc_job_end {
	ETC_JOB_EXITED,    /* the program exited; `status` is its exit status */
	ETC_JOB_SIGNALED,  /* `status` is the signal's number */
	ETC_JOB_TIMED_OUT, /* killed at the time limit */
	ETC_JOB_FLOODED,   /* killed, because it wrote more than log_limit bytes */
	ETC_JOB_STOPPED,   /* killed, because this process received a signal (stop.h) */
	ETC_JOB_REFUSED    /* the program could not be started: `status` is an errno */
};

struct etc_job {
	const char *const *argv; /* as in struct etc_spawn */
	const char *const *env;
	const struct etc_cpus *cpus;
	const char *log;    /* file for standard output and error; emptied first */
	const char *folder; /* the folder that `log` is in (inside.h) */
	unsigned limit_ms;  /* time limit; 0: none */
	uint64_t log_limit; /* bytes; 0: none */
	/* called about once a second while the process runs; NULL: not called */
	void (*tick)(void *arg, uint64_t elapsed_ms);
	void *arg;
	/* Results. */
	uint8_t end; /* enum etc_job_end */
	int status;
	uint64_t wall_us; /* time from start to exit, by the monotonic clock */
	/* processor time of the process and of the children that it waited for */
	uint64_t user_us, sys_us;
	uint64_t peak_rss_kib;
};

/* Runs the command line `argv` until its process exits, then kills the rest of the process group.
 * Failures of the process are recorded in `end`; the only error is E0903: the log cannot be
 * written. */
enum etc_status etc_job_run(struct etc_job *j, struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
