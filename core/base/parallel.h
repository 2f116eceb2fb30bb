/* parallel.h -- parts of one piece of work on several threads. The only user of
 * pthread_create().
 *
 * A part works on what is its own: columns that no other part writes, an arena of its
 * own. Which thread does a part, and when, is left open; an answer must not depend on it.
 * All threads are gone when etc_parallel() returns, so that whoever forks, or changes
 * what signals do, need not know of them. */
#ifndef ETC_BASE_PARALLEL_H
#define ETC_BASE_PARALLEL_H

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
