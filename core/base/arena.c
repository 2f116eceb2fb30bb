/* arena.c -- see arena.h
 *
 * Blocks from malloc that grow with what is taken (up to BLOCK_MAX), so small analyses
 * stay small; a large object has a block of its own, so large ones take no more than
 * they need. Large zeroed blocks come from
 * calloc, which maps them lazily: an untouched column costs no memory. Small ones
 * it would zero, and so touch, as a whole: of those each object is zeroed. Linux is
 * asked for huge pages in them: for 20 MB of columns, page faults took as long
 * as reading the file into them, and it puts a mapping of whole huge pages where
 * it can have them. Not for many hundreds of megabytes: a virtual machine
 * that has huge pages free may have them yet to get from its host, and then
 * clearing them took three times as long as faults did. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

enum {
	BLOCK_MIN = 16 << 10,
	BLOCK_MAX = 4 << 20,
	BLOCK_HEAD = 64, /* of a block and of malloc, at most */
	LAZY = 120 << 10,
	HUGE_MOST = 64 << 20, /* of a block */
	HUGE_ALL = 192 << 20  /* of an arena, where a block is larger */
};

struct etc_block {
	struct etc_block *next;
	size_t size, used;
	bool zeroed;
	bool own; /* of one large object */
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
	a->shared -= b->own ? 0 : b->size;
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

void etc_arena_split(struct etc_arena *a, size_t budget, struct etc_arena *out)
{
	budget = budget < a->budget ? budget : a->budget;
	a->budget -= budget;
	etc_arena_init(out, budget);
}

void etc_arena_join(struct etc_arena *a, struct etc_arena *other)
{
	struct etc_block **end = &a->blocks;

	while (*end)
		end = &(*end)->next;
	*end = other->blocks;
	a->budget += other->budget;
	a->taken += other->taken;
	a->shared += other->shared;
	etc_arena_init(other, 0);
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

/* For small objects: 16, 32, 64, 128 KB, then half of what there is, so that no more than a
 * third is left over. */
static size_t next_size(const struct etc_arena *a)
{
	return a->shared < (size_t)2 * LAZY ? a->shared + BLOCK_MIN : a->shared / 2;
}

static struct etc_block *grow(struct etc_arena *a, size_t atleast)
{
	size_t size = next_size(a);
	bool own = atleast >= LAZY;
	struct etc_block *b;

	size = size < BLOCK_MAX ? size : BLOCK_MAX;
	if (size >= ETC_HUGE_PAGE)
		size = (size + ETC_HUGE_PAGE / 2) / ETC_HUGE_PAGE * ETC_HUGE_PAGE - BLOCK_HEAD;
	size = size < a->budget ? size : a->budget;
	size = size > atleast && !own ? size : atleast;
	if (size > a->budget || size > SIZE_MAX - sizeof *b) {
		refuse(a, size);
		return NULL;
	}
	b = size < LAZY ? etc_malloc(sizeof *b + size) : etc_calloc(1, sizeof *b + size);
	if (!b)
		return NULL;
	if (size <= HUGE_MOST || a->taken + size <= HUGE_ALL)
		etc_memory_wish_huge(b, sizeof *b + size);
	a->budget -= size;
	a->taken += size;
	a->shared += own ? 0 : size;
	*b = (struct etc_block){ .size = size, .zeroed = size >= LAZY, .own = own };
	return b;
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
	p = b && (bytes < LAZY || b->used == 0) ? bump(b, bytes, align) : NULL;
	if (p)
		return p;
	b = grow(a, bytes + align);
	if (!b)
		return NULL;
	p = bump(b, bytes, align);
	/* A block made for one large array is full: keep filling the old one. */
	if (a->blocks && b->size - b->used < a->blocks->size - a->blocks->used) {
		b->next = a->blocks->next;
		a->blocks->next = b;
	} else {
		b->next = a->blocks;
		a->blocks = b;
	}
	return p;
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
	char few[256]; /* most texts fit, and are then formatted once */
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
