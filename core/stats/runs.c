/* runs.c -- see runs.h */
#include "stats/runs.h"

#include "stats/estimate.h"
#include "stats/sort.h"

static void fill(struct etc_runs *runs, const struct etc_sample_group *group, double *time)
{
	size_t at = 0, d = 0;

	for (size_t i = 0; i < group->dump_count; i++) {
		const struct etc_dump_samples *dump = &group->dumps[i];

		if (dump->runs == 0)
			continue;
		runs->first[d] = at;
		runs->dump[d] = dump;
		if (runs->places)
			runs->places[d] = group->places[i];
		memcpy(time + at, dump->time, dump->runs * sizeof *time);
		for (size_t k = 0; k < dump->runs; k++)
			runs->dump_of[at++] = (uint32_t)d;
		d++;
	}
	runs->first[d] = at;
}

enum etc_status etc_runs_init(struct etc_runs *runs, const struct etc_sample_group *group,
                              struct etc_arena *arena, struct etc_error *err)
{
	double *time;

	*runs = (struct etc_runs){ 0 };
	for (size_t i = 0; i < group->dump_count; i++) {
		runs->n += group->dumps[i].runs;
		runs->dumps += group->dumps[i].runs != 0;
	}
	runs->first = etc_new(arena, size_t, runs->dumps + 1);
	runs->dump = etc_new(arena, const struct etc_dump_samples *, runs->dumps);
	runs->order = etc_new(arena, uint32_t, runs->n);
	runs->other = etc_new(arena, uint32_t, runs->n);
	runs->dump_of = etc_new(arena, uint32_t, runs->n);
	time = etc_new(arena, double, runs->n);
	runs->time = etc_new(arena, double, runs->n);
	if (runs->n > UINT32_MAX || !runs->first || !runs->dump || !runs->order || !runs->other ||
	    !runs->dump_of || !time || !runs->time)
		return etc_no_memory(err);
	if (group->places) {
		runs->places = etc_new(arena, double, runs->dumps);
		ETC_NEED(runs->places, err);
	}
	fill(runs, group, time);
	etc_sort_order(time, runs->n, runs->order, runs->other);
	for (size_t i = 0; i < runs->n; i++)
		runs->time[i] = time[runs->order[i]];
	return ETC_OK;
}

void etc_runs_row(const struct etc_runs *runs, size_t row, double *x)
{
	for (size_t d = 0; d < runs->dumps; d++) {
		const struct etc_dump_samples *dump = runs->dump[d];

		memcpy(x + runs->first[d], dump->rows + row * dump->runs, dump->runs * sizeof *x);
	}
}

/* Writes the values of some runs to `y` and their times to `time`, both in the order that
 * estimate.h defines for `stat`. With `alone`, these are the runs of dump `d`; otherwise the runs
 * of all other dumps. For a quantile, `time` is only working memory. Returns the number of runs. */
static size_t places(const struct etc_runs *runs, const double *x, uint8_t stat, size_t d,
                     bool alone, double *y, double *time)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		if ((runs->dump_of[runs->order[i]] == d) != alone)
			continue;
		time[n] = runs->time[i];
		y[n++] = x[runs->order[i]];
	}
	if (etc_estimate_part(stat) > 0)
		etc_sort(y, n, time);
	return n;
}

size_t etc_runs_places(const struct etc_runs *runs, const double *x, uint8_t stat, size_t without,
                       double *y, double *time)
{
	return places(runs, x, stat, without, false, y, time);
}

size_t etc_runs_only(const struct etc_runs *runs, const double *x, uint8_t stat, size_t only,
                     double *y, double *time)
{
	return places(runs, x, stat, only, true, y, time);
}
