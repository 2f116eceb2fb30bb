/* arena.c -- see arena.h.
 *
 * Blocks come from malloc. Each new block is larger than the one before, so a small query uses
 * little memory; a large object gets a block of its exact size. Large zeroed blocks come from
 * calloc, which maps them lazily: an untouched column uses no memory. In small blocks, each object
 * is zeroed when it is allocated.
 *
 * An arena of a megabyte or more uses regions (below), which grow by huge pages as objects are
 * added: with malloc, a sixth of the time was spent on page faults. Reserved but unused addresses
 * use no memory. An arena of more than 192 MB requests no huge pages for large additions
 * (HUGE_MOST, HUGE_ALL): a virtual machine may have to get huge pages from its host first, and
 * clearing them then took three times as long as the page faults of small pages. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/memory.h"

/* ---- regions ------------------------------------------------------------------- */

/* A malloc'ed block of a few megabytes cannot grow in place, and transparent huge pages only start
 * at the first 2 MB boundary inside it, so most of it stays on small pages. A region is a reserved
 * address range aligned to a huge page. It grows in place: its pages become usable one after
 * another. */

/* Reserves `room` bytes of address space in whole huge pages (ETC_HUGE_PAGE); none of them is
 * usable yet. NULL if that is not possible, which does not count as an allocation failure: the
 * caller then uses etc_malloc(). */
static void *region_take(size_t room)
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

/* Makes the bytes from `from` to `to`, which are whole huge pages, usable and zeroed. The system
 * allocates the pages when they are touched; with `huge`, it uses huge pages if it can. False: the
 * system refuses, which does not count as an allocation failure. */
static bool region_extend(void *region, size_t from, size_t to, bool huge)
{
	uint8_t *at = region;

	if (mprotect(at + from, to - from, PROT_READ | PROT_WRITE) != 0)
		return false;
	if (huge)
		etc_memory_wish_huge(at + from, to - from);
	return true;
}

static void region_release(void *region, size_t room)
{
	(void)munmap(region, room);
}

enum {
	BLOCK_MIN = 16 << 10,
	LAZY = 120 << 10,
	/* an arena uses regions once its total size has reached this number of bytes */
	REGIONS_FROM = 1 << 20,
	ROOM_LEAST = 64 << 20, /* least size of a region: as much as malloc reserves per thread */
	/* if at most this many bytes are added at once, they always get huge pages */
	HUGE_MOST = 64 << 20,
	/* if more than HUGE_MOST bytes are added at once, they get huge pages only if the total
	 * size of the arena's blocks is then at most this number of bytes */
	HUGE_ALL = 192 << 20
};

struct etc_block {
	struct etc_block *next;
	size_t size, used;
	/* size of the block's region, which is address space reserved for it; 0: malloc() made the
	 * block */
	size_t room;
	bool zeroed;
	bool own; /* contains one large object only */
	max_align_t bytes[];
};

void etc_arena_init(struct etc_arena *a, size_t budget)
{
	*a = (struct etc_arena){ .budget = budget };
}

static void give_back(struct etc_arena *a, struct etc_block *b)
{
	a->budget += b->size;
	a->taken -= b->size;
	a->shared -= b->own || b->room ? 0 : b->size;
	if (b->room)
		region_release(b, b->room);
	else
		free(b);
}

void etc_arena_release(struct etc_arena *a)
{
	while (a->blocks) {
		struct etc_block *b = a->blocks;

		a->blocks = b->next;
		give_back(a, b);
	}
}

void etc_arena_reuse(struct etc_arena *a)
{
	struct etc_block *most = a->blocks;

	for (struct etc_block *b = a->blocks; b; b = b->next)
		most = b->size > most->size ? b : most;
	while (a->blocks) {
		struct etc_block *b = a->blocks;

		a->blocks = b->next;
		if (b != most)
			give_back(a, b);
	}
	if (!most)
		return;
	if (most->zeroed)
		memset(most->bytes, 0, most->used);
	most->used = 0;
	most->next = NULL;
	a->blocks = most;
}

