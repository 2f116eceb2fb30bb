/* measure.h -- the rows of one path: sums over its typical runs.
 *
 * Sums are kept per event as long as the nest holds, and go to the rows when it
 * changes or the shape is done: what is linear in the times is added up once
 * per event, only what is not (rounding, bounds) once per run. */
#ifndef ETC_JOIN_MEASURE_H
#define ETC_JOIN_MEASURE_H

#include "base/map.h"
#include "join/nest.h"

struct etc_measure {
	struct etc_arena *arena;       /* of the rows */
	struct etc_profile_path *path; /* its sums are filled in */
	uint32_t number;               /* of the path, for the rows */
	struct etc_map names;          /* row key -> row */
	struct etc_profile_row *rows;
	uint32_t row_count, row_room;
	struct etc_text *key; /* scratch */
};

struct etc_measured_run {
	size_t run; /* in the trace */
	uint64_t time;
	uint8_t use; /* enum etc_run_use */
};

void etc_measure_init(struct etc_measure *m, struct etc_arena *arena, struct etc_profile_path *path,
                      uint32_t number);

/* Adds runs of one shape: `sites` are its. `scratch` may be released after. */
enum etc_status etc_measure_shape(struct etc_measure *m, const struct etc_trace *trace,
                                  const struct etc_sites *sites,
                                  const struct etc_measured_run *runs, size_t count,
                                  struct etc_arena *scratch, struct etc_error *err) ETC_MUST_CHECK;

/* Ranks the rows (attached first, self time down, unknown last, then first
 * appearance) and drops empty ones. */
void etc_measure_finish(struct etc_measure *m);

#endif
