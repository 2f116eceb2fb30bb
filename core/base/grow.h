/* grow.h -- an array that grows in an arena. */
#ifndef ETC_BASE_GROW_H
#define ETC_BASE_GROW_H

#include "base/arena.h"

/* An array that grows in an arena. When it grows, it is copied; the old copies stay in the arena,
 * and are together at most as large as the array. */
struct etc_grow {
	void *items;
	uint32_t count, room;
};

/* Adds an item and returns a pointer to it. The item is zeroed. NULL: out of memory. */
void *etc_grow_add(struct etc_arena *arena, struct etc_grow *g, size_t size, size_t align);

/* Makes room for `room` items in total. False: out of memory. */
bool etc_grow_reserve(struct etc_arena *arena, struct etc_grow *g, size_t size, size_t align,
                      uint32_t room);

#define ETC_GROW(arena, grow, type) \
	((type *)etc_grow_add((arena), (grow), sizeof(type), alignof(type)))

#endif
