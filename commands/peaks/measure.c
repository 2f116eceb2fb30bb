/* measure.c -- measures the machine's peaks; see measure.h
 *
 * All threads do the same work at the same time. */
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "commands/peaks/measure.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

enum {
	/* bytes of each array whose transfer measures the bandwidth of the memory */
	ARRAY = 96 << 20,
	ALIGN = 64, /* alignment of vectors, in bytes */
	KINDS = 5,  /* number of measurements: arithmetic in three types, memory, cache */
	/* a task is executed so often that a repetition takes at least a fourth of this, in ns */
	PIECE_NS = 10000000
};

/* What each thread executes: a kernel, or the triad of the STREAM benchmark over three arrays. */
struct task {
	const struct etc_peak_kernel *kernel; /* NULL: the triad */
	size_t elements;                      /* number of elements of each array */
	size_t times;
};

struct worker;

struct team {
	struct task task;
	struct worker *workers;
	unsigned threads;
	pthread_mutex_t gate; /* locked until all threads have been started */
	pthread_barrier_t begin, end;
	bool stop;
};

struct worker {
	pthread_t thread;
	struct team *team;
	double from, to; /* start and end of the last repetition, in ns */
	/* working memory. A kernel needs two panels and a tile of a matrix product, the triad needs
	 * three arrays */
	unsigned char *room;
	void *memory;
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Computes a = b + 3 c, as the STREAM benchmark does. This reads and writes 24 bytes per
 * element. */
static void triad(double *restrict a, const double *restrict b, const double *restrict c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = b[i] + 3 * c[i];
	__asm__ volatile("" : : "r"(a) : "memory");
}

static void do_task(const struct task *t, unsigned char *room)
{
	double *arrays = (double *)(void *)room;

	if (t->kernel)
		t->kernel->run(room, room + ETC_PEAK_PANEL, room + 2 * ETC_PEAK_PANEL, t->times);
	else
		for (size_t i = 0; i < t->times; i++)
			triad(arrays, arrays + t->elements, arrays + 2 * t->elements, t->elements);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	pthread_mutex_lock(&w->team->gate);
	pthread_mutex_unlock(&w->team->gate);
	if (w->team->stop)
		return NULL;
	for (;;) {
		pthread_barrier_wait(&w->team->begin);
		if (w->team->stop)
			return NULL;
		w->from = now_ns();
		do_task(&w->team->task, w->room);
		w->to = now_ns();
		pthread_barrier_wait(&w->team->end);
	}
}

/* Runs the task `times` times on each thread. Returns the time in ns from the start of the first
 * thread to the end of the last thread. Each thread reads the clock itself, because the calling
 * thread may be scheduled late. */
static double once(struct team *team, size_t times)
{
	double from, to;

	team->task.times = times;
	pthread_barrier_wait(&team->begin);
	pthread_barrier_wait(&team->end);
	from = team->workers[0].from;
	to = team->workers[0].to;
	for (unsigned i = 1; i < team->threads; i++) {
		from = team->workers[i].from < from ? team->workers[i].from : from;
		to = team->workers[i].to > to ? team->workers[i].to : to;
	}
	return to - from;
}

/* Returns the time of one execution of the task in ns, in the fastest repetition. A repetition
 * executes the task as often as needed to take at least PIECE_NS / 4. Repetitions are made until
 * `ns` have passed. */
static double best_of(struct team *team, struct task task, double ns)
{
	double until = now_ns() + ns, best = 0, took;
	size_t times = 1;

	team->task = task;
	for (took = once(team, times); took < (double)PIECE_NS / 4 && times < SIZE_MAX / 8;
	     took = once(team, times))
		times *= 2;
	do {
		took = once(team, times) / (double)times;
		best = best > 0 && best < took ? best : took;
	} while (now_ns() < until);
	return best;
}

static size_t cache_of(int name)
{
	long bytes = sysconf(name);

	return bytes > 0 ? (size_t)bytes : 0;
}

unsigned etc_peaks_processors(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		return (unsigned)CPU_COUNT(&set);
	return 1;
}

static void measure_all(struct team *team, unsigned threads, double seconds,
                        struct etc_peaks_found *out)
{
	const double each = seconds * 1e9 / KINDS;
	const size_t second = cache_of(_SC_LEVEL2_CACHE_SIZE);
	const size_t few = second / 2 / (3 * sizeof(double));
	struct task memory = { .elements = out->array_bytes / threads / sizeof(double) };

	for (const struct etc_peak_kernel *k = etc_peak_kernels; k->name; k++) {
		struct task task = { .kernel = k };

		if (out->name[k->type] || !k->can())
			continue;
		out->name[k->type] = k->name;
		out->peaks.gflops[k->type] = k->flops * threads / best_of(team, task, each);
	}
	out->peaks.gbps = 3 * sizeof(double) * (double)(memory.elements * threads) /
	                  best_of(team, memory, each);
	if (few) {
		struct task cache = { .elements = few };

		out->peaks.gbps_cache =
			3 * sizeof(double) * (double)(few * threads) / best_of(team, cache, each);
		out->peaks.cache_bytes = second * threads;
	}
}

/* Allocates the arrays and fills them with ones, so that their pages are mapped and no number is
 * denormal. */
static bool give_room(struct worker *w, size_t bytes)
{
	w->memory = etc_malloc(bytes + ALIGN);
	if (!w->memory)
		return false;
	w->room = (unsigned char *)w->memory + ALIGN - (size_t)((uintptr_t)w->memory % ALIGN);
	for (size_t i = 0; i < bytes / sizeof(double); i++)
		((double *)(void *)w->room)[i] = 1;
	return true;
}

static enum etc_status with_team(struct worker *workers, unsigned threads, double seconds,
                                 struct etc_peaks_found *out, struct etc_error *err)
{
	struct team team = { .workers = workers,
		             .threads = threads,
		             .gate = PTHREAD_MUTEX_INITIALIZER };
	unsigned started = 0;

	for (unsigned i = 0; i < threads; i++)
		ETC_NEED(give_room(&workers[i], 3 * out->array_bytes / threads), err);
	if (pthread_barrier_init(&team.begin, NULL, threads + 1) != 0)
		return etc_no_memory(err);
	if (pthread_barrier_init(&team.end, NULL, threads + 1) != 0) {
		pthread_barrier_destroy(&team.begin);
		return etc_no_memory(err);
	}
	pthread_mutex_lock(&team.gate);
	for (; started < threads; started++) {
		workers[started].team = &team;
		if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
			break;
	}
	team.stop = started < threads;
	pthread_mutex_unlock(&team.gate);
	if (!team.stop) {
		measure_all(&team, threads, seconds, out);
		team.stop = true;
		pthread_barrier_wait(&team.begin);
	}
	for (unsigned i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	pthread_barrier_destroy(&team.begin);
	pthread_barrier_destroy(&team.end);
	return started == threads ? ETC_OK : etc_no_memory(err);
}

enum etc_status etc_peaks_measure(unsigned threads, double seconds, struct etc_peaks_found *out,
                                  struct etc_error *err)
{
	struct worker *workers = etc_calloc(threads, sizeof *workers);
	enum etc_status st;

	*out = (struct etc_peaks_found){ .peaks.threads = threads,
		                         .array_bytes = ARRAY,
		                         .last_cache = cache_of(_SC_LEVEL3_CACHE_SIZE) };
	ETC_NEED(workers, err);
	st = with_team(workers, threads, seconds, out, err);
	for (unsigned i = 0; i < threads; i++)
		free(workers[i].memory);
	free(workers);
	return st;
}
