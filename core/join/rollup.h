/* rollup.h -- the columns that plugins parse from metadata, row by row. */
#ifndef ETC_JOIN_ROLLUP_H
#define ETC_JOIN_ROLLUP_H

#include "base/arena.h"
#include "model/profile.h"

/* Adds what one event's metadata says to its row, as each column was declared:
 * the first value, the sum, the distinct values, or nothing once two events
 * differ. A list of items goes to the column "metadata" as distinct values.
 * False when memory is exhausted. */
bool etc_rollup(struct etc_profile_row *row, const struct etc_parsed *parsed,
                struct etc_arena *arena);

/* The same with what differs between events of one name: the micro-kernel that a
 * plugin inferred, as column "microkernel_inferred". */
bool etc_rollup_facts(struct etc_profile_row *row, const struct etc_facts *facts,
                      struct etc_arena *arena);

#endif
