/* memory.h -- allocation, and whether one failed.
 *
 * Every refusal is remembered for the thread that asks, be it the machine's or that of an
 * arena's budget, where memory is asked for. What could not be made returns etc_no_memory()
 * (error.h), which tells of the first refusal; code that goes on without what it wanted (a
 * note, a file beside the dump, a longer text) need not: an answer that may lack something is
 * not given after a refusal (library/public.c).
 *
 * Per thread and not per query, because not all code that allocates has an arena. */
#ifndef ETC_BASE_MEMORY_H
#define ETC_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first allocation failure; all 0: there was none. */
struct etc_refusal {
	size_t wanted; /* bytes */
	size_t budget; /* the arena's budget; 0: malloc failed */
};

/* Starts a new record and returns the former one; restore it at the end. */
struct etc_refusal etc_memory_begin(void);
void etc_memory_end(struct etc_refusal before);

/* The budget that errors name, of which scratch arenas get the rest. 0: each names its own. */
void etc_memory_budget(size_t bytes);

/* The first failure since etc_memory_begin(). */
struct etc_refusal etc_memory_refused(void);

/* Records a failure to allocate `wanted` bytes, unless there was one before. */
void etc_memory_refuse(size_t wanted, size_t budget);

/* The same for a function of libc that failed with `why`, if that is ENOMEM. */
void etc_memory_errno(int why);

/* For code that continues after a failure on purpose: forgets all failures since `known` was
 * returned by etc_memory_refused(). */
void etc_memory_forgive(struct etc_refusal known);

/* malloc, calloc and realloc of libc; nothing but plugins calls those directly. */
void *etc_malloc(size_t size);
void *etc_calloc(size_t count, size_t size);
void *etc_realloc(void *p, size_t size);

enum { ETC_HUGE_PAGE = 2 << 20 };

/* Advises huge pages where whole ones fit between `at` and its end; the first page may be shared
 * with other data. Failure is ignored. */
void etc_memory_wish_huge(const void *at, size_t size);

#ifdef __cplusplus
}
#endif
#endif
