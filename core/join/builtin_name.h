/* builtin_name.h -- recognises the names under which a built-in backend (model/builtin.h) logs its
 * operators. */
#ifndef ETC_JOIN_BUILTIN_NAME_H
#define ETC_JOIN_BUILTIN_NAME_H

#include "base/arena.h"
#include "model/builtin.h"

/* Returns the built-in backend whose operators have names of the form that `name` has; NULL: there
 * is none. */
const struct etc_builtin *etc_builtin_named(struct etc_str name);

/* Does the name end in " #n", as the operator names of built-in backends do? */
bool etc_name_has_ordinal(struct etc_str name);

/* Returns the name without " #n" at its end. */
struct etc_str etc_name_without_ordinal(struct etc_str name, struct etc_arena *arena);

#endif
