/* memory.c -- see memory.h */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static _Thread_local struct etc_refusal refused;
/* the budget that is recorded if an arena fails; 0: the budget of that arena itself */
static _Thread_local size_t stated;

struct etc_refusal etc_memory_begin(void)
{
	struct etc_refusal before = refused;

	refused = (struct etc_refusal){ 0 };
	stated = 0;
	return before;
}

void etc_memory_end(struct etc_refusal before)
{
	refused = before;
}

void etc_memory_budget(size_t bytes)
{
	stated = bytes;
}

struct etc_refusal etc_memory_refused(void)
{
	return refused;
}

void etc_memory_refuse(size_t wanted, size_t budget)
{
	if (!refused.wanted)
		refused = (struct etc_refusal){ wanted ? wanted : 1,
			                        budget && stated ? stated : budget };
}

void etc_memory_forgive(struct etc_refusal known)
{
	refused = known;
}

void etc_memory_errno(int why)
{
	if (why == ENOMEM)
		etc_memory_refuse(0, 0);
}

static void *look(void *p, size_t size)
{
	if (!p)
		etc_memory_refuse(size, 0);
	return p;
}

void *etc_malloc(size_t size)
{
	return look(malloc(size ? size : 1), size);
}

void *etc_calloc(size_t count, size_t size)
{
	return look(calloc(count ? count : 1, size ? size : 1),
	            size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
}

void *etc_realloc(void *p, size_t size)
{
	return look(realloc(p, size ? size : 1), size);
}

void etc_memory_wish_huge(const void *at, size_t size)
{
#ifdef MADV_HUGEPAGE
	enum { PAGE = 4096 };
	size_t before = (uintptr_t)at & (PAGE - 1);

	if (size >= ETC_HUGE_PAGE)
		(void)madvise((uint8_t *)(uintptr_t)at - before, before + size, MADV_HUGEPAGE);
#else
	(void)at;
	(void)size;
#endif
}
