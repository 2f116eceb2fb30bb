/* medians.h -- every run by itself: for `--stat median`, and for comparisons.
 *
 * A row's median is over all kept runs, one without the row counting 0. Such
 * numbers do not add up. */
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
	struct etc_run_value *v; /* of all runs, zeros left out */
	size_t count, room;
	uint64_t *now; /* of the run at hand, by place */
	uint32_t places, now_room;
	struct etc_run_sample *runs; /* where each run's values go whole; NULL: `v` takes them */
};

/* Memory is the arena's. `runs`: room for a sample of every kept run, or NULL. */
void etc_values_init(struct etc_run_values *v, struct etc_arena *arena,
                     struct etc_run_sample *runs);

/* A run with `rows` rows begins; false when memory is exhausted. */
bool etc_values_begin(struct etc_run_values *v, uint32_t rows);

static inline void etc_values_add(struct etc_run_values *v, uint32_t place, uint64_t value)
{
	v->now[place] += value;
}

/* Its values are kept, as those of `runs[index]` if there is such a list; false
 * when memory is exhausted. */
bool etc_values_end(struct etc_run_values *v, size_t index);

/* Sets the times of `rows` and `path` to twice their medians over `runs` runs
 * (`per` becomes 2). False when memory is exhausted. */
bool etc_values_medians(struct etc_run_values *v, size_t runs, struct etc_profile_path *path,
                        struct etc_profile_row *rows, uint32_t row_count);

#endif
