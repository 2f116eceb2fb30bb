/* logged.h -- lists every value that the runs of a dump logged, for `etcore numeric`. A value has
 * its elements, and its position in the program. */
#ifndef ETC_COMMANDS_NUMERIC_LOGGED_H
#define ETC_COMMANDS_NUMERIC_LOGGED_H

#include "context/inputs.h"
#include "join/method.h"
#include "join/places.h"
#include "tensor/element.h"

enum etc_logged_what {
	/* a value that was logged outside of instructions and is not an output of the program */
	ETC_LOGGED_OTHER,
	/* an output of the program. Only etc_logged.what has this value, never
	 * etc_logged_event.what */
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
	/* name of the operator, such as "add.out"; or "DELEGATE_CALL"; or the id of an event of a
	 * delegate; empty: unknown */
	struct etc_str name;
	/* the debug handles that the record has for the event; NULL: none */
	const struct etc_handles *handles;
	const struct etc_place *place; /* nodes; never NULL */
};

/* A logged tensor or scalar. If a list of tensors was logged, each tensor is a separate value. */
struct etc_logged {
	uint32_t run, event; /* run: index in the trace; event: index among the run's events */
	const struct etc_logged_event *of; /* never NULL */
	const struct etc_value *value;     /* never NULL */
	uint8_t what;                      /* enum etc_logged_what: what the value is */
	/* element of a list: index in the list. OUTPUT: index among the outputs of its run. Else
	 * -1 */
	int32_t item;
	struct etc_str method;           /* name of the method; empty: not known */
	const struct etc_tensor *tensor; /* the tensor; NULL: the value is a scalar, or nothing */
	bool readable;                   /* `elements` is set */
	/* why the elements of a tensor cannot be read; 0 if they can be read, if the value is a
	 * scalar, or if there is no buffer */
	enum etc_code problem;
	struct etc_elements elements;
};

struct etc_logged_list {
	struct etc_logged *v;
	size_t count;
};

/* Lists all values in file order. If `buffer` is NULL, no elements can be read. Names come from the
 * record and the program in `in`, if these exist and belong to the dump. The list is in the arena.
 * E0904. */
enum etc_status etc_logged_list(const struct etc_inputs *in, const struct etc_span *buffer,
                                struct etc_arena *arena, struct etc_logged_list *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
