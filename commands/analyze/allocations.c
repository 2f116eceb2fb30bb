/* allocations.c -- makes the table of the runtime's memory allocations; see allocations.h. */
#include "commands/analyze/allocations.h"

#include "base/map.h"
#include "table/cells.h"

enum column {
	WHERE,
	PATH = ETC_ALLOCATIONS_PATH,
	ALLOCATOR,
	RUNS,
	COUNT,
	BYTES = ETC_ALLOCATIONS_BYTES,
	MOST = ETC_ALLOCATIONS_MOST,
	LARGEST,
	COLUMNS
};

/* clang-format off */
static const struct etc_column columns[COLUMNS] = {
	[WHERE]     = { .name = "where", .title = "allocations in" },
	[PATH]      = { .name = "path", .title = "path", .right = true, .optional = true },
	[ALLOCATOR] = { .name = "allocator", .title = "allocator" },
	[RUNS]      = { .name = "runs", .title = "runs", .right = true, .optional = true },
	[COUNT]     = { .cell = ETC_CELL_REAL, .name = "allocations", .title = "per run", .right = true },
	[BYTES]     = { .cell = ETC_CELL_REAL, .name = "bytes", .title = "bytes per run", .right = true },
	[MOST]      = { .cell = ETC_CELL_REAL, .name = "max_bytes", .title = "largest run", .right = true, .optional = true },
	[LARGEST]   = { .cell = ETC_CELL_REAL, .name = "largest_bytes", .title = "largest one", .right = true, .optional = true },
};
/* clang-format on */

#define OUTSIDE (UINT32_MAX - 1)
#define WARM_UP UINT32_MAX

struct sum {
	struct etc_str where, allocator;
	uint32_t path;
	uint64_t count, most, largest;
	etc_u128 bytes;
	uint64_t of_run; /* bytes allocated in run number `run` */
	size_t run;      /* number of the last run that was counted, from 1 */
};

struct maker {
	const struct etc_trace *trace;
	const struct etc_profile *profile;
	struct etc_arena *arena;
	uint32_t *path_of; /* per run: index of its path, OUTSIDE or WARM_UP */
	struct etc_map keys;
	struct sum *sums;
	uint32_t count, room;
	size_t outside; /* number of runs that execute no method */
};

static bool sort_runs(struct maker *m)
{
	const struct etc_trace *t = m->trace;

	m->path_of = etc_new(m->arena, uint32_t, t->run_count);
	if (!m->path_of)
		return false;
	for (size_t r = 0; r < t->run_count; r++)
		m->path_of[r] = OUTSIDE;
	m->outside = t->run_count;
	for (uint32_t p = 0; p < m->profile->path_count; p++) {
		const struct etc_profile_path *path = &m->profile->paths[p];

		m->outside -= path->runs;
		for (size_t i = 0; i < path->runs; i++)
			m->path_of[path->run[i]] =
				path->use[i] == ETC_USE_WARMUP ? (uint32_t)WARM_UP : p;
	}
	return true;
}

static struct sum *find(struct maker *m, const struct etc_run *run, uint32_t path, int32_t id)
{
	struct etc_str name = etc_run_allocator(etc_run_head(m->trace, run), id, m->arena), key;
	struct sum *new;
	size_t at;

	key = etc_arena_printf(m->arena, "%u " ETC_STR_FMT, path, ETC_STR_ARG(name));
	at = key.ptr ? etc_map_add(&m->keys, key, m->count) : ETC_MAP_NONE;
	if (at == ETC_MAP_NONE)
		return NULL;
	if (at < m->count)
		return &m->sums[at];
	new = ETC_APPEND(m->arena, m->sums, m->count, m->room);
	if (!new)
		return NULL;
	*new = (struct sum){ .allocator = name, .path = path };
	new->where = path == OUTSIDE                      ? ETC_STR("outside execute runs")
	             : m->profile->paths[path].method.len ? m->profile->paths[path].method
	                                                  : ETC_STR("execute");
	return new;
}

static bool add_run(struct maker *m, size_t r)
{
	const struct etc_run *run = &m->trace->runs[r];
	const struct etc_template *template = etc_run_template(m->trace, run);

	if (m->path_of[r] == WARM_UP)
		return true;
	for (uint32_t i = 0; template->allocations && i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		uint64_t bytes;
		struct sum *s;

		if (e->kind != ETC_EVENT_ALLOCATION)
			continue;
		bytes = m->trace->allocation_size[run->first_allocation + e->column];
		s = find(m, run, m->path_of[r], e->instruction_id);
		if (!s)
			return false;
		if (s->run != r + 1)
			s->of_run = 0;
		s->run = r + 1;
		s->count++;
		s->bytes += bytes;
		if (__builtin_add_overflow(s->of_run, bytes, &s->of_run))
			s->of_run = UINT64_MAX;
		s->most = s->of_run > s->most ? s->of_run : s->most;
		s->largest = bytes > s->largest ? bytes : s->largest;
	}
	return true;
}

enum etc_status etc_view_allocations(const struct etc_trace *trace,
                                     const struct etc_profile *profile, struct etc_arena *arena,
                                     struct etc_table *out, struct etc_error *err)
{
	struct maker m = { .trace = trace, .profile = profile, .arena = arena };
	bool ok;

	*out = (struct etc_table){ .columns = columns, .column_count = COLUMNS };
	if (trace->allocation_count == 0)
		return ETC_OK;
	etc_map_init(&m.keys, arena);
	ok = sort_runs(&m);
	for (size_t r = 0; r < trace->run_count && ok; r++)
		ok = add_run(&m, r);
	out->cells = ok ? etc_new(arena, struct etc_cell, (size_t)m.count * COLUMNS) : NULL;
	ETC_NEED(out->cells, err);
	out->row_count = m.count;
	for (uint32_t i = 0; i < m.count; i++) {
		const struct sum *s = &m.sums[i];
		struct etc_cell *c = &out->cells[(size_t)i * COLUMNS];
		size_t runs = s->path == OUTSIDE ? m.outside : profile->paths[s->path].kept;

		c[WHERE] = etc_cell_text(s->where);
		if (s->path != OUTSIDE)
			c[PATH] = etc_cell_u64(profile->paths[s->path].number);
		c[ALLOCATOR] = etc_cell_text(s->allocator);
		c[RUNS] = etc_cell_u64(runs);
		c[COUNT] = etc_cell_ratio(etc_ratio(s->count, runs));
		c[BYTES] = etc_cell_ratio(etc_ratio(s->bytes, runs));
		c[MOST] = etc_cell_u64(s->most);
		c[LARGEST] = etc_cell_u64(s->largest);
	}
	return ETC_OK;
}
