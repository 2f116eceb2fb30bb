/* map.h -- a hash map from text (or any bytes) to an index, in an arena.
 *
 * Open addressing. The hash is seeded per process and multiplies two words that both depend on
 * the seed, so that nobody can prepare a file in which all names collide. Keys are views and
 * must outlive the map.
 *
 * ETCORE_SEED=TEXT in the environment fixes the seed, so that tests can count instructions: two
 * executions of etcore then execute the same ones. Not for untrusted files. */
#ifndef ETC_BASE_MAP_H
#define ETC_BASE_MAP_H

#include "base/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the bytes of a number as a view, for use as a key. */
static inline struct etc_str etc_map_number(const int64_t *number)
{
	return (struct etc_str){ (const char *)number, sizeof *number };
}

struct etc_map_slot {
	struct etc_str key;
	uint64_t hash; /* 0: the slot is free */
	size_t value;
};

struct etc_map {
	struct etc_arena *arena;
	struct etc_map_slot *slots;
	size_t room, count; /* room is 0 or a power of two */
	uint64_t seed;
};

#define ETC_MAP_NONE SIZE_MAX

void etc_map_init(struct etc_map *m, struct etc_arena *arena);

/* Makes room for `count` keys at once; false: out of memory. */
bool etc_map_reserve(struct etc_map *m, size_t count);

/* Returns the value of `key`; ETC_MAP_NONE: the map does not contain the key. */
size_t etc_map_get(const struct etc_map *m, struct etc_str key);

/* Adds `key` with `value` if the map does not contain the key. Returns the value of the key, which
 * is the old one if the map contained the key; ETC_MAP_NONE: out of memory. */
size_t etc_map_add(struct etc_map *m, struct etc_str key, size_t value);

/* Like etc_map_add(), for a key that may not live as long as the map: a new key is copied. */
size_t etc_map_intern(struct etc_map *m, struct etc_str key, size_t value);

/* Returns a seeded hash of the bytes, which is never 0. Each call computes the seed again, so do
 * not call it in inner loops. */
uint64_t etc_hash(struct etc_str bytes);

/* Mixes another word into the hash; `hash` must come from etc_hash(). Both factors of the
 * multiplication depend on the seed, and the upper half of the product is folded in, so no pair of
 * words cancels predictably. */
static inline uint64_t etc_hash_mix(uint64_t hash, uint64_t word)
{
	uint64_t secret = (hash << 32 | hash >> 32) ^ 0x9e3779b97f4a7c15u;
	__extension__ unsigned __int128 product = hash ^ word;

	product *= secret | 1;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Returns the hash that results from mixing a whole text into `hash`; never 0. */
uint64_t etc_hash_text(uint64_t hash, struct etc_str bytes);

#ifdef __cplusplus
}
#endif
#endif
