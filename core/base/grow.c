/* grow.c -- see grow.h */
#include "base/grow.h"

#include <string.h>

bool etc_grow_reserve(struct etc_arena *arena, struct etc_grow *g, size_t size, size_t align,
                      uint32_t room)
{
	void *more;

	if (room <= g->room)
		return true;
	more = etc_arena_alloc(arena, size, align, room);
	if (!more)
		return false;
	if (g->count)
		memcpy(more, g->items, g->count * size);
	g->items = more;
	g->room = room;
	return true;
}

void *etc_grow_add(struct etc_arena *arena, struct etc_grow *g, size_t size, size_t align)
{
	if (g->count == g->room &&
	    (g->room > UINT32_MAX / 2 ||
	     !etc_grow_reserve(arena, g, size, align, g->room ? g->room * 2 : 8)))
		return NULL;
	return (char *)g->items + size * g->count++;
}
