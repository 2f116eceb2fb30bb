/* events.c -- see events.h */
#include "stats/events.h"

#include "stats/select.h"
#include "stats/typical.h"

static void finish(struct etc_event_stats *s, uint64_t *v, size_t n)
{
	s->valid = n;
	if (n == 0)
		return;
	s->min = UINT64_MAX;
	for (size_t i = 0; i < n; i++) {
		s->sum += v[i];
		s->min = v[i] < s->min ? v[i] : s->min;
		s->max = v[i] > s->max ? v[i] : s->max;
	}
	s->p10 = etc_quantile(v, n, 1);
	s->p50 = etc_quantile(v, n, 5);
	s->p90 = etc_quantile(v, n, 9);
	s->spread = etc_spread(v, n);
}

void etc_event_statistics(const struct etc_trace *trace, const uint32_t *runs, size_t run_count,
                          uint32_t from, uint32_t events, uint64_t *room,
                          struct etc_event_stats *out)
{
	size_t n[ETC_EVENTS_TOGETHER] = { 0 };

	for (size_t r = 0; r < run_count; r++) {
		size_t at = trace->runs[runs[r]].first_sample + from;

		for (uint32_t e = 0; e < events; e++) {
			uint64_t start = trace->start[at + e], end = trace->end[at + e];

			if (end >= start)
				room[e * run_count + n[e]++] = end - start;
		}
	}
	for (uint32_t e = 0; e < events; e++) {
		out[e] = (struct etc_event_stats){ .samples = run_count };
		finish(&out[e], room + e * run_count, n[e]);
	}
}