static void *bump(struct etc_block *b, size_t bytes, size_t align)
{
	uint8_t *base = (uint8_t *)b->bytes;
	size_t pad = -((uintptr_t)base + b->used) & (align - 1);

	if (!etc_fits(b->size, b->used, pad) || !etc_fits(b->size, b->used + pad, bytes))
		return NULL;
	b->used += pad + bytes;
	if (!b->zeroed)
		memset(base + b->used - bytes, 0, bytes);
	return base + b->used - bytes;
}

size_t etc_arena_whole(const struct etc_arena *a)
{
	return a->budget + a->taken;
}

static void refuse(const struct etc_arena *a, size_t wanted)
{
	size_t all = etc_arena_whole(a);

	etc_memory_refuse(wanted, all ? all : 1);
}

/* Returns the size of the arena's next memory block for small objects. The first four have 16, 32,
 * 64 and 128 KB. Each later block has half of the size of all earlier ones together, so at most a
 * third of the memory stays unused. */
static size_t next_size(const struct etc_arena *a)
{
	return a->shared < (size_t)2 * LAZY ? a->shared + BLOCK_MIN : a->shared / 2;
}

static size_t whole_pages(size_t bytes)
{
	return (bytes + ETC_HUGE_PAGE - 1) / ETC_HUGE_PAGE * ETC_HUGE_PAGE;
}

static void charge(struct etc_arena *a, size_t size)
{
	a->budget -= size;
	a->taken += size;
}

static bool make_memory(const struct etc_arena *a, void *region, size_t from, size_t to)
{
	size_t size = to - from;

	return region_extend(region, from, to, size <= HUGE_MOST || a->taken + size <= HUGE_ALL);
}

/* Makes room for `bytes` in a block that has a region. Returns false if the region is too small.
 * Also returns false if the budget or the system has no memory; it then releases the unused rest of
 * the region, so that later calls do not try to extend this block again. */
static bool extend(struct etc_arena *a, struct etc_block *b, size_t bytes)
{
	size_t have = sizeof *b + b->size, used = sizeof *b + b->used, to;

	if (!etc_fits(b->room, used, bytes))
		return false;
	to = whole_pages(used + bytes);
	if (to - have > a->budget || !make_memory(a, b, have, to)) {
		region_release((uint8_t *)b + have, b->room - have);
		b->room = have;
		return false;
	}
	charge(a, to - have);
	b->size += to - have;
	return true;
}

/* Allocates a block with a region, which consists of whole huge pages. NULL if the address space or
 * the budget has no room for it; the caller then tries malloc, which needs fewer bytes. */
static struct etc_block *reserve(struct etc_arena *a, size_t atleast)
{
	size_t first = whole_pages(sizeof(struct etc_block) + atleast);
	size_t room = first < ROOM_LEAST ? ROOM_LEAST : first;
	struct etc_block *b;

	if (first > a->budget)
		return NULL;
	b = region_take(room);
	if (!b && room > first)
		b = region_take(room = first);
	if (!b)
		return NULL;
	if (!make_memory(a, b, 0, first)) {
		region_release(b, room);
		return NULL;
	}
	*b = (struct etc_block){ .size = first - sizeof *b, .room = room, .zeroed = true };
	charge(a, b->size);
	return b;
}

static struct etc_block *grow(struct etc_arena *a, size_t atleast)
{
	size_t size = next_size(a);
	bool own = atleast >= LAZY;
	struct etc_block *b = NULL;

