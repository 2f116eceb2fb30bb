/* typical.h -- which runs are typical, and the numbers of the header.
 *
 * The first runs of a path are set aside as warm-up. Of the rest, sorted by
 * time (equal times in file order), a quarter is left out at each end: the
 * typical run is the mean over the middle half. Below four runs nothing is
 * left out. */
#ifndef ETC_STATS_TYPICAL_H
#define ETC_STATS_TYPICAL_H

#include "base/arena.h"
#include "base/error.h"
#include "model/profile.h"

struct etc_typical {
	size_t warmup, kept, typical;       /* runs; typical: those whose rows count */
	etc_u128 kept_time;                 /* sum over the kept runs */
	struct etc_ratio median, mean, p90; /* over the kept runs */
	uint64_t max;
};

/* `samples` in file order, n > 0. `use[i]` is an enum etc_run_use: WARMUP on the
 * way in sets a run aside, the others are decided here by `stat`; at least one
 * must be kept. `scratch` holds one more copy of the samples. E0904. */
enum etc_status etc_typical_runs(const uint64_t *samples, size_t n, uint8_t stat, uint8_t *use,
                                 struct etc_typical *out, struct etc_arena *scratch,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
