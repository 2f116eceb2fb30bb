/* logged.h -- the operators of logged values.
 *
 * A debug event has only its location: chain, instruction, a delegate's id. The operator there
 * follows from the profile events around it, the program and the record. Computed once per
 * shape, like everything that follows from names alone. */
#ifndef ETC_JOIN_LOGGED_H
#define ETC_JOIN_LOGGED_H

#include "join/method.h"
#include "join/places.h"

enum etc_logged_what {
	ETC_LOGGED_OTHER,    /* outside of instructions, and no output of the program */
	ETC_LOGGED_OUTPUT,   /* an output of the program; decided by the value, not the event */
	ETC_LOGGED_OPERATOR, /* of a kernel of the runtime */
	ETC_LOGGED_ARGUMENT, /* of a DELEGATE_CALL: an input or an output of it */
	ETC_LOGGED_DELEGATE  /* an intermediate value that a delegate logged */
};

/* One debug event of a shape. */
struct etc_logged_event {
	const struct etc_event *event;
	uint32_t index;      /* among all events of the shape */
	uint8_t what;        /* enum etc_logged_what, but OUTPUT */
	struct etc_str name; /* "add.out", "DELEGATE_CALL", the delegate's id; or empty */
	const struct etc_handles *handles; /* of the record, or NULL */
	const struct etc_place *place;     /* its nodes; never NULL */
};

/* One per debug event of the shape, in file order (etc_event.column). `places` is
 * that of the method, `method` never NULL. E0904. */
enum etc_status etc_logged_find(const struct etc_shape *shape, const struct etc_method *method,
                                struct etc_places *places, struct etc_arena *arena,
                                struct etc_logged_event **out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
