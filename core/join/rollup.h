/* rollup.h -- rolls up plugins' columns: the values of several events become the value of a row.
 * docs/plugins/abi.md, "Roll-ups", has the definition. */
#ifndef ETC_JOIN_ROLLUP_H
#define ETC_JOIN_ROLLUP_H

#include "base/arena.h"
#include "model/profile.h"

struct etc_said;

/* The columns of a row under construction. A zeroed struct has no columns. */
struct etc_rolled_column;
struct etc_rolled {
	struct etc_rolled_column *v;
	uint32_t count, room;
};

/* Rolls up the answers about one event, which took `time`, into `row`. Each column is added as it
 * is declared. The items of a list are added as distinct values of the column "metadata"; the
 * micro-kernel that an annotator inferred is added as the column "microkernel_inferred". `again`:
 * the event was added before, with the answers of other runs, so it must not count twice in sums
 * and means. False: out of memory. */
bool etc_roll(struct etc_rolled *row, const struct etc_said *said, uint64_t time, bool again,
              struct etc_arena *scratch);

/* Do the plugins' answers about an event have columns to roll up? */
bool etc_rolls(const struct etc_said *said);

/* Does the event have a column that is weighted by time? */
bool etc_rolls_time(const struct etc_parsed *parsed);

/* Returns an array with one rolled-up column for each column of `rolled`. Counts overflows in
 * `path`. NULL: out of memory. */
struct etc_datum *etc_rolled_end(const struct etc_rolled *rolled, struct etc_profile_path *path,
                                 struct etc_arena *arena);

#endif
