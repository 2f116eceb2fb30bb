/* taps.h -- the sinks that the checks hand to hooks. Each passes what it gets to
 * the host's own sink, which judges it, and writes it into the drive's record;
 * or refuses, when that is what is checked. Private to drive.c and taps.c. */
#ifndef ETC_CHECK_TAPS_H
#define ETC_CHECK_TAPS_H

#include "commands/plugins/check/internal.h"
#include "host/expand.h"
#include "host/sink.h"

/* The result with which a sink of a check refuses; a hook must return it. */
#define ETC_CHECK_REFUSAL ETCORE_NOMEM

struct etc_taps {
	struct etc_drive *drive;
	struct etc_arena arena;     /* of one case */
	struct etc_fence fence;     /* everything below that hooks see */
	struct etc_fence_pool pool; /* for describe_time's structs */
	const struct etcore_host *host;
	const struct etcore_scales *scales;
	const struct etcore_sink *data;
	const struct etcore_number_sink *numbers;
	const struct etcore_text_sink *facts;
	const struct etcore_map_sink *map;
	const struct etcore_child_sink *children;
	/* The running hook. */
	const char *hook, *what;
	uint32_t index, calls;
	bool refused;
	struct etc_intake *in; /* of the host's sink below that is in use */
	struct etcore_sink to_data;
	struct etcore_number_sink to_numbers;
	struct etcore_text_sink to_facts;
	struct etcore_map_sink to_map;
	struct etcore_child_sink to_children;
};

/* Makes the sinks and what else open() and hooks are handed, each followed by
 * `extra` bytes and a fence. False: out of memory. */
bool etc_taps_make(struct etc_taps *t, size_t extra, uint32_t minor);

/* "describe_time, 3 events: an ordinary call" into one of the drive's texts,
 * unless it holds something already. */
void etc_taps_say(const struct etc_taps *t, char to[300], const char *text);

#endif
