/* lifetime_finder.h -- the state of the search for lifetimes, which lifetimes.c and
 * lifetime_groups.c share. */
#ifndef ETC_MEMORY_LIFETIME_FINDER_H
#define ETC_MEMORY_LIFETIME_FINDER_H

#include "memory/lifetimes.h"

enum { ETC_LIFETIME_NEVER = INT32_MAX, ETC_LIFETIME_BEFORE = -1 };

/* State of a value of the program. Only those of planned tensors are used. */
struct etc_followed {
	bool planned, output, state, done;
	int8_t type;
	int32_t input; /* index of the value among the method's inputs; -1: it is not an input */
	uint64_t bytes;
	/* first step that mentions the value; ETC_LIFETIME_BEFORE: the value is used before the
	 * first step; ETC_LIFETIME_NEVER: no step mentions it */
	int32_t first;
	int32_t defined; /* first step that defines the value, or ETC_LIFETIME_NEVER */
	/* last step that reads the value and overwrites it in place, or ETC_LIFETIME_NEVER */
	int32_t in_place;
	/* Used for two purposes. While mentions are counted: the last step that was counted for the
	 * value, so that each step counts once. While groups are made: for the root of a union-find
	 * set, the number of values of its group that were listed so far. */
	int32_t seen;
	uint32_t place;      /* index in `ranges` of the range that is planned for the value */
	uint32_t mention_at; /* index of the value's first mention in `mentions` */
	uint32_t mention_count;
	/* last position of the value among the arguments of the current delegate */
	uint32_t position;
	/* parent of the value in its union-find set, which contains the values with the same
	 * storage */
	uint32_t parent;
};

/* A range of memory (memory id, offset, bytes), and the step that mentioned a value in it last.
 * `value` is that value. If `used` is false, no step has mentioned a value in the range so far. */
struct etc_planned_range {
	int32_t step;
	uint32_t value;
	bool used;
};

struct etc_lifetime_finder {
	const struct etc_program_method *m;
	/* chain 0 of the method; NULL: the method has no instructions */
	const struct etc_program_chain *chain;
	struct etc_arena *arena;
	struct etc_lifetimes *out;
	struct etc_followed *v;
	int32_t *mentions;
	struct etc_planned_range *ranges;
	/* some arguments of the current delegate are mentioned by an earlier step; this is the
	 * position after the last of these arguments */
	uint32_t known;
	uint32_t end; /* position after the last argument of the current delegate */
};

/* Returns the value that represents all values with the same storage as `v`: the root of its
 * union-find set. */
uint32_t etc_lifetime_root(struct etc_lifetime_finder *f, uint32_t v);

/* Makes groups of values, with the steps at which each group is alive (lifetime_groups.c). */
enum etc_status etc_lifetime_groups(struct etc_lifetime_finder *f,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
