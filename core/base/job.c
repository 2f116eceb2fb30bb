/* job.c -- see job.h */
#define _GNU_SOURCE /* syscall, wait4 */
#include "base/job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/inside.h"
#include "base/stop.h"

enum { TICK_MS = 1000, GLANCE_MS = 5 };

struct watch {
	struct etc_job *job;
	struct etc_leash leash;
	int pid, log;
	int end; /* descriptor that becomes readable when the child ends; -1: none */
	uint64_t begin_us;
};

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static uint64_t us_of(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
}

static int end_of(int pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	(void)pid;
	return -1;
#endif
}

/* Returns why the child must be killed, as an enum etc_job_end; -1: the child may continue. */
static int verdict(const struct watch *w, uint64_t elapsed_ms)
{
	struct stat st;

	if (etc_stop_signal())
		return ETC_JOB_STOPPED;
	if (w->job->limit_ms && elapsed_ms >= w->job->limit_ms)
		return ETC_JOB_TIMED_OUT;
	if (w->job->log_limit && fstat(w->log, &st) == 0 &&
	    (uint64_t)st.st_size > w->job->log_limit)
		return ETC_JOB_FLOODED;
	return -1;
}

/* Sleeps until the child exits, a signal arrives, the time limit is reached or a second has
 * passed. */
static void nap(const struct watch *w, uint64_t elapsed_ms)
{
	struct pollfd fd = { w->end, POLLIN, 0 };
	uint64_t most = w->end >= 0 ? TICK_MS : GLANCE_MS;

	if (w->job->limit_ms && w->job->limit_ms - elapsed_ms < most)
		most = w->job->limit_ms - elapsed_ms;
	poll(&fd, w->end >= 0, (int)most);
}

static int wait_for(struct watch *w, struct rusage *used)
{
	uint64_t told = TICK_MS, elapsed;
	int status = 0, why;
	pid_t got;

	for (;;) {
		got = wait4(w->pid, &status, WNOHANG, used);
		if (got == w->pid || (got < 0 && errno != EINTR))
			break;
		elapsed = (now_us() - w->begin_us) / 1000;
		why = verdict(w, elapsed);
		if (why >= 0) {
			kill(-w->leash.group, SIGKILL);
			w->job->end = (uint8_t)why;
			while (wait4(w->pid, &status, 0, used) < 0 && errno == EINTR)
				;
			return -1;
		}
		if (w->job->tick && elapsed >= told) {
			w->job->tick(w->job->arg, elapsed);
			told = elapsed + TICK_MS;
		}
		nap(w, elapsed);
	}
	return status;
}

static void follow(struct watch *w)
{
	struct etc_job *j = w->job;
	struct rusage used = { 0 };
	int status;

	w->end = end_of(w->pid);
	status = wait_for(w, &used);
	j->wall_us = now_us() - w->begin_us;
	j->user_us = us_of(used.ru_utime);
	j->sys_us = us_of(used.ru_stime);
	j->peak_rss_kib = (uint64_t)used.ru_maxrss;
	if (w->end >= 0)
		close(w->end);
	if (status < 0)
		return;
	j->end = WIFSIGNALED(status) ? ETC_JOB_SIGNALED : ETC_JOB_EXITED;
	j->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

enum etc_status etc_job_run(struct etc_job *j, struct etc_error *err)
{
	struct etc_spawn s = { .argv = j->argv, .env = j->env, .cpus = j->cpus };
	struct watch w = { .job = j };
	int bad;

	w.log = etc_inside_create(j->folder, j->log, 0644);
	if (w.log < 0 || !etc_process_lift(&w.log))
		return etc_in_file(err, etc_fail(err, E0903, "%s", strerror(errno)), j->log);
	s.fds[0] = s.fds[3] = -1;
	s.fds[1] = s.fds[2] = w.log;
	bad = etc_leash_make(&w.leash);
	s.group = w.leash.group;
	w.begin_us = now_us();
	if (!bad)
		bad = etc_process_start(&s, &w.pid);
	if (bad) {
		j->end = ETC_JOB_REFUSED;
		j->status = bad;
	} else {
		follow(&w);
	}
	etc_leash_end(&w.leash); /* this also kills the child's own children that still run */
	close(w.log);
	return ETC_OK;
}
