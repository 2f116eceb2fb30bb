/* roomy_stack.c -- see roomy_stack.h */
#define _DEFAULT_SOURCE /* RLIMIT_STACK */
#include "base/roomy_stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

enum { SMALL = 1 << 20, ROOMY = 8 << 20 };

struct roomy {
	void (*fn)(void *work);
	void *work;
};

static void *run_roomy(void *arg)
{
	const struct roomy *r = arg;

	r->fn(r->work);
	return NULL;
}

void etc_on_roomy_stack(void (*fn)(void *work), void *work)
{
	struct roomy r = { fn, work };
	pthread_attr_t attributes;
	struct rlimit limit;
	pthread_t thread;
	sigset_t all;
	bool started = false;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < SMALL &&
	    pthread_attr_init(&attributes) == 0) {
		(void)pthread_attr_setstacksize(&attributes, ROOMY);
		started = pthread_create(&thread, &attributes, run_roomy, &r) == 0;
		pthread_attr_destroy(&attributes);
	}
	if (!started) {
		fn(work);
		return;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	pthread_join(thread, NULL);
}
