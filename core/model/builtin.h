/* builtin.h -- facts about backends. The facts are compiled into etcore.
 *
 * These facts are used to explain the names of events that no plugin owns (for example with
 * `--no-plugins`), and to name backends on the screen. Users add facts about other backends as
 * rules in an INI file (model/rules.h). */
#ifndef ETC_MODEL_BUILTIN_H
#define ETC_MODEL_BUILTIN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* A data type that has two names in the events of one operator: `here` on some processors,
 * `elsewhere` on the others. XNNPACK's are QDU8 (`here`) and QD8 (`elsewhere`). */
struct etc_builtin_type {
	struct etc_str here, elsewhere;
};

/* A backend whose events are called "<operator> (<layout>, ...) <KERNEL> #<n>". The backend
 * measures durations only; the runtime makes up the start times, so that the events of a call
 * follow each other without gaps. */
struct etc_builtin {
	struct etc_str id;
	struct etc_str word;    /* the backend's name on screen, in one word */
	uint32_t resolution_ns; /* times are truncated to multiples of this number of ns */
	/* the layouts that may be in names of events; the list ends with an empty text */
	const struct etc_str *layouts;
	/* names of operators that are logged without a layout; the list ends with an empty text */
	const struct etc_str *nameless;
	/* beginnings of event names that do not tell which of several operators ran; the list ends
	 * with an empty text */
	const struct etc_str *vague;
	/* types with two names; the list ends with an empty entry */
	const struct etc_builtin_type *types;
	/* numpy names of types that the backend's partitioner never accepts */
	const struct etc_str *refused;
	/* the results of its operators differ from those of the runtime's float32 kernels by
	 * rounding only. Exception: if the model approximates a GELU by tanh, the backend computes
	 * the exact GELU. */
	bool same_formulas;
};

/* Finds a built-in backend by its id; NULL: there is none with this id. */
const struct etc_builtin *etc_builtin_of(struct etc_str id);

/* Returns all built-in backends; the last entry has an empty id. */
const struct etc_builtin *etc_builtins(void);

/* Does the operator name `op` stand for a group of operators? True if it begins with one of the
 * prefixes in `vague` of a built-in backend. */
bool etc_builtin_is_vague(struct etc_str op);

/* Returns the event name `name` with `here` of each struct etc_builtin_type replaced by
 * `elsewhere`: "Convert (NC, F32, QDU8)" becomes "Convert (NC, F32, QD8)". So an operator has one
 * name on all processors. Returns {NULL, 0} if out of memory. */
struct etc_str etc_builtin_fold(struct etc_str name, struct etc_arena *arena);

#endif
