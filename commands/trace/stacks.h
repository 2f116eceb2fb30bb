/* stacks.h -- converts the chosen runs to stacks with exclusive times, for flame graphs.
 *
 * Only events that are part of the measured time (ETC_ATTACHED) are included, so the times of a
 * run add up to the time of Method::execute. Equal stacks are merged. */
#ifndef ETC_COMMANDS_TRACE_STACKS_H
#define ETC_COMMANDS_TRACE_STACKS_H

#include "commands/trace/trace.h"

/* A node of the tree of all stacks; its parent precedes it in the array. */
struct etc_stack {
	uint32_t parent; /* index of the parent; ETC_NO_SITE: a root */
	uint32_t frame;
	etc_u128 self; /* exclusive time in ns; see etc_stack_ns() */
	uint64_t calls;
};

struct etc_stack_frame {
	struct etc_str name; /* name as displayed */
	struct etc_str file; /* source file of the model; empty: unknown, or several */
	uint32_t line;
};

struct etc_stacks {
	struct etc_stack *v;
	uint32_t count;
	struct etc_stack_frame *frames;
	uint32_t frame_count;
};

/* Makes the stacks. `lines`: events with the same name, but of other source lines, have different
 * frames. If false, they share a frame, and its name has ':' in place of ';', because ';' separates
 * the frames of a folded stack. Memory is the arena's. E0560, E0605, E0904. */
enum etc_status etc_stacks_make(struct etc_tracing *tracing, bool lines, struct etc_arena *arena,
                                struct etc_stacks *out, struct etc_error *err) ETC_MUST_CHECK;

static inline bool etc_stack_fits(const struct etc_stack *s)
{
	return s->self <= INT64_MAX;
}

/* The exclusive time in ns; INT64_MAX if it does not fit. */
static inline uint64_t etc_stack_ns(const struct etc_stack *s)
{
	return etc_stack_fits(s) ? (uint64_t)s->self : INT64_MAX;
}

#endif
