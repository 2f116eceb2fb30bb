/* temporary.c -- see temporary.h */
#define _DEFAULT_SOURCE /* SIGWINCH, NSIG */
#include "base/temporary.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"

enum { FILES = 32, PATH_ROOM = 4096 };

/* A thread that sets an entry's state to TAKEN owns the entry until it sets another state. So a
 * signal handler, which uses only NOTED entries, never reads an incomplete path. */
enum state { FREE, TAKEN, NOTED };

static struct {
	_Atomic int state;
	int folder;
	pid_t process; /* the process that registered the file; a fork of that process does not
	                * remove the file */
	char path[PATH_ROOM];
} files[FILES];

static bool turn(size_t i, int from, int to)
{
	return atomic_compare_exchange_strong(&files[i].state, &from, to);
}

int etc_temporary_note(int folder, const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < FILES && len < PATH_ROOM; i++) {
		if (!turn(i, FREE, TAKEN))
			continue;
		files[i].folder = folder;
		files[i].process = getpid();
		memcpy(files[i].path, path, len + 1);
		files[i].state = NOTED;
		return (int)i;
	}
	return -1;
}

void etc_temporary_forget(int which)
{
	if (which >= 0)
		(void)turn((size_t)which, NOTED, FREE);
}

void etc_temporaries_unlink(void)
{
	for (size_t i = 0; i < FILES; i++) {
		if (!turn(i, NOTED, TAKEN))
			continue;
		if (files[i].process == getpid())
			(void)unlinkat(files[i].folder, files[i].path, 0);
		files[i].state = FREE;
	}
}

/* Handles a signal that ends the process: removes the registered files and the progress line, and
 * raises the signal again. The handler runs with the signal blocked, so the process ends when the
 * handler returns. */
static void end(int number)
{
	etc_temporaries_unlink();
	etc_progress_clear();
	signal(number, SIG_DFL);
	raise(number);
}

static void replace_default(int number, void (*handler)(int))
{
	struct sigaction before, mine = { .sa_handler = handler };

	if (sigaction(number, NULL, &before) != 0 || before.sa_handler != SIG_DFL)
		return;
	sigfillset(&mine.sa_mask);
	sigaction(number, &mine, NULL);
}

/* Does the default action of the signal end the process? */
static bool ends(int number)
{
	switch (number) {
	case SIGKILL: /* it ends the process, but no handler can run */
	case SIGSTOP:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
	case SIGCONT:
	case SIGCHLD:
	case SIGURG:
	case SIGWINCH:
#ifdef SIGINFO /* systems that have SIGINFO also ignore SIGIO by default */
	case SIGINFO:
	case SIGIO:
#endif
		return false;
	default:
		return true;
	}
}

void etc_temporaries_own(void)
{
#ifdef SIGRTMAX
	int last = SIGRTMAX;
#else
	int last = NSIG - 1;
#endif

	replace_default(SIGXFSZ, SIG_IGN);
	for (int number = 1; number <= last; number++)
		if (ends(number))
			replace_default(number, end);
}
