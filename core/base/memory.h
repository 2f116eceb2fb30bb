/* memory.h -- memory from the machine, and whether it was refused.
 *
 * Every refusal is remembered for the thread that asks, be it the machine's or that of an
 * arena's budget, where memory is asked for. What could not be made returns etc_no_memory()
 * (error.h), which tells of the first refusal; code that goes on without what it wanted (a
 * note, a file beside the dump, a longer text) need not: an answer that may lack something is
 * not given after a refusal (library/public.c).
 *
 * The one thing that is remembered beside an analysis: an arena is not at hand
 * wherever memory is asked for. */
#ifndef ETC_BASE_MEMORY_H
#define ETC_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first refusal; all 0: there was none. */
struct etc_refusal {
	size_t wanted; /* bytes */
	size_t budget; /* bytes that the arena may have; 0: the machine refused */
};

/* Begins anew and returns what was remembered; give it back at the end. */
struct etc_refusal etc_memory_begin(void);
void etc_memory_end(struct etc_refusal before);

/* The budget that errors name; scratch arenas have of it what is left. 0: each names its own. */
void etc_memory_budget(size_t bytes);

/* What was refused since the beginning. */
struct etc_refusal etc_memory_refused(void);

/* Remembers a refusal of `wanted` bytes unless there was one. */
void etc_memory_refuse(size_t wanted, size_t budget);

/* The same for a function of libc that failed with `why`, if that is ENOMEM. */
void etc_memory_errno(int why);

/* Where somebody goes on without memory on purpose: what is known here is all
 * that is known, whatever is refused up to the call of etc_memory_forgive(). */
void etc_memory_forgive(struct etc_refusal known);

/* malloc, calloc and realloc of libc, which are asked nowhere else but in plugins. */
void *etc_malloc(size_t size);
void *etc_calloc(size_t count, size_t size);
void *etc_realloc(void *p, size_t size);

enum { ETC_HUGE_PAGE = 2 << 20 };

/* Wishes for huge pages where whole ones fit between `at` and its end, of which the first page
 * may be shared with others. A refusal is nobody's business. */
void etc_memory_wish_huge(const void *at, size_t size);

#ifdef __cplusplus
}
#endif
#endif
