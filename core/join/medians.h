/* medians.h -- the values of single runs, for `--stat median` and for comparisons.
 *
 * A row's median is over all kept runs; a run without the row counts as 0. Medians are
 * not additive. */
#ifndef ETC_JOIN_MEDIANS_H
#define ETC_JOIN_MEDIANS_H

#include "base/arena.h"
#include "model/profile.h"

struct etc_run_value {
	uint32_t place;
	uint64_t value;
};

struct etc_run_values {
	struct etc_arena *arena;
	struct etc_run_value *v; /* values of all runs, without zeros */
	size_t count, room;
	/* now[i] is a value of the current run: i is one of the enum ETC_VALUES_*, or, for the
	 * time of a row, ETC_VALUES_ROWS + the row's index. `places`: number of values. */
	uint64_t *now;
	uint32_t places, now_room;
	struct etc_run_sample *runs; /* receives complete runs; NULL: values go to `v` */
};

/* Prepares an empty `v`. Memory is the arena's. `runs` has room for one element per kept run. If it
 * is NULL, all values are kept in `v`. */
void etc_values_init(struct etc_run_values *v, struct etc_arena *arena,
                     struct etc_run_sample *runs);

/* Prepares `v` for the values of a run, one for each of `rows` rows; false if out of memory. */
bool etc_values_begin(struct etc_run_values *v, uint32_t rows);

static inline void etc_values_add(struct etc_run_values *v, uint32_t place, uint64_t value)
{
	v->now[place] += value;
}

/* Ends the run and keeps its values, in v->runs[index] unless v->runs is NULL. False: out of
 * memory. */
bool etc_values_end(struct etc_run_values *v, size_t index);

/* Sets the times of `rows` and `path` to twice their medians over `runs` runs (path->per becomes
 * 2). False if out of memory. */
bool etc_values_medians(struct etc_run_values *v, size_t runs, struct etc_profile_path *path,
                        struct etc_profile_row *rows, uint32_t row_count);

#endif
