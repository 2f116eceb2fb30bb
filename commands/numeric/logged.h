/* logged.h -- lists every value that the runs of a dump logged, with its place in the
 * program and its elements, for `etcore numeric`. */
#ifndef ETC_COMMANDS_NUMERIC_LOGGED_H
#define ETC_COMMANDS_NUMERIC_LOGGED_H

#include "context/inputs.h"
#include "join/method.h"
#include "join/places.h"
#include "tensor/element.h"

enum etc_logged_what {
	ETC_LOGGED_OTHER, /* outside of instructions, and not an output of the program */
	/* an output of the program; only set for single values, never for an event of a template */
	ETC_LOGGED_OUTPUT,
	ETC_LOGGED_OPERATOR, /* output of a kernel of the runtime */
	ETC_LOGGED_ARGUMENT, /* argument of a DELEGATE_CALL: input or output */
	ETC_LOGGED_DELEGATE  /* intermediate value that a delegate logged */
};

/* One debug event of a template. */
struct etc_logged_event {
	const struct etc_event *event;
	uint32_t index; /* index among all events of the template */
	uint8_t what;   /* enum etc_logged_what, never OUTPUT */
	/* name of the operator, such as "add.out"; "DELEGATE_CALL"; or the delegate's id; empty:
	 * unknown */
	struct etc_str name;
	const struct etc_handles *handles; /* the record's handles, or NULL */
	const struct etc_place *place;     /* nodes; never NULL */
};

/* A logged tensor or scalar. Each tensor of a logged list has an entry of its own. */
struct etc_logged {
	uint32_t run, event;               /* index in the trace, and in the run's events */
	const struct etc_logged_event *of; /* never NULL */
	const struct etc_value *value;     /* never NULL */
	uint8_t what;                      /* enum etc_logged_what */
	/* for an element of a list: index in the list; for an OUTPUT: index among the outputs of
	 * its run; else -1 */
	int32_t item;
	struct etc_str method;           /* name of the method; empty: not known */
	const struct etc_tensor *tensor; /* NULL: a scalar, or nothing */
	bool readable;                   /* `elements` is filled */
	/* why a tensor's elements cannot be read; 0: they can be read, the value is a scalar, or
	 * there is no buffer */
	enum etc_code problem;
	struct etc_elements elements;
};

struct etc_logged_list {
	struct etc_logged *v;
	size_t count;
};

/* Lists all values in file order. Without `buffer` no elements can be read. Names come from the
 * record and the program in `in`, if these are there and belong to the dump. Memory is the arena's.
 * E0904. */
enum etc_status etc_logged_list(const struct etc_inputs *in, const struct etc_span *buffer,
                                struct etc_arena *arena, struct etc_logged_list *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
