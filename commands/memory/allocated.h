/* allocated.h -- memory that was allocated during runs, according to an ETDump.
 *
 * An AllocationEvent has an allocator and a number of bytes, but no time, no instruction and no
 * release. The runtime logs a profile event when the event ends. So an allocation belongs to the
 * instruction of the next profile event in the same run, or to no instruction if that profile event
 * belongs to none. Source: tables AllocationEvent and Allocator of etdump_schema_flatcc.fbs. */
#ifndef ETC_COMMANDS_MEMORY_ALLOCATED_H
#define ETC_COMMANDS_MEMORY_ALLOCATED_H

#include "base/arena.h"
#include "base/error.h"
#include "base/exact.h"
#include "memory/timeline.h"
#include "model/trace.h"

enum { ETC_ALLOCATED_OUTSIDE = -1 }; /* the `step` of allocations that belong to no instruction */

/* What one instruction allocated from one allocator. */
struct etc_allocated_step {
	int32_t step;   /* instruction, or ETC_ALLOCATED_OUTSIDE */
	uint64_t count; /* number of allocations, in all runs together */
	/* most bytes allocated in one execution of the instruction; for OUTSIDE, in one run */
	uint64_t most;
};

/* The allocations from one allocator in one group of runs. */
struct etc_allocator_use {
	uint32_t place;      /* number of the group; the caller numbers the groups */
	int32_t id;          /* AllocationEvent.allocator_id */
	struct etc_str name; /* RunData.allocators[id - 1].name; empty: not in the list */
	uint64_t runs;    /* number of runs in the group, including those without an allocation */
	uint64_t count;   /* number of allocations in all runs of the group */
	etc_u128 bytes;   /* sum of the sizes of these allocations */
	uint64_t most;    /* the most bytes that one run allocated */
	uint64_t largest; /* bytes of the largest allocation */
	const struct etc_allocated_step *steps; /* the steps, in ascending order of `step` */
	uint32_t step_count;
};

struct etc_allocated {
	const struct etc_allocator_use *uses; /* sorted by `place`, then in order of appearance */
	uint32_t use_count;
};

/* Adds up the allocations of all runs. place[i] is the number of the group to which the trace's
 * run i belongs. It must be below `places`, the number of groups. For n events in runs with
 * allocations, this takes O(n log n) time. E0904. */
enum etc_status etc_allocated_find(const struct etc_trace *trace, const uint32_t *place,
                                   uint32_t places, struct etc_arena *arena,
                                   struct etc_allocated *out, struct etc_error *err) ETC_MUST_CHECK;

/* The step at which the sum of planned and allocated bytes is largest. */
struct etc_allocated_peak {
	int32_t step; /* -1: no step */
	uint64_t planned, allocated;
};

/* Adds the allocations of the group of runs with number `place` to the planned memory of
 * `timeline`, and finds the step with the largest sum. What an instruction allocates counts as
 * alive while the instruction runs, and as freed when the instruction ends. E0904. */
enum etc_status etc_allocated_with_plan(const struct etc_allocated *a, uint32_t place,
                                        const struct etc_timeline *timeline,
                                        struct etc_arena *arena, struct etc_allocated_peak *out,
                                        struct etc_error *err) ETC_MUST_CHECK;

#endif
