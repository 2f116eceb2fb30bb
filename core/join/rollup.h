/* rollup.h -- rolls up plugins' columns: the values of several events become the value of a row.
 * docs/plugins/abi.md, "Roll-ups", has the definition. */
#ifndef ETC_JOIN_ROLLUP_H
#define ETC_JOIN_ROLLUP_H

#include "base/arena.h"
#include "model/profile.h"

struct etc_said;

/* The columns of a row under construction; zeroed is empty. */
struct etc_rolled_column;
struct etc_rolled {
	struct etc_rolled_column *v;
	uint32_t count, room;
};

/* Adds what is said of one event, which took `time`: each column as it was declared; the
 * items of a list are distinct values of the column "metadata"; the micro-kernel that an
 * annotator inferred goes to "microkernel_inferred". `again`: it is what other runs say of an event
 * that was added, which is in no sum or mean twice. False: no memory. */
bool etc_roll(struct etc_rolled *row, const struct etc_said *said, uint64_t time, bool again,
              struct etc_arena *scratch);

/* Is there anything to add? */
bool etc_rolls(const struct etc_said *said);

/* Does the event have a column that is weighted by time? */
bool etc_rolls_time(const struct etc_parsed *parsed);

/* The rolled-up columns, as many as `rolled` has. `path` counts overflows. NULL: no memory. */
struct etc_datum *etc_rolled_end(const struct etc_rolled *rolled, struct etc_profile_path *path,
                                 struct etc_arena *arena);

#endif
