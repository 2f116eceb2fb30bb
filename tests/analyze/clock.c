/* clock.c -- LD_PRELOAD library of graphviz_limit.py. Lets CLOCK_MONOTONIC run FAST times as fast,
 * so that a time limit of a minute is reached in seconds in an unchanged program. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FAST = 20, BILLION = 1000000000 };

int clock_gettime(clockid_t id, struct timespec *t)
{
	static long long first = -1;
	long long now;

	if (syscall(SYS_clock_gettime, id, t) != 0)
		return -1;
	if (id != CLOCK_MONOTONIC)
		return 0;
	now = (long long)t->tv_sec * BILLION + t->tv_nsec;
	if (first < 0)
		first = now;
	now = first + (now - first) * FAST;
	t->tv_sec = now / BILLION;
	t->tv_nsec = now % BILLION;
	return 0;
}
