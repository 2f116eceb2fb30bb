/* region.c -- see region.h */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/region.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/memory.h"

void *etc_region_take(size_t room)
{
#ifdef ETCORE_SANITIZED
	(void)room;
	return NULL; /* AddressSanitizer checks bounds only of malloc's blocks */
#else
	uint8_t *at =
		mmap(NULL, room + ETC_HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before = -(uintptr_t)at & (ETC_HUGE_PAGE - 1);

	if (at == MAP_FAILED)
		return NULL;
	if (before)
		(void)munmap(at, before);
	(void)munmap(at + before + room, ETC_HUGE_PAGE - before);
	return at + before;
#endif
}

bool etc_region_extend(void *region, size_t from, size_t to, bool huge)
{
	uint8_t *at = region;

	if (mprotect(at + from, to - from, PROT_READ | PROT_WRITE) != 0)
		return false;
	if (huge)
		etc_memory_wish_huge(at + from, to - from);
	return true;
}

void etc_region_release(void *region, size_t room)
{
	(void)munmap(region, room);
}