	size = size < a->budget ? size : a->budget;
	size = size > atleast && !own ? size : atleast;
	if (size > a->budget || size > SIZE_MAX - sizeof *b) {
		refuse(a, size);
		return NULL;
	}
	if (a->taken + size >= REGIONS_FROM && size < SIZE_MAX / 2)
		b = reserve(a, size);
	if (b)
		return b;
	b = size < LAZY ? etc_malloc(sizeof *b + size) : etc_calloc(1, sizeof *b + size);
	if (!b)
		return NULL;
	charge(a, size);
	a->shared += own ? 0 : size;
	*b = (struct etc_block){ .size = size, .zeroed = size >= LAZY, .own = own };
	return b;
}

/* Returns the number of free bytes in the block, including bytes by which its region can still
 * grow. */
static size_t left(const struct etc_block *b)
{
	return (b->room ? b->room - sizeof *b : b->size) - b->used;
}

void *etc_arena_alloc(struct etc_arena *a, size_t size, size_t align, size_t count)
{
	struct etc_block *b = a->blocks;
	size_t bytes;
	void *p;

	if (count > (SIZE_MAX - align) / size) {
		refuse(a, SIZE_MAX);
		return NULL;
	}
	bytes = size * count;
	p = b && (bytes < LAZY || b->used == 0 || b->room) ? bump(b, bytes, align) : NULL;
	if (!p && b && extend(a, b, bytes + align))
		p = bump(b, bytes, align);
	if (p)
		return p;
	b = grow(a, bytes + align);
	if (!b)
		return NULL;
	p = bump(b, bytes, align);
	/* Small objects are put into the first block of the list. A new block with less free room
	 * than the present first block becomes only the second one (a large array may fill all of
	 * the new block). */
	if (a->blocks && left(b) < left(a->blocks)) {
		b->next = a->blocks->next;
		a->blocks->next = b;
	} else {
		b->next = a->blocks;
		a->blocks = b;
	}
	return p;
}

void *etc_arena_grow(struct etc_arena *a, void *v, uint32_t count, uint32_t *room, size_t size)
{
	uint32_t most = *room ? *room * 2 : 8;
	void *copy = NULL;

	if (count == *room && *room <= UINT32_MAX / 2)
		copy = etc_arena_alloc(a, size, alignof(max_align_t), most);
	if (!copy)
		return v;
	if (count)
		memcpy(copy, v, count * size);
	*room = most;
	return copy;
}

char *etc_arena_cstr(struct etc_arena *a, struct etc_str s)
{
	char *p = etc_arena_alloc(a, 1, 1, s.len + 1);

	if (p && s.len)
		memcpy(p, s.ptr, s.len);
	return p;
}

struct etc_str etc_arena_str(struct etc_arena *a, struct etc_str s)
{
	char *p = etc_arena_cstr(a, s);

	return (struct etc_str){ p, p ? s.len : 0 };
}

struct etc_sized etc_arena_sized(struct etc_arena *a, struct etc_str s)
{
	uint32_t len = (uint32_t)s.len;
	char *p = s.ptr && len == s.len ? etc_arena_alloc(a, 1, 1, sizeof len + s.len) : NULL;

	if (!p)
		return (struct etc_sized){ NULL };
	memcpy(p, &len, sizeof len);
	if (len)
		memcpy(p + sizeof len, s.ptr, s.len);
	return (struct etc_sized){ p + sizeof len };
}

struct etc_str etc_arena_printf(struct etc_arena *a, const char *fmt, ...)
{
	char few[256]; /* most texts fit here and are formatted only once */
	va_list args;
	int len;
	char *p;

	va_start(args, fmt);
	len = vsnprintf(few, sizeof few, fmt, args);
	va_end(args);
	p = len < 0 ? NULL : etc_arena_alloc(a, 1, 1, (size_t)len + 1);
	if (!p)
		return (struct etc_str){ NULL, 0 };
	if ((size_t)len < sizeof few) {
		memcpy(p, few, (size_t)len + 1);
		return (struct etc_str){ p, (size_t)len };
	}
	va_start(args, fmt);
	vsnprintf(p, (size_t)len + 1, fmt, args);
	va_end(args);
	return (struct etc_str){ p, (size_t)len };
}
