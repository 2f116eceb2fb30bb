/* parallel.c -- see parallel.h */
#define _GNU_SOURCE /* uselocale */
#include "base/parallel.h"

#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "base/memory.h"

enum { STACK = 1 << 20, ROOMY_STACK = 8 << 20 };

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

/* New threads are not to run where their caller does. Kernels that pack threads on few
 * processors, as those of some virtual machines do, queue them there behind it for 3 to
 * 10 ms, longer than most parts take; others would have put them elsewhere by themselves. */
static void keep_away(pthread_attr_t *attributes)
{
#ifdef CPU_CLR
	cpu_set_t allowed;
	int here = sched_getcpu();

	if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
		return;
	CPU_CLR((unsigned)here, &allowed);
	if (CPU_COUNT(&allowed))
		(void)pthread_attr_setaffinity_np(attributes, sizeof allowed, &allowed);
#else
	(void)attributes;
#endif
}

static void start(struct worker *workers, unsigned count, const struct work *work)
{
	pthread_attr_t attributes;
	sigset_t before;

	if (pthread_attr_init(&attributes) != 0)
		return;
	(void)pthread_attr_setstacksize(&attributes, STACK);
	keep_away(&attributes);
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

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK &&
	    pthread_attr_init(&attributes) == 0) {
		(void)pthread_attr_setstacksize(&attributes, ROOMY_STACK);
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

size_t etc_items_take_some(struct etc_items *items, unsigned parts, size_t least, size_t most,
                           size_t *from)
{
	size_t at = __atomic_load_n(&items->next, __ATOMIC_RELAXED), left, some;

	do {
		left = at < items->count ? items->count - at : 0;
		some = left / (2 * (size_t)parts);
		some = some > most ? most : some < least ? least : some;
		some = some < left ? some : left;
	} while (!__atomic_compare_exchange_n(&items->next, &at, at + some, false, __ATOMIC_RELAXED,
	                                      __ATOMIC_RELAXED));
	*from = at;
	return some;
}

/* ---- a stream ----------------------------------------------------------------------- */

struct flow {
	const struct etc_stream *stream;
	void *work;
	pthread_mutex_t lock;
	pthread_cond_t made, taken; /* another one was */
	size_t next;                /* to be made */
	size_t done;                /* taken */
	bool ready[ETC_AHEAD_MAX];  /* by item % ahead: it is made */
};

static bool is_room(const struct flow *f)
{
	return f->next < f->stream->count && f->next - f->done < f->stream->ahead;
}

/* Makes the next item. The lock is held before and after. */
static void make_next(struct flow *f)
{
	size_t item = f->next++;

	pthread_mutex_unlock(&f->lock);
	f->stream->make(f->work, item);
	pthread_mutex_lock(&f->lock);
	f->ready[item % f->stream->ahead] = true;
	pthread_cond_signal(&f->made);
}

static void take_next(struct flow *f)
{
	size_t item = f->done;

	pthread_mutex_unlock(&f->lock);
	f->stream->take(f->work, item);
	pthread_mutex_lock(&f->lock);
	f->ready[item % f->stream->ahead] = false;
	f->done++;
	pthread_cond_broadcast(&f->taken);
}

static void make_all(struct flow *f)
{
	while (f->next < f->stream->count)
		if (is_room(f))
			make_next(f);
		else
			pthread_cond_wait(&f->taken, &f->lock);
}

static void take_all(struct flow *f)
{
	while (f->done < f->stream->count)
		if (f->ready[f->done % f->stream->ahead])
			take_next(f);
		else if (is_room(f))
			make_next(f);
		else
			pthread_cond_wait(&f->made, &f->lock);
}

static void flow_part(void *flow, unsigned part)
{
	struct flow *f = flow;

	pthread_mutex_lock(&f->lock);
	if (part)
		make_all(f);
	else
		take_all(f);
	pthread_mutex_unlock(&f->lock);
}

void etc_parallel_stream(unsigned parts, const struct etc_stream *stream, void *work)
{
	struct flow f = { .stream = stream,
		          .work = work,
		          .lock = PTHREAD_MUTEX_INITIALIZER,
		          .made = PTHREAD_COND_INITIALIZER,
		          .taken = PTHREAD_COND_INITIALIZER };

	etc_parallel(parts, flow_part, &f);
	pthread_cond_destroy(&f.made);
	pthread_cond_destroy(&f.taken);
	pthread_mutex_destroy(&f.lock);
}
