/* job.h -- runs a program that is measured: its output goes to a file, this process wakes up at
 * most once a second beside it, and the run can be stopped. */
#ifndef ETC_BASE_JOB_H
#define ETC_BASE_JOB_H

#include "base/process.h"

#ifdef __cplusplus
extern "C" {
#endif

enum etc_job_end {
	ETC_JOB_EXITED,    /* `status` is its exit status */
	ETC_JOB_SIGNALED,  /* `status` is the signal's number */
	ETC_JOB_TIMED_OUT, /* killed, as in the next two */
	ETC_JOB_FLOODED,   /* it wrote more than log_limit */
	ETC_JOB_STOPPED,   /* etc_stop_signal() */
	ETC_JOB_REFUSED    /* it did not start: `status` is the error of the system */
};

struct etc_job {
	const char *const *argv; /* as in struct etc_spawn */
	const char *const *env;
	const struct etc_cpus *cpus;
	const char *log;    /* truncated first; takes its standard output and error … */
	const char *folder; /* … somewhere below this one (inside.h) */
	unsigned limit_ms;  /* 0: none */
	uint64_t log_limit; /* bytes; 0: none */
	/* Once a second; or NULL. */
	void (*tick)(void *arg, uint64_t elapsed_ms);
	void *arg;
	/* Answers. */
	uint8_t end; /* enum etc_job_end */
	int status;
	uint64_t wall_us;         /* from start to end, of a monotonic clock */
	uint64_t user_us, sys_us; /* processor time of it and of those it waited for */
	uint64_t peak_rss_kib;
};

/* Runs the program to its end and kills the rest of its process group. Failures of the program
 * are in `end`; E0903 only: the log cannot be written. */
enum etc_status etc_job_run(struct etc_job *j, struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
