/* parallel.c -- see parallel.h */
#define _GNU_SOURCE /* uselocale */
#include "base/parallel.h"

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "base/memory.h"

enum { STACK = 1 << 20 };

struct work {
	etc_part_fn *fn;
	void *arg;
	locale_t locale;
};

struct worker {
	const struct work *work;
	unsigned part;
	pthread_t thread;
	bool started;
	struct etc_refusal refused;
};

static void *run(void *arg)
{
	struct worker *w = arg;

	uselocale(w->work->locale);
	w->work->fn(w->work->arg, w->part);
	w->refused = etc_memory_refused();
	return NULL;
}

/* All but what a thread does to itself: the handlers of these tell where it happened. */
static void block_signals(sigset_t *before)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		sigdelset(&all, own[i]);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

static void start(struct worker *workers, unsigned count, const struct work *work)
{
	pthread_attr_t attributes;
	sigset_t before;

	if (pthread_attr_init(&attributes) != 0)
		return;
	(void)pthread_attr_setstacksize(&attributes, STACK);
	block_signals(&before);
	for (unsigned i = 0; i < count; i++) {
		workers[i] = (struct worker){ .work = work, .part = i + 1 };
		workers[i].started =
			pthread_create(&workers[i].thread, &attributes, run, &workers[i]) == 0;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
}

static void run_all(unsigned parts, etc_part_fn *fn, void *arg)
{
	struct work work = { fn, arg, uselocale((locale_t)0) };
	struct worker workers[ETC_JOBS_MAX - 1] = { 0 };

	start(workers, parts - 1, &work);
	fn(arg, 0);
	for (unsigned i = 0; i + 1 < parts; i++)
		if (!workers[i].started)
			fn(arg, i + 1);
	for (unsigned i = 0; i + 1 < parts; i++) {
		if (!workers[i].started)
			continue;
		pthread_join(workers[i].thread, NULL);
		if (workers[i].refused.wanted)
			etc_memory_refuse(workers[i].refused.wanted, workers[i].refused.budget);
	}
}

void etc_parallel(unsigned parts, etc_part_fn *fn, void *arg)
{
	if (parts > 1)
		run_all(parts, fn, arg);
	else
		fn(arg, 0);
}
