/* taps.h -- the sinks that checks pass to hooks. Such a sink records the answer, and passes it to
 * the host's sink, which validates it. If the check requires a refusal, the sink refuses the answer
 * instead. Only drive.c and taps.c use this header. */
#ifndef ETC_COMMANDS_PLUGINS_CHECK_TAPS_H
#define ETC_COMMANDS_PLUGINS_CHECK_TAPS_H

#include "commands/plugins/check/internal.h"
#include "host/expand.h"
#include "host/sink.h"

/* The result that a sink returns when it refuses an answer. The hook must return the same
 * result. */
#define ETC_CHECK_REFUSAL ETCORE_NOMEM

struct etc_taps {
	struct etc_drive *drive;
	struct etc_arena arena;     /* memory for the answers to one case */
	struct etc_fence fence;     /* memory for everything that is passed to hooks */
	struct etc_fence_pool pool; /* memory for the structs that describe_time fills */
	const struct etcore_host *host;
	const struct etcore_scales *scales;
	const struct etcore_sink *data;
	const struct etcore_number_sink *numbers;
	const struct etcore_text_sink *facts;
	const struct etcore_map_sink *map;
	const struct etcore_child_sink *children;
	/* names of the running hook and of the current case */
	const char *hook, *what;
	uint32_t index, calls;
	bool refused, of_sample;
	struct etcore_sink to_data;
	struct etcore_number_sink to_numbers;
	struct etcore_text_sink to_facts;
	struct etcore_map_sink to_map;
	struct etcore_child_sink to_children;
};

/* Makes the sinks and the other arguments of open() and the hooks, each followed by `extra` bytes
 * and a fence (an inaccessible page, see base/fence.h). False: out of memory. */
bool etc_taps_make(struct etc_taps *t, size_t extra, uint32_t minor);

/* Writes "HOOK given CASE: TEXT" to `to`, for the current hook and case. `to` is one of the texts
 * of struct etc_drive. If it already has a text, keeps that text. */
void etc_taps_say(const struct etc_taps *t, char to[300], const char *text);

#endif
