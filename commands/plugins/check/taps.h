/* taps.h -- the sinks that checks pass to hooks. A sink passes the answer to the host's sink, which
 * validates it, and records the answer. If the check requires it, the sink refuses the answer
 * instead. Private to drive.c and taps.c. */
#ifndef ETC_COMMANDS_PLUGINS_CHECK_TAPS_H
#define ETC_COMMANDS_PLUGINS_CHECK_TAPS_H

#include "commands/plugins/check/internal.h"
#include "host/expand.h"
#include "host/sink.h"

/* The result of a sink that refuses; the hook must return it. */
#define ETC_CHECK_REFUSAL ETCORE_NOMEM

struct etc_taps {
	struct etc_drive *drive;
	struct etc_arena arena;     /* memory for the answers to one case */
	struct etc_fence fence;     /* memory of everything that hooks see */
	struct etc_fence_pool pool; /* memory for the structs that describe_time fills */
	const struct etcore_host *host;
	const struct etcore_scales *scales;
	const struct etcore_sink *data;
	const struct etcore_number_sink *numbers;
	const struct etcore_text_sink *facts;
	const struct etcore_map_sink *map;
	const struct etcore_child_sink *children;
	/* the running hook and the current case */
	const char *hook, *what;
	uint32_t index, calls;
	bool refused, of_sample;
	struct etcore_sink to_data;
	struct etcore_number_sink to_numbers;
	struct etcore_text_sink to_facts;
	struct etcore_map_sink to_map;
	struct etcore_child_sink to_children;
};

/* Makes the sinks and the other arguments of open() and hooks, each followed by `extra` bytes
 * and a fence. False: out of memory. */
bool etc_taps_make(struct etc_taps *t, size_t extra, uint32_t minor);

/* Writes "HOOK given CASE: TEXT" to `to`, one of the texts of the drive (struct etc_drive), unless
 * it has a text already. Hook and case are the current ones. */
void etc_taps_say(const struct etc_taps *t, char to[300], const char *text);

#endif
