/* events.c -- see events.h */
#include "stats/events.h"

#include "stats/select.h"

enum { BLOCK = 16 }; /* events whose durations are gathered in one pass */

struct gathered {
	uint64_t *v; /* BLOCK columns, each of run_count */
	size_t n[BLOCK];
};

static void gather(const struct etc_trace *trace, const uint32_t *runs, size_t run_count,
                   uint32_t from, uint32_t events, struct gathered *g)
{
	memset(g->n, 0, sizeof g->n);
	for (size_t r = 0; r < run_count; r++) {
		size_t at = trace->runs[runs[r]].first_sample + from;

		for (uint32_t e = 0; e < events; e++) {
			uint64_t start = trace->start[at + e], end = trace->end[at + e];

			if (end >= start)
				g->v[e * run_count + g->n[e]++] = end - start;
		}
	}
}

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
}

enum etc_status etc_event_statistics(const struct etc_trace *trace, uint32_t shape,
                                     const uint32_t *runs, size_t run_count,
                                     struct etc_event_stats *out, struct etc_error *err)
{
	const struct etc_shape *s = &trace->shapes[shape];
	struct etc_arena scratch;
	struct gathered g;

	for (uint32_t i = 0; i < s->count; i++)
		if (s->events[i].kind == ETC_EVENT_PROFILE)
			out[s->events[i].column] = (struct etc_event_stats){ .event = &s->events[i],
				                                             .shape = shape,
				                                             .samples = run_count };
	etc_arena_init(&scratch, SIZE_MAX / 2);
	g.v = etc_new(&scratch, uint64_t, run_count * BLOCK);
	if (!g.v) {
		etc_arena_release(&scratch);
		return etc_fail(err, E0904, "%zu samples", run_count * BLOCK);
	}
	for (uint32_t from = 0; from < s->profiles; from += BLOCK) {
		uint32_t n = s->profiles - from < BLOCK ? s->profiles - from : BLOCK;

		gather(trace, runs, run_count, from, n, &g);
		for (uint32_t e = 0; e < n; e++)
			finish(&out[from + e], g.v + e * run_count, g.n[e]);
	}
	etc_arena_release(&scratch);
	return ETC_OK;
}
