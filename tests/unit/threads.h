/* threads.h -- counts and refuses threads: for programs that are linked with
 * -Wl,--wrap=pthread_create. Included by one file of each. */
#ifndef ETC_UNIT_THREADS_H
#define ETC_UNIT_THREADS_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

static unsigned threads_started;
static bool threads_refused; /* all of them, as by a full machine */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *arg);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *arg)
{
	if (threads_refused)
		return EAGAIN;
	threads_started++;
	return __real_pthread_create(thread, attributes, run, arg);
}

#endif
