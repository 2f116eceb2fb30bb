/* parallel.h -- parts of one piece of work on several threads. The only user of
 * pthread_create().
 *
 * A part works on what is its own: columns that no other part writes, an arena of its
 * own. Which thread does a part, and when, is left open; an answer must not depend on it.
 * All threads are gone when etc_parallel() returns, so that whoever forks, or changes
 * what signals do, need not know of them. */
#ifndef ETC_BASE_PARALLEL_H
#define ETC_BASE_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ETC_JOBS_MAX = 256 };

/* Does part `part` of the work. */
typedef void etc_part_fn(void *work, unsigned part);

/* Calls fn(work, 0) here and fn(work, 1) to fn(work, parts - 1) on threads of their
 * own, and waits for all. A thread that the system refuses is done without: its part is
 * done here. They take no signal but those of their own mistakes, have the locale of the
 * caller, and memory that was refused to one counts as refused to the caller (memory.h).
 * `parts` is at most ETC_JOBS_MAX; 1 starts no thread. */
void etc_parallel(unsigned parts, etc_part_fn *fn, void *work);

/* Calls fn(work) where a small `ulimit -s` does not end it: here, or, where the limit is below
 * what a thread of etc_parallel() has, on one thread that takes all signals in place of this one. */
void etc_on_roomy_stack(void (*fn)(void *work), void *work);

/* Things of one piece of work that its threads take one after the other: who is done with
 * one takes the next, and no thread waits for one whose things took longer. Those of a
 * thread are in their order. */
struct etc_items {
	size_t count, next;
};

/* The next one that nobody has, in `*item`; false: there is none. */
static inline bool etc_items_take(struct etc_items *items, size_t *item)
{
	*item = __atomic_fetch_add(&items->next, 1, __ATOMIC_RELAXED);
	return *item < items->count;
}

/* Some of them at once, `most` as long as there are many, and fewer towards the end, so that
 * all threads are done at about the same time: not fewer than `least` but where none are
 * left. How many; the first in `*from`. */
size_t etc_items_take_some(struct etc_items *items, unsigned parts, size_t least, size_t most,
                           size_t *from);

enum { ETC_AHEAD_MAX = 2 * ETC_JOBS_MAX };

/* Items that are made by several threads and taken by one in their order. */
struct etc_stream {
	size_t count;
	size_t ahead; /* so many at most are made, or being made, and not taken; ETC_AHEAD_MAX */
	void (*make)(void *work, size_t item);
	void (*take)(void *work, size_t item);
};

/* Makes each item once, on `parts` threads of which the caller's is one, and takes each
 * here, one after the other, when it and all before it are made: of two items that are
 * `ahead` apart, the first is taken before the second is begun. As etc_parallel(). */
void etc_parallel_stream(unsigned parts, const struct etc_stream *stream, void *work);

/* How many parts `count` things make for `jobs` threads: one at least. */
static inline unsigned etc_parts(unsigned jobs, size_t count)
{
	return count < jobs ? count ? (unsigned)count : 1 : jobs ? jobs : 1;
}

/* Where part `part` of `parts` begins when `count` things are cut into even ranges; with
 * part == parts the end of the last one. */
static inline size_t etc_part_begin(size_t count, unsigned parts, unsigned part)
{
	return count / parts * part + (count % parts < part ? count % parts : part);
}

#ifdef __cplusplus
}
#endif
#endif
