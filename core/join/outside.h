/* outside.h -- `--by fallback`: describes an operator outside delegates, from the program. */
#ifndef ETC_JOIN_OUTSIDE_H
#define ETC_JOIN_OUTSIDE_H

#include "join/method.h"
#include "join/site.h"

/* Describes the operator whose instruction event is `site`, an OPERATOR_CALL. `kernel` is the name
 * of its kernel; empty: unknown. Members of the result that are unknown are empty. Shapes and types
 * are known only if the program was read completely, or if the record's graph was read with its
 * tensors. NULL: out of memory. */
const struct etc_outside *etc_outside_make(const struct etc_sites *sites, uint32_t site,
                                           struct etc_str kernel, struct etc_arena *arena);

#endif
