/* events.h -- every event of every path with its percentiles: `--events`.
 *
 * Durations are as they were logged, event by event in file order: no child time is
 * subtracted, and only warm-up runs are discarded. */
#ifndef ETC_STATS_EVENTS_H
#define ETC_STATS_EVENTS_H

#include "model/profile.h"

struct etc_event_stats {
	size_t samples; /* number of runs */
	size_t valid;   /* number of runs in which the event does not end before it starts */
	etc_u128 sum;   /* sum of the valid durations, in ticks */
	uint64_t min, max;
	struct etc_ratio p10, p50, p90;
	struct etc_ratio spread; /* stats/typical.h */
};

/* Number of events whose durations are gathered in one pass over memory. */
enum { ETC_EVENTS_TOGETHER = 16 };

/* Computes statistics of events [from, from + events) of a template, at most
 * ETC_EVENTS_TOGETHER, over its `runs` (indices into the trace) into `out`. `room` has a
 * column of `run_count` numbers per event. */
void etc_event_statistics(const struct etc_trace *trace, const uint32_t *runs, size_t run_count,
                          uint32_t from, uint32_t events, uint64_t *room,
                          struct etc_event_stats *out);

#endif
