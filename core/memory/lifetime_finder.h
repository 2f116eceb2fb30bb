/* lifetime_finder.h -- private to lifetimes.c and lifetime_groups.c. */
#ifndef ETC_MEMORY_LIFETIME_FINDER_H
#define ETC_MEMORY_LIFETIME_FINDER_H

#include "memory/lifetimes.h"

enum { ETC_LIFETIME_NEVER = INT32_MAX, ETC_LIFETIME_BEFORE = -1 };

/* State of a value; only planned tensors are followed. */
struct etc_followed {
	bool planned, output, state, done;
	int8_t type;
	int32_t input; /* index among the method's inputs; -1: no input */
	uint64_t bytes;
	/* step of the first mention, or ETC_LIFETIME_BEFORE; ETC_LIFETIME_NEVER: no mention */
	int32_t first;
	int32_t defined; /* step of the first definition, or ETC_LIFETIME_NEVER */
	/* last step that reads the value and overwrites it in place, or ETC_LIFETIME_NEVER */
	int32_t in_place;
	/* last step whose mention of the value was counted; later a counter while groups are
	 * made */
	int32_t seen;
	uint32_t place;      /* index of its range in `ranges` */
	uint32_t mention_at; /* index of its first mention in `mentions` */
	uint32_t mention_count;
	uint32_t position; /* its last position among the arguments of the current delegate */
	uint32_t parent;   /* union-find */
};

/* The last mention of a range (memory id, offset, bytes). `used` false: no value in the range was
 * mentioned so far. */
struct etc_planned_range {
	int32_t step;
	uint32_t value;
	bool used;
};

struct etc_lifetime_finder {
	const struct etc_program_method *m;
	const struct etc_program_chain *chain; /* NULL: a method without instructions */
	struct etc_arena *arena;
	struct etc_lifetimes *out;
	struct etc_followed *v;
	int32_t *mentions;
	struct etc_planned_range *ranges;
	/* position after the last argument of the current delegate that an earlier step used */
	uint32_t known;
	uint32_t end; /* position after the last argument of the current delegate */
};

/* The value that represents all values with the same storage as `v` (root of a union-find set). */
uint32_t etc_lifetime_root(struct etc_lifetime_finder *f, uint32_t v);

/* lifetime_groups.c: makes groups of values, with the steps at which they are alive. */
enum etc_status etc_lifetime_groups(struct etc_lifetime_finder *f,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
