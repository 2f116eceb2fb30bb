/* instruction_index.c -- see instruction_index.h */
#include "join/instruction_index.h"

struct spot {
	uint64_t chain;
	int64_t instruction;
};

void etc_spots_init(struct etc_spots *spots, const struct etc_event *events, uint32_t most,
                    struct etc_arena *arena)
{
	*spots = (struct etc_spots){ .arena = arena, .events = events, .room = most };
	etc_map_init(&spots->map, arena);
}

static struct spot spot_of(const struct etc_event *e)
{
	return (struct spot){ e->chain, e->instruction_id };
}

static struct spot known(const struct etc_spots *s, uint32_t n)
{
	return spot_of(&s->events[s->first[n]]);
}

static int compare(struct spot a, struct spot b)
{
	if (a.chain != b.chain)
		return a.chain < b.chain ? -1 : 1;
	return a.instruction < b.instruction ? -1 : a.instruction > b.instruction;
}

static struct etc_str key_of(const struct spot *spot)
{
	return (struct etc_str){ (const char *)spot, sizeof *spot };
}

static uint32_t append(struct etc_spots *s, const struct etc_event *e)
{
	/* The array gets the largest size that can be needed, because a page takes up memory only
	 * after it is first written. */
	if (!s->first)
		s->first = etc_new(s->arena, uint32_t, s->room);
	if (!s->first)
		return ETC_NO_SPOT;
	s->first[s->count] = (uint32_t)(e - s->events);
	return s->count++;
}

/* Returns the index of `spot` by binary search; ETC_NO_SPOT: it is not in the array. */
static uint32_t search(const struct etc_spots *s, struct spot spot)
{
	uint32_t from = 0, to = s->count;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;
		int order = compare(known(s, middle), spot);

		if (order == 0)
			return middle;
		if (order < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return ETC_NO_SPOT;
}

static bool make_map(struct etc_spots *s)
{
	bool ok = etc_map_reserve(&s->map, (size_t)s->count * 2);

	for (uint32_t i = 0; i < s->count && ok; i++) {
		struct spot spot = known(s, i);

		ok = etc_map_intern(&s->map, key_of(&spot), i) != ETC_MAP_NONE;
	}
	s->mapped = true;
	return ok;
}

static uint32_t by_map(struct etc_spots *s, struct spot spot)
{
	size_t n = etc_map_intern(&s->map, key_of(&spot), s->count);

	if (n == ETC_MAP_NONE)
		return ETC_NO_SPOT;
	s->count += n == s->count;
	return (uint32_t)n;
}

uint32_t etc_spots_number(struct etc_spots *spots, const struct etc_event *e)
{
	struct spot spot = spot_of(e);
	uint32_t n;

	if (spots->mapped)
		return by_map(spots, spot);
	if (spots->count == 0 || compare(known(spots, spots->count - 1), spot) < 0)
		n = append(spots, e);
	else if (compare(known(spots, spots->last), spot) == 0)
		n = spots->last;
	else
		n = search(spots, spot);
	if (n == ETC_NO_SPOT && spots->count && compare(known(spots, spots->count - 1), spot) > 0)
		return make_map(spots) ? by_map(spots, spot) : ETC_NO_SPOT;
	spots->last = n;
	return n;
}
