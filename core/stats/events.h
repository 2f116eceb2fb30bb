/* events.h -- every event of every path with its percentiles: `--events`.
 *
 * Nothing is subtracted and nothing left out but the warm-up: these are the
 * durations as they were logged, event by event of a shape, in file order. */
#ifndef ETC_STATS_EVENTS_H
#define ETC_STATS_EVENTS_H

#include "base/arena.h"
#include "base/error.h"
#include "model/profile.h"

struct etc_event_stats {
	const struct etc_event *event;
	uint32_t shape;
	size_t samples, valid; /* runs; those in which it ends after it starts */
	etc_u128 sum;          /* of the valid ones, in ticks */
	uint64_t min, max;
	struct etc_ratio p10, p50, p90;
};

/* Profile events of one shape over `runs` (indices into the trace); `out` has
 * room for all of them. Columns of few runs are gathered in blocks, so memory
 * is read once. E0904. */
enum etc_status etc_event_statistics(const struct etc_trace *trace, uint32_t shape,
                                     const uint32_t *runs, size_t run_count,
                                     struct etc_event_stats *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
