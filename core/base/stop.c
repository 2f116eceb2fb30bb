/* stop.c -- see stop.h */
#define _POSIX_C_SOURCE 200809L
#include "base/stop.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

enum { SIGNALS = sizeof signals / sizeof signals[0] };

/* Number of the signal that came first; 0: none came. It is global, because no argument can be
 * passed to a signal handler. */
static volatile sig_atomic_t came;
static struct sigaction before[SIGNALS];
static bool caught;

static void take(int number)
{
	if (!came)
		came = number;
}

void etc_stop_catch(void)
{
	struct sigaction mine = { .sa_handler = take };

	if (caught)
		return;
	sigemptyset(&mine.sa_mask);
	caught = true;
	for (size_t i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &mine, NULL);
	}
	/* A process that ignores SIGCHLD cannot wait for its children. */
	signal(SIGCHLD, SIG_DFL);
}

void etc_stop_release(void)
{
	for (size_t i = 0; caught && i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
	caught = false;
}

int etc_stop_signal(void)
{
	return (int)came;
}
