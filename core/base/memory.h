/* memory.h -- allocates memory, and records whether an allocation failed.
 *
 * Every failure, of malloc or of an arena's budget, is recorded for the thread. A function that
 * cannot return its result then returns etc_no_memory() (error.h), with the size of the first
 * failure. Code that can continue without its result (a note, a file next to the dump, a longer
 * text) need not report it: library/public.c returns no report after a recorded failure, since
 * something may be missing in it.
 *
 * The record is per thread and not per query, because not all code that allocates has an arena. */
#ifndef ETC_BASE_MEMORY_H
#define ETC_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first failed allocation; all members are 0 if none failed. */
struct etc_refusal {
	size_t wanted; /* requested bytes */
	size_t budget; /* the arena's budget; 0: malloc failed */
};

/* etc_memory_begin() forgets the first failure of this thread, and returns it. The caller passes it
 * to etc_memory_end(), which restores it. */
struct etc_refusal etc_memory_begin(void);
void etc_memory_end(struct etc_refusal before);

/* Sets the budget that is recorded as etc_refusal.budget when any arena of this thread fails. Pass
 * the limit that the user set, because the failing arena may be a scratch arena with a smaller
 * budget. 0: the budget of the failing arena is recorded. */
void etc_memory_budget(size_t bytes);

/* Returns the first failure since etc_memory_begin(). */
struct etc_refusal etc_memory_refused(void);

/* Records a failure to allocate `wanted` bytes; an earlier failure is kept instead. */
void etc_memory_refuse(size_t wanted, size_t budget);

/* Records a failed allocation of a libc function, if the function's errno `why` is ENOMEM. */
void etc_memory_errno(int why);

/* Restores `known`, an earlier result of etc_memory_refused(), and so discards all failures
 * recorded since then. For code that deliberately continues after a failed allocation. */
void etc_memory_forgive(struct etc_refusal known);

/* These functions are like malloc(), calloc() and realloc(), and record failures. Only plugins call
 * libc's functions directly. */
void *etc_malloc(size_t size);
void *etc_calloc(size_t count, size_t size);
void *etc_realloc(void *p, size_t size);

enum { ETC_HUGE_PAGE = 2 << 20 };

/* Asks the kernel to use huge pages in [at, at + size) and in the rest of the page that contains
 * `at`. Does nothing if `size` is below ETC_HUGE_PAGE. Failure is ignored. */
void etc_memory_wish_huge(const void *at, size_t size);

#ifdef __cplusplus
}
#endif
#endif
