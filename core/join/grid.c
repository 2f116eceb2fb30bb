/* grid.c -- see grid.h */
#include "join/grid.h"

#include "base/exact.h"

#include <math.h>
#include <stdlib.h>

/* Number of runs of which the times of all events are examined. Of the other runs, only start and
 * end are examined. */
enum { INSIDE = 16 };

enum {
	/* number of distances between two times that are used to decide whether times are
	 * rounded */
	DISTANCES = 1024,
	PARTS = 16 /* the shortest distance is assumed to be at most this many ticks */
};
/* Distances of more than this number of ticks between two times are not used, because the rate of a
 * clock is adjusted all the time. */
static const double TICKS = 4096;
/* least length of a tick, in units. If ticks seem to be shorter, times do not count as rounded to
 * ticks. */
static const double LEAST = 4;
/* Even for a wrong length of the tick, a distance can be a multiple of this length by chance: the
 * probability is 2 units / length. A length is accepted only if the probability that all distances
 * fit by chance is at most CHANCE. */
static const double CHANCE = 1e-6;

struct reader {
	uint64_t grid, distance[DISTANCES];
	size_t count;
};

static void add(struct reader *r, uint64_t from, uint64_t to)
{
	const uint64_t distance = to > from ? to - from : from - to;

	r->grid = etc_common_divisor(r->grid, distance);
	if (distance && r->count < DISTANCES)
		r->distance[r->count++] = distance;
}

static bool is_full(const struct reader *r)
{
	return r->grid == 1 && r->count == DISTANCES;
}

static void add_events(struct reader *r, uint64_t origin, const struct etc_trace *trace, size_t run)
{
	const struct etc_template *t = &trace->templates[trace->runs[run].template];
	struct etc_run_times times = etc_trace_times(trace, run);
	uint64_t last = origin;

	for (uint32_t i = 0; i < t->count && !is_full(r); i++) {
		const struct etc_event *e = &t->events[i];

		if (e->kind != ETC_EVENT_PROFILE || e->expanded || etc_event_is_delegate(e))
			continue;
		add(r, last, times.start[e->column]);
		add(r, times.start[e->column], times.end[e->column]);
		last = times.end[e->column];
	}
}

/* Narrows the range [low, high], in which the length of a tick lies, with one distance (between two
 * logged times) after another, in ascending order. A distance that may be two different multiples
 * of the tick is skipped. Returns false if a distance is not a multiple of the tick, or if all
 * distances may be multiples by chance. */
static bool fits(const uint64_t *distance, size_t n, double *low, double *high)
{
	double chance = 1;

	for (size_t i = 1; i < n && (double)distance[i] < TICKS * *low; i++) {
		const double d = (double)distance[i], least = ceil((d - 1) / *high),
			     most = floor((d + 1) / *low);

		if (least > most)
			return false;
		if (least < most || least < 1 || distance[i] == distance[i - 1])
			continue;
		*low = fmax(*low, (d - 1) / least);
		*high = fmin(*high, (d + 1) / least);
		chance *= 2 / *low;
	}
	return chance <= CHANCE;
}

double etc_rounded_tick(uint64_t *distance, size_t n)
{
	size_t from = 0;

	qsort(distance, n, sizeof *distance, etc_by_u64);
	/* skip distances of at most one unit: both times may be in the same tick */
	while (from < n && distance[from] <= 1)
		from++;
	for (unsigned parts = 1; from < n && parts <= PARTS; parts++) {
		const double first = (double)distance[from];
		double low = (first - 1) / parts, high = (first + 1) / parts;

		if (low < LEAST)
			break;
		if (fits(distance + from, n - from, &low, &high))
			return (low + high) / 2;
	}
	return 0;
}

double etc_run_grid(const struct etc_paths *paths, const struct etc_trace *trace,
                    const uint32_t *run, size_t count)
{
	struct reader r = { 0 };
	uint64_t last = 0;
	double tick;

	for (size_t i = 0; i < count && !is_full(&r); i++) {
		uint64_t start, end;

		etc_run_span(paths, trace, run[i], &start, &end);
		add(&r, start, end);
		if (i > 0)
			add(&r, last, start);
		if (i < INSIDE)
			add_events(&r, start, trace, run[i]);
		last = start;
	}
	for (size_t i = 0; i < r.count; i++)
		r.distance[i] /= r.grid;
	tick = etc_rounded_tick(r.distance, r.count);
	return (double)r.grid * (tick > 0 ? tick : 1);
}
