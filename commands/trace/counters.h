/* counters.h -- finds the memory that is used during a run: the bytes that are planned to be alive
 * at each instruction, and the bytes that the runtime allocated. */
#ifndef ETC_COMMANDS_TRACE_COUNTERS_H
#define ETC_COMMANDS_TRACE_COUNTERS_H

#include "commands/trace/trace.h"

/* Bytes that are alive according to the memory plan of a method: bytes[0] before its first
 * instruction, bytes[i + 1] at instruction i. */
struct etc_planned {
	const uint64_t *bytes;
	uint32_t count; /* length of `bytes`; 0: the bytes are unknown */
};

/* Finds the planned bytes of a method. out->count is 0 if the program was not read completely, or
 * if its plan is inconsistent. E0904. */
enum etc_status etc_planned_find(const struct etc_program *program, struct etc_str method,
                                 struct etc_arena *arena, struct etc_planned *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* An AllocationEvent of the runtime: a request for memory, logged without a time. The allocation
 * happened after the end of the profile event (an event with times) that was logged just before
 * it. */
struct etc_allocated {
	/* site of the profile event; ETC_NO_SITE: no profile event was logged before the
	 * allocation */
	uint32_t after;
	/* index of the allocator among the distinct allocators of the event list */
	uint32_t allocator;
	uint32_t column; /* index of this allocation among the allocations of a run */
};

struct etc_allocations {
	const struct etc_allocated *v;
	uint32_t count;
	const struct etc_str *allocators;
	uint32_t allocator_count;
};

/* Finds the allocations that each run of an event list has. Names of allocators are taken from
 * `run`, the first run of the list. E0904. */
enum etc_status etc_allocations_find(const struct etc_trace *trace, const struct etc_walk_run *run,
                                     struct etc_arena *arena, struct etc_allocations *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
