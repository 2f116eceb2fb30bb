/* arena.h -- memory that lives as long as one query (one execution of a command).
 *
 * Everything built from the input files comes from one arena and is freed by one call, so no model
 * struct has a free function, and error paths need no clean-up. Nothing is freed earlier. The
 * arena has a budget, so a hostile file cannot exhaust the machine's memory. */
#ifndef ETC_BASE_ARENA_H
#define ETC_BASE_ARENA_H

#include "base/attr.h"
#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#else
#include <stdalign.h>
#endif

struct etc_block;

struct etc_arena {
	struct etc_block *blocks; /* list of the blocks; small objects are put into the first one */
	size_t budget;            /* bytes that may still be allocated */
	/* `taken`: bytes of all blocks. `shared`: bytes of the malloc'ed blocks that hold many
	 * small objects. */
	size_t taken, shared;
};

void etc_arena_init(struct etc_arena *a, size_t budget);
void etc_arena_release(struct etc_arena *a); /* invalidates every pointer into the arena */

/* Frees everything like etc_arena_release(), except the largest block, which the next allocations
 * use. */
void etc_arena_reuse(struct etc_arena *a);

/* Returns the arena's total budget in bytes, including what is allocated already. */
size_t etc_arena_whole(const struct etc_arena *a);

/* Returns `count` zeroed objects. NULL if the budget, the machine's memory or size_t is exhausted;
 * the caller then returns etc_no_memory(err). If `count` is 0, the result is not NULL and must not
 * be read. */
#define etc_new(arena, type, count) \
	((type *)etc_arena_alloc((arena), sizeof(type), alignof(type), (count)))

void *etc_arena_alloc(struct etc_arena *a, size_t size, size_t align, size_t count);

/* Adds a zeroed item to the array `v`, which grows in the arena and uses `count` of its `room`
 * items. Returns a pointer to the item; NULL when memory is exhausted. */
#define ETC_APPEND(arena, v, count, room)                                   \
	((v) = etc_arena_grow((arena), (v), (count), &(room), sizeof *(v)), \
	 (count) < (room) ? &(v)[(count)++] : NULL)

/* Makes the array `v` larger if it is full. The array has `count` items of `size` bytes, and room
 * for `*room` items. Returns `v`, or a copy with more room. When memory is exhausted, returns `v`
 * unchanged; the caller detects this by `*room`, which is then still equal to `count`. */
void *etc_arena_grow(struct etc_arena *a, void *v, uint32_t count, uint32_t *room, size_t size);

/* Returns a copy of `s` with a NUL after it; NULL when memory is exhausted. */
char *etc_arena_cstr(struct etc_arena *a, struct etc_str s);

/* Returns a copy of `s`; {NULL, 0} when memory is exhausted and s is not empty. */
struct etc_str etc_arena_str(struct etc_arena *a, struct etc_str s);

/* Returns a copy of `s`; {NULL} if `s.ptr` is NULL, `s` has 4 GB or more, or memory is
 * exhausted. */
struct etc_sized etc_arena_sized(struct etc_arena *a, struct etc_str s);

/* Like printf(), but returns the text in memory of the arena; {NULL, 0} when memory is
 * exhausted. */
struct etc_str etc_arena_printf(struct etc_arena *a, const char *fmt, ...) ETC_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif
#endif
