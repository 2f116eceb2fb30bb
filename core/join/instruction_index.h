/* instruction_index.h -- maps (chain, instruction) to a dense index.
 *
 * Most programs run forwards. As long as each new instruction is greater than all earlier ones, the
 * instructions are kept in a sorted array. When a new instruction is smaller, all instructions are
 * moved to a hash map. */
#ifndef ETC_JOIN_INSTRUCTION_INDEX_H
#define ETC_JOIN_INSTRUCTION_INDEX_H

#include "base/map.h"
#include "model/trace.h"

struct etc_spots {
	struct etc_arena *arena;
	const struct etc_event *events;
	uint32_t count, room;
	/* for each instruction, its first event, as an index in `events`; not used once there is a
	 * map */
	uint32_t *first;
	uint32_t last;
	bool mapped;
	struct etc_map map;
};

#define ETC_NO_SPOT UINT32_MAX

/* Prepares `spots` for the instructions of `events`, of which at most `most` are different. */
void etc_spots_init(struct etc_spots *spots, const struct etc_event *events, uint32_t most,
                    struct etc_arena *arena);

/* Returns the index of the (chain, instruction) of `e`, which must be one of the events. The first
 * instruction that is looked up gets the index 0, the next new one 1, and so on. ETC_NO_SPOT: out
 * of memory. */
uint32_t etc_spots_number(struct etc_spots *spots, const struct etc_event *e);

#endif
