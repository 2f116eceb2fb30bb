/* events.h -- every event of every path with its percentiles: `--events`.
 *
 * Nothing is subtracted and nothing left out but the warm-up: these are the
 * durations as they were logged, event by event of a shape, in file order. */
#ifndef ETC_STATS_EVENTS_H
#define ETC_STATS_EVENTS_H

#include "model/profile.h"

struct etc_event_stats {
	size_t samples, valid; /* runs; those in which it ends after it starts */
	etc_u128 sum;          /* of the valid ones, in ticks */
	uint64_t min, max;
	struct etc_ratio p10, p50, p90;
	struct etc_ratio spread; /* stats/typical.h */
};

/* Of so many events durations are gathered in one pass, so that memory is read once. */
enum { ETC_EVENTS_TOGETHER = 16 };

/* Profile events [from, from + events) of a shape, ETC_EVENTS_TOGETHER at most, over its
 * `runs` (indices into the trace) into `out`. `room`: for as many columns of
 * `run_count` numbers as there are events. */
void etc_event_statistics(const struct etc_trace *trace, const uint32_t *runs, size_t run_count,
                          uint32_t from, uint32_t events, uint64_t *room,
                          struct etc_event_stats *out);

#endif
