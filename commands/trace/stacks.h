/* stacks.h -- converts the chosen runs to stacks with exclusive times, for flame graphs.
 *
 * Only events that are part of the measured time (ETC_ATTACHED) are included, so the times of a run
 * add up to the time of Method::execute. Equal stacks are merged. */
#ifndef ETC_COMMANDS_TRACE_STACKS_H
#define ETC_COMMANDS_TRACE_STACKS_H

#include "commands/trace/trace.h"

/* A node of the tree of all stacks. A node's parent comes before it in the array. */
struct etc_stack {
	uint32_t parent; /* index of the parent; ETC_NO_SITE: a root */
	uint32_t frame;
	etc_u128 self; /* exclusive time in ns; see etc_stack_ns() */
	uint64_t calls;
};

struct etc_stack_frame {
	struct etc_str name; /* name as displayed */
	/* source file of the model; empty: unknown, or the event has several source files */
	struct etc_str file;
	uint32_t line;
};

struct etc_stacks {
	struct etc_stack *v;
	uint32_t count;
	struct etc_stack_frame *frames;
	uint32_t frame_count;
};

/* Makes the stacks. If `lines` is true, events with the same name but different source lines have
 * different frames. If it is false, such events share a frame, and ';' in names is replaced by ':',
 * because ';' separates the frames of a folded stack. The result is in the arena. E0560, E0605,
 * E0904. */
enum etc_status etc_stacks_make(struct etc_tracing *tracing, bool lines, struct etc_arena *arena,
                                struct etc_stacks *out, struct etc_error *err) ETC_MUST_CHECK;

static inline bool etc_stack_fits(const struct etc_stack *s)
{
	return s->self <= INT64_MAX;
}

/* Returns the exclusive time in ns; INT64_MAX if the time does not fit into an int64_t. */
static inline uint64_t etc_stack_ns(const struct etc_stack *s)
{
	return etc_stack_fits(s) ? (uint64_t)s->self : INT64_MAX;
}

#endif
