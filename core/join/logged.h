/* logged.h -- finds the operators of logged values.
 *
 * A debug event has only a location: chain, instruction, delegate id. The operator
 * follows from the profile events around it, the program and the record. Computed once
 * per template, since it depends on names only. */
#ifndef ETC_JOIN_LOGGED_H
#define ETC_JOIN_LOGGED_H

#include "join/method.h"
#include "join/places.h"

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
	uint32_t index;      /* index among all events of the template */
	uint8_t what;        /* enum etc_logged_what, never OUTPUT */
	struct etc_str name; /* "add.out", "DELEGATE_CALL", the delegate's id; or empty */
	const struct etc_handles *handles; /* the record's handles, or NULL */
	const struct etc_place *place;     /* nodes; never NULL */
};

/* Makes one struct etc_logged_event per debug event of the template, in file order
 * (etc_event.column). `places`: the places of the nodes of `method`; `method` is never NULL.
 * E0904. */
enum etc_status etc_logged_find(const struct etc_template *template,
                                const struct etc_method *method, struct etc_places *places,
                                struct etc_arena *arena, struct etc_logged_event **out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
