/* counters.h -- memory during a run: bytes planned to be alive at each instruction, and bytes
 * allocated by the runtime. */
#ifndef ETC_COMMANDS_TRACE_COUNTERS_H
#define ETC_COMMANDS_TRACE_COUNTERS_H

#include "commands/trace/trace.h"

/* Bytes that the memory plan of a method keeps alive: bytes[0] before its first instruction,
 * bytes[i + 1] at instruction i. */
struct etc_planned {
	const uint64_t *bytes;
	uint32_t count; /* 0: unknown */
};

/* Finds the planned bytes. `count` is 0 if the program was not read completely, or its plan is
 * inconsistent. E0904. */
enum etc_status etc_planned_find(const struct etc_program *program, struct etc_str method,
                                 struct etc_arena *arena, struct etc_planned *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* An allocation event. It has no time, but was logged after the profile event `after` ended. */
struct etc_allocated {
	/* site of that profile event; ETC_NO_SITE: no event precedes the allocation */
	uint32_t after;
	uint32_t allocator; /* index among the distinct allocators of the list */
	uint32_t column;    /* index in the run's allocations */
};

struct etc_allocations {
	const struct etc_allocated *v;
	uint32_t count;
	const struct etc_str *allocators;
	uint32_t allocator_count;
};

/* Finds the allocations in the runs of an event list; names are those of `run`, the first run of
 * the list. E0904. */
enum etc_status etc_allocations_find(const struct etc_trace *trace, const struct etc_walk_run *run,
                                     struct etc_arena *arena, struct etc_allocations *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
