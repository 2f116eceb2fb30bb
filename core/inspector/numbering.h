/* numbering.h -- a hash table that gives equal items the same number. A slot has 8 bytes. The table
 * does not store the items: the caller keeps them, and passes a function that compares two of
 * them. */
#ifndef ETC_INSPECTOR_NUMBERING_H
#define ETC_INSPECTOR_NUMBERING_H

#include "base/arena.h"

struct etc_numbering_slot {
	/* `hash`: 32 bits of the item's hash; `number`: the item's number + 1; 0: the slot is
	 * free */
	uint32_t hash, number;
};

struct etc_numbering {
	struct etc_numbering_slot *slots;
	size_t room, count; /* room: number of slots, a power of two; count: number of rows */
};

/* Makes an empty table with room for `count` items; false if out of memory. */
static inline bool etc_numbering_init(struct etc_numbering *n, struct etc_arena *arena,
                                      size_t count)
{
	*n = (struct etc_numbering){ .room = 16 };
	while (n->room * 3 < count * 4)
		n->room *= 2;
	n->slots = etc_new(arena, struct etc_numbering_slot, n->room);
	return n->slots != NULL;
}

/* Removes all items, but keeps the memory for reuse. */
static inline void etc_numbering_clear(struct etc_numbering *n)
{
	memset(n->slots, 0, n->room * sizeof *n->slots);
	n->count = 0;
}

static inline uint32_t etc_numbering_short(uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32);
}

/* Returns the number of an equal item that was added earlier. If there is none, adds item `number`
 * and returns `number`. The table must have room for one more item. `hash` must be seeded
 * (base/map.h). */
static inline uint32_t etc_numbering_add(struct etc_numbering *n, uint64_t hash, uint32_t number,
                                         bool (*same)(const void *things, uint32_t a, uint32_t b),
                                         const void *things)
{
	uint32_t short_hash = etc_numbering_short(hash);

	for (size_t i = short_hash & (n->room - 1);; i = (i + 1) & (n->room - 1)) {
		struct etc_numbering_slot *s = &n->slots[i];

		if (s->number == 0) {
			*s = (struct etc_numbering_slot){ short_hash, number + 1 };
			n->count++;
			return number;
		}
		if (s->hash == short_hash && same(things, s->number - 1, number))
			return s->number - 1;
	}
}

/* Makes sure that the table has room for one more row. False: out of memory. */
static inline bool etc_numbering_grow(struct etc_numbering *n, struct etc_arena *arena)
{
	struct etc_numbering more;

	if (n->room && (n->count + 1) * 4 <= n->room * 3)
		return true;
	if (!etc_numbering_init(&more, arena, n->count * 2))
		return false;
	for (size_t k = 0; k < n->room; k++) {
		size_t i = n->slots[k].hash & (more.room - 1);

		if (n->slots[k].number == 0)
			continue;
		while (more.slots[i].number)
			i = (i + 1) & (more.room - 1);
		more.slots[i] = n->slots[k];
	}
	more.count = n->count;
	*n = more;
	return true;
}

#endif
