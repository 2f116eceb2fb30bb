/* map.c -- see map.h */
#define _GNU_SOURCE /* secure_getenv */
#include "base/map.h"

#include <stdlib.h>
#include <sys/auxv.h>

/* Returns eight of the random bytes that the kernel gives every process (getauxval AT_RANDOM), or a
 * hash of the text of ETCORE_SEED. */
static uint64_t seed(void)
{
	const void *random = (const void *)(uintptr_t)getauxval(AT_RANDOM);
	const char *fixed = secure_getenv("ETCORE_SEED");
	uint64_t v = 0x9e3779b97f4a7c15u;

	if (fixed && *fixed)
		while (*fixed)
			v = (v ^ (uint8_t)*fixed++) * 0x100000001b3u;
	else if (random)
		memcpy(&v, random, sizeof v);
	return v;
}

uint64_t etc_hash_text(uint64_t h, struct etc_str bytes)
{
	size_t at = 0;
	uint64_t word;

	h = etc_hash_mix(h, bytes.len);
	for (; bytes.len - at >= 8; at += 8) {
		memcpy(&word, bytes.ptr + at, 8);
		h = etc_hash_mix(h, word);
	}
	h = etc_hash_mix(h, bytes.len > at ? etc_str_last_word(bytes) : 0);
	return h ? h : 1;
}

uint64_t etc_hash(struct etc_str bytes)
{
	return etc_hash_text(seed(), bytes);
}

void etc_map_init(struct etc_map *m, struct etc_arena *arena)
{
	*m = (struct etc_map){ .arena = arena };
}

static struct etc_map_slot *find(struct etc_map_slot *slots, size_t room, struct etc_str key,
                                 uint64_t hash)
{
	for (size_t i = hash & (room - 1);; i = (i + 1) & (room - 1)) {
		struct etc_map_slot *s = &slots[i];

		if (s->hash == 0 || (s->hash == hash && etc_str_eq(s->key, key)))
			return s;
	}
}

size_t etc_map_get(const struct etc_map *m, struct etc_str key)
{
	struct etc_map_slot *s =
		m->room ? find(m->slots, m->room, key, etc_hash_text(m->seed, key)) : NULL;

	return s && s->hash ? s->value : ETC_MAP_NONE;
}

/* Writes to each page now. If a page were read first, the kernel would map its zero page and need a
 * second page fault for the write. */
static void touch(struct etc_map_slot *slots, size_t room)
{
	enum { PAGE = 4096 };

	for (size_t i = 0; i < room; i += PAGE / sizeof *slots)
		*(volatile uint64_t *)&slots[i].hash = 0;
}

static bool grow(struct etc_map *m, size_t room)
{
	struct etc_map_slot *slots = etc_new(m->arena, struct etc_map_slot, room);

	if (!slots)
		return false;
	if (m->room == 0)
		m->seed = seed();
	if (m->count)
		touch(slots, room);
	for (size_t i = 0; i < m->room; i++)
		if (m->slots[i].hash)
			*find(slots, room, m->slots[i].key, m->slots[i].hash) = m->slots[i];
	m->slots = slots;
	m->room = room;
	return true;
}

bool etc_map_reserve(struct etc_map *m, size_t count)
{
	size_t room = m->room ? m->room : 16;

	if (count > SIZE_MAX / 4)
		return false;
	while (room * 3 < count * 4)
		room *= 2;
	return room == m->room || grow(m, room);
}

static size_t add(struct etc_map *m, struct etc_str key, size_t value, bool copy)
{
	struct etc_map_slot *s;
	uint64_t hash;

	if (m->count * 4 >= m->room * 3 && !grow(m, m->room ? m->room * 2 : 16))
		return ETC_MAP_NONE;
	hash = etc_hash_text(m->seed, key); /* grow() has set the seed */
	s = find(m->slots, m->room, key, hash);
	if (s->hash == 0) {
		if (copy)
			key = etc_arena_str(m->arena, key);
		if (copy && !key.ptr)
			return ETC_MAP_NONE;
		*s = (struct etc_map_slot){ key, hash, value };
		m->count++;
	}
	return s->value;
}

size_t etc_map_add(struct etc_map *m, struct etc_str key, size_t value)
{
	return add(m, key, value, false);
}

size_t etc_map_intern(struct etc_map *m, struct etc_str key, size_t value)
{
	return add(m, key, value, true);
}
