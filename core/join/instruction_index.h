/* instruction_index.h -- numbers the instructions of a program that events happened in.
 *
 * Programs run mostly forwards: as long as each instruction comes after those before it,
 * or is one of them, a sorted list tells; only then is a map made. */
#ifndef ETC_JOIN_SPOTS_H
#define ETC_JOIN_SPOTS_H

#include "base/map.h"
#include "model/trace.h"

struct etc_spots {
	struct etc_arena *arena;
	const struct etc_event *events;
	uint32_t count, room;
	uint32_t *first; /* event of each, in order of spots; unused once there is a map */
	uint32_t last;
	bool mapped;
	struct etc_map map;
};

#define ETC_NO_SPOT UINT32_MAX

/* `most` spots of `events`, at most. */
void etc_spots_init(struct etc_spots *spots, const struct etc_event *events, uint32_t most,
                    struct etc_arena *arena);

/* The number of (chain, instruction) of `e`, one of the events: below `count`, from 0 by first appearance.
 * ETC_NO_SPOT: no memory. */
uint32_t etc_spots_number(struct etc_spots *spots, const struct etc_event *e);

#endif
