/* grid.c -- see grid.h */
#include "join/grid.h"

#include "base/exact.h"

/* Number of runs of which all events are looked at. Of the other runs, only start and end are
 * looked at. */
enum { INSIDE = 16 };

static uint64_t with(uint64_t grid, uint64_t from, uint64_t to)
{
	return etc_common_divisor(grid, to > from ? to - from : from - to);
}

static uint64_t with_events(uint64_t grid, uint64_t origin, const struct etc_trace *trace,
                            size_t run)
{
	const struct etc_template *t = &trace->templates[trace->runs[run].template];
	struct etc_run_times times = etc_trace_times(trace, run);

	for (uint32_t i = 0; i < t->count && grid != 1; i++) {
		const struct etc_event *e = &t->events[i];

		if (e->kind != ETC_EVENT_PROFILE || e->expanded || etc_event_is_delegate(e))
			continue;
		grid = with(grid, origin, times.start[e->column]);
		grid = with(grid, origin, times.end[e->column]);
	}
	return grid;
}

uint64_t etc_run_grid(const struct etc_paths *paths, const struct etc_trace *trace,
                      const uint32_t *run, size_t count)
{
	uint64_t grid = 0, last = 0;

	for (size_t i = 0; i < count && grid != 1; i++) {
		uint64_t start, end;

		etc_run_span(paths, trace, run[i], &start, &end);
		grid = with(grid, start, end);
		if (i > 0)
			grid = with(grid, last, start);
		if (i < INSIDE)
			grid = with_events(grid, start, trace, run[i]);
		last = start;
	}
	return grid;
}
