/* methods_table.c -- the methods of a dump with their loads and paths; see machine.h */
#include <math.h>
#include <stdlib.h>

#include "table/cells.h"
#include "commands/analyze/machine.h"

static const struct etc_column path_columns[] = {
#define COLUMN(key, kind, value)      { .name = key, .cell = ETC_CELL_##kind },
#define TIME_COLUMN(key, kind, value) COLUMN(key, kind, value)
#define RAW_COLUMN(key, kind, value)  { .name = key, .cell = ETC_CELL_##kind, .extra = true },
#define TRACER_COLUMN(key, value)     { .name = key, .cell = ETC_CELL_BLANK, .extra = true },
#include "commands/analyze/path_columns.def"
};

enum { PATH_COLUMNS = sizeof path_columns / sizeof path_columns[0] };

/* Returns the part of the path's time per run that was subtracted as the tracer's cost. `cost`
 * selects the cost (ETC_COST) or one end of its interval. Blank: unknown. */
static struct etc_cell tracer_part(const struct etc_profile_path *p,
                                   const struct etc_tracer_cost *t, unsigned cost)
{
	return isnan(t->ns[cost]) ? etc_cell_blank()
	                          : etc_cell_ratio(etc_ratio(p->subtracted.of[cost], p->per));
}

static void fill_path(const struct etc_profile_path *p, uint8_t unit,
                      const struct etc_tracer_cost *t, struct etc_cell *c)
{
	const bool ns = unit == ETC_UNIT_NS;

#define COLUMN(key, kind, value)      *c++ = value;
#define TIME_COLUMN(key, kind, value) *c++ = ns ? value : etc_cell_blank();
#define RAW_COLUMN(key, kind, value)  *c++ = ns ? etc_cell_blank() : value;
#define TRACER_COLUMN(key, value)     *c++ = t ? value : etc_cell_blank();
#include "commands/analyze/path_columns.def"
}

/* A method and the time by which it is ranked. */
struct method {
	struct etc_str name;
	etc_u128 time;
	uint32_t first; /* index of the method's first path */
};

static int by_time(const void *a, const void *b)
{
	const struct method *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Finds the distinct methods of the paths, in descending order of the time of their kept runs.
 * Returns their number. */
static uint32_t find_methods(const struct etc_profile *profile, struct method *methods)
{
	uint32_t n = 0;

	for (uint32_t p = 0; p < profile->path_count; p++) {
		uint32_t m = 0;

		while (m < n && !etc_str_eq(methods[m].name, profile->paths[p].method))
			m++;
		if (m == n)
			methods[n++] = (struct method){ profile->paths[p].method, 0, p };
		methods[m].time += profile->paths[p].kept_time;
	}
	if (n)
		qsort(methods, n, sizeof *methods, by_time);
	return n;
}

static enum etc_status fill_loads(const struct etc_profile *profile, const struct method *of,
                                  bool only, struct etc_arena *arena, struct etc_report_method *m,
                                  struct etc_error *err)
{
	struct etc_cell *loads = etc_new(arena, struct etc_cell, profile->load_count);

	ETC_NEED(loads, err);
	for (size_t i = 0; i < profile->load_count; i++) {
		const struct etc_profile_load *l = &profile->loads[i];

		if (!only && !(l->method.len && etc_str_eq(l->method, of->name)))
			continue;
		if (l->valid && profile->unit == ETC_UNIT_NS)
			loads[m->load_count] = etc_cell_ratio(etc_ratio(l->time, profile->den));
		m->load_count++;
	}
	m->loads = loads;
	if (m->load_count)
		m->load = loads[0];
	return ETC_OK;
}

static enum etc_status fill_paths(const struct etc_profile *profile, const struct method *of,
                                  struct etc_arena *arena, struct etc_report_method *m,
                                  struct etc_error *err)
{
	bool ns = profile->unit == ETC_UNIT_NS;
	const uint64_t **samples;
	size_t *counts;
	uint32_t n = 0, to = 0;

	for (uint32_t p = 0; p < profile->path_count; p++)
		n += etc_str_eq(profile->paths[p].method, of->name);
	samples = etc_new(arena, const uint64_t *, n);
	counts = etc_new(arena, size_t, n);
	ETC_NEED(samples && counts, err);
	ETC_TRY(etc_table_make(&m->paths, path_columns, PATH_COLUMNS, n, arena, err));
	for (uint32_t p = 0; p < profile->path_count; p++) {
		const struct etc_profile_path *path = &profile->paths[p];

		if (!etc_str_eq(path->method, of->name))
			continue;
		fill_path(path, profile->unit, profile->tracer,
		          &m->paths.cells[(size_t)to * PATH_COLUMNS]);
		samples[to] = path->samples;
		counts[to++] = path->runs;
	}
	m->samples = ns && !profile->tracer ? samples : NULL;
	m->samples_den = profile->den;
	m->sample_counts = counts;
	return ETC_OK;
}

enum etc_status etc_view_methods(const struct etc_profile *profile, struct etc_arena *arena,
                                 const struct etc_report_method **out, uint32_t *count,
                                 struct etc_error *err)
{
	struct method *methods = etc_new(arena, struct method, (size_t)profile->path_count + 1);
	uint32_t n = methods ? find_methods(profile, methods) : 0;
	struct etc_report_method *m;

	n = n ? n : profile->run_count > 0;
	m = etc_new(arena, struct etc_report_method, n);
	*out = m;
	*count = n;
	ETC_NEED(methods && m, err);
	for (uint32_t i = 0; i < n; i++) {
		m[i].name = etc_cell_text(methods[i].name);
		ETC_TRY(fill_loads(profile, &methods[i], n == 1, arena, &m[i], err));
		ETC_TRY(fill_paths(profile, &methods[i], arena, &m[i], err));
	}
	return ETC_OK;
}
