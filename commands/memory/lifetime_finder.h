/* lifetime_finder.h -- private to lifetimes.c and lifetime_groups.c. */
#ifndef ETC_MEMORY_LIFETIME_FINDER_H
#define ETC_MEMORY_LIFETIME_FINDER_H

#include "commands/memory/lifetimes.h"

enum { ETC_LIFETIME_NEVER = INT32_MAX, ETC_LIFETIME_BEFORE = -1 };

/* State of a value; only planned tensors are followed. */
struct etc_followed {
	bool planned, output, state, done;
	int8_t type;
	int32_t input; /* place among the inputs; -1: none */
	uint64_t bytes;
	int32_t first;       /* mention, or ETC_LIFETIME_BEFORE; ETC_LIFETIME_NEVER: none */
	int32_t defined;     /* first definition, or ETC_LIFETIME_NEVER */
	int32_t in_place;    /* last step that takes it and writes it; ETC_LIFETIME_NEVER: none */
	int32_t seen;        /* last step that mentioned it, while counting */
	uint32_t place;      /* of its range in `ranges` */
	uint32_t mention_at; /* in `mentions` */
	uint32_t mention_count;
	uint32_t position; /* among the arguments of the delegate under way, the last one */
	uint32_t parent;   /* union-find */
};

/* A (memory id, offset, bytes), and the last value that used it. */
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
	uint32_t known; /* behind the last argument of a delegate that is not new */
	uint32_t end;   /* behind its last argument */
};

/* The value that stands for all that are one storage with `v`. */
uint32_t etc_lifetime_root(struct etc_lifetime_finder *f, uint32_t v);

/* lifetime_groups.c: values -> groups, with the steps at which they are alive. */
enum etc_status etc_lifetime_groups(struct etc_lifetime_finder *f,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
