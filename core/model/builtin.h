/* builtin.h -- what is known of backends without a plugin and without a record: the one table
 * beside the rules of INI files. `--no-plugins` goes by it. */
#ifndef ETC_MODEL_BUILTIN_H
#define ETC_MODEL_BUILTIN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* A type of a name, and what the same work has in its place on other processors. */
struct etc_builtin_type {
	struct etc_str here, elsewhere;
};

/* A backend whose events are called "<operator> (<layout>, ...) <KERNEL> #<n>". Their starts are
 * laid end to end, within the call's time. */
struct etc_builtin {
	struct etc_str id;
	struct etc_str word;            /* on screen */
	uint32_t resolution_ns;         /* its times are cut off to whole multiples */
	const struct etc_str *layouts;  /* an empty one ends each list */
	const struct etc_str *nameless; /* operators without a layout */
	const struct etc_str *vague; /* how names begin that say a sort of operators, not which */
	const struct etc_builtin_type *types; /* an empty one at the end */
	const struct etc_str
		*refused; /* types, as numpy has them, that its partitioner never takes */
};

/* By the backend's id; NULL: nothing is known of it. */
const struct etc_builtin *etc_builtin_of(struct etc_str id);

/* All of them, the empty id at the end. */
const struct etc_builtin *etc_builtins(void);

/* Is it a name that one of them gives to any operator of a sort? */
bool etc_builtin_is_vague(struct etc_str op);

/* `name` with the first of each of their types as other processors have it. {NULL, 0}: no
 * memory. */
struct etc_str etc_builtin_fold(struct etc_str name, struct etc_arena *arena);

#endif
