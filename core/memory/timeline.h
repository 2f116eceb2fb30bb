/* timeline.h -- computes how much of each planned memory is alive at each step.
 *
 * A group is the set of tensors that share one storage (lifetimes.h). Live bytes are the sum of the
 * sizes of the groups that are alive. Bytes that several such groups share are a conflict: they
 * count once for each group in live bytes, and only once in `covered`. The memory planner numbers
 * memories from 1; id 0 is not used. */
#ifndef ETC_MEMORY_TIMELINE_H
#define ETC_MEMORY_TIMELINE_H

#include "memory/lifetimes.h"

/* State of a memory from step `step` on, until the step of the next point. */
struct etc_memory_point {
	int32_t step;
	uint32_t live;    /* number of live groups of tensors (struct etc_lifetime) */
	uint64_t bytes;   /* sum of the bytes of the live groups */
	uint64_t covered; /* number of distinct bytes of the live groups */
	/* the largest end of a live group, in bytes from the start of the memory */
	uint64_t extent;
};

struct etc_memory {
	uint32_t id;
	bool declared;       /* the method's list of sizes contains the memory */
	uint64_t planned;    /* size in bytes that the method declares; 0: not declared */
	uint64_t peak_bytes; /* the largest number of live bytes at any step */
	/* the first step at which peak_bytes is reached; -1: nothing is ever alive */
	int32_t peak_step;
	/* the largest `extent` of all steps */
	uint64_t max_extent;
	const struct etc_memory_point *points; /* `point_count` points, sorted by step */
	uint32_t point_count;
	bool conflict; /* at some step, groups that are alive share bytes */
};

/* Two groups that are alive at the same time and share bytes. */
struct etc_memory_conflict {
	uint32_t a, b;       /* indices of the two groups in etc_lifetimes.groups, a < b */
	int32_t first, last; /* first and last step at which both groups are alive */
};

struct etc_timeline {
	const struct etc_memory *memories; /* sorted by id */
	uint32_t memory_count;
	const struct etc_memory_conflict *conflicts; /* the conflicts that were found first */
	uint32_t conflict_count;
	bool more_conflicts;
};

/* Computes the timeline of each memory, in time O(n log n) for n groups. Also lists conflicts
 * (struct etc_memory_conflict), until a limit on the work for it is reached. E0904. */
enum etc_status etc_timeline_make(const struct etc_program_method *m,
                                  const struct etc_lifetimes *lifetimes, struct etc_arena *arena,
                                  struct etc_timeline *out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the state of a memory at `step`. NULL: `step` is before the first point. */
const struct etc_memory_point *etc_memory_at(const struct etc_memory *memory, int32_t step);

#endif
