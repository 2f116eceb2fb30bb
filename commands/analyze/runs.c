/* runs.c -- makes the tables of `--by run`, `--by file` and `--by method`; see runs.h */
#include "commands/analyze/runs.h"

#include <stdlib.h>

#include "model/settings.h"
#include "profile/remarks.h"
#include "stats/typical.h"
#include "table/cells.h"
#include "commands/analyze/declared.h"
#include "table/words.h"

enum column {
	KEY,
	NAME,
	METHOD,
	PATH,
	CALLS,
	SELF,
	SELF_MAX,
	TOTAL,
	SHARE,
	BACKEND,
	CATEGORY,
	KERNEL,
	LIBRARY,
	UNIT,
	CLOCK,
	DETACHED,
	SPREAD,
	TOTAL_RAW,
	FILE_NAME,
	USE,
	WARMUP,
	MEDIAN,
	MEAN,
	P90,
	MAX,
	LAYOUT, /* shown only for truncated files */
	COLUMNS
};

/* clang-format off */
#define TIME .style = ETC_STYLE_TIME, .right = true
static const struct etc_column columns[COLUMNS] = {
	[KEY]       = { .name = "key", .title = "run", .help = "what the row stands for" },
	[NAME]      = { .name = "name", .title = "what", .help = "its name" },
	[METHOD]    = { .name = "method", .title = "method", .help = "method of the program" },
	[PATH]      = { .name = "path", .title = "path", .right = true, .help = "execution path, from 1" },
	[CALLS]     = { .cell = ETC_CELL_REAL, .name = "calls", .title = "runs", .right = true, .help = "runs" },
	[SELF]      = { .name = "self_ns", .title = "self", TIME, .help = "time of all attributed events per run, of a whole path" },
	[SELF_MAX]  = { .name = "self_max_ns", .title = "self_max", TIME, .help = "always unknown" },
	[TOTAL]     = { .name = "total_ns", .title = "per run", TIME, .help = "execute time" },
	[SHARE]     = { .name = "share", .title = "share", .style = ETC_STYLE_SHARE, .right = true, .help = "of the execute time of all kept runs" },
	[BACKEND]   = { .name = "backend", .title = "on", .help = "always unknown" },
	[CATEGORY]  = { .name = "category", .title = "category", .help = "always unknown" },
	[KERNEL]    = { .name = "kernel", .title = "kernel", .help = "always unknown" },
	[LIBRARY]   = { .name = "kernel_library", .title = "library", .help = "always unknown" },
	[UNIT]      = { .name = "unit", .title = "unit", .help = "of the raw numbers" },
	[CLOCK]     = { .name = "clock", .title = "clock", .help = "host" },
	[DETACHED]  = { .cell = ETC_CELL_BOOL, .name = "detached", .title = "detached", .help = "false" },
	[SPREAD]    = { .name = "self_spread", .title = "spread", .style = ETC_STYLE_SHARE, .right = true, .help = "how total varies from kept run to run: 1.4826 median absolute deviations / median" },
	[TOTAL_RAW] = { .name = "total_raw", .title = "ticks per run", .right = true, .extra = true, .help = "execute time in the dump's own unit" },
	[FILE_NAME] = { .name = "file", .title = "file", .extra = true, .help = "the dump" },
	[USE]       = { .name = "use", .title = "use", .extra = true, .help = "warm-up, kept, or typical: in the rows of other tables" },
	[WARMUP]    = { .name = "warmup", .title = "set aside", .right = true, .extra = true, .optional = ETC_COLUMN_AGAIN, .help = "runs of warm-up" },
	[MEDIAN]    = { .name = "median_ns", .title = "median", TIME, .extra = true, .help = "over the kept runs" },
	[MEAN]      = { .name = "mean_ns", .title = "mean", TIME, .extra = true, .optional = ETC_COLUMN_AGAIN, .help = "over the kept runs" },
	[P90]       = { .name = "p90_ns", .title = "p90", TIME, .extra = true, .optional = ETC_COLUMN_AGAIN, .help = "over the kept runs" },
	[MAX]       = { .name = "max_ns", .title = "max", TIME, .extra = true, .optional = ETC_COLUMN_AGAIN, .help = "over the kept runs" },
	[LAYOUT]    = { .name = "layout", .title = "layout", .extra = true, .help = "of a run out of a cut file: own vtables, or layout inferred" },
};
/* clang-format on */

const char *etc_runs_columns(uint8_t by, bool several_files, bool salvaged)
{
	if (by == ETC_BY_RUN && salvaged)
		return several_files ? "name,method,path,total_ns,total_raw,use,file,layout"
		                     : "name,method,path,total_ns,total_raw,use,layout";
	if (by == ETC_BY_RUN)
		return several_files ? "name,method,path,total_ns,total_raw,use,file"
		                     : "name,method,path,total_ns,total_raw,use";
	if (by == ETC_BY_FILE)
		return "name,method,path,calls,warmup,total_ns,total_raw,median_ns,mean_ns,p90_ns,"
		       "max_ns,share";
	return "name,calls,warmup,total_ns,total_raw,median_ns,mean_ns,p90_ns,max_ns,share";
}

struct run {
	uint32_t part, file, path;
	size_t number; /* index of the run in the trace */
	uint64_t time;
	uint8_t use;
	size_t group;
};

/* The runs that one row stands for. */
struct group {
	size_t first, count; /* range of the group's runs in the sorted list of runs */
	etc_u128 kept;
};

struct maker {
	const struct etc_runs_part *parts;
	uint8_t by;
	struct etc_arena *arena;
	struct etc_declared_columns declared;
	const struct etc_column *columns; /* columns of plugins */
	/* number of the table's own columns; plugins' columns follow */
	uint32_t width;
	struct run *runs;
	size_t run_count;
	struct group *groups;
	size_t group_count;
	etc_u128 kept;
};

static const struct etc_profile_path *path_of(const struct maker *m, const struct run *r)
{
	return &m->parts[r->part].profile->paths[r->path];
}

static struct etc_str file_of(const struct maker *m, const struct run *r)
{
	return m->parts[r->part].files[r->file];
}

static int in_file(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int in_group(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return in_file(a, b);
}

static enum etc_status gather(struct maker *m, uint32_t parts, struct etc_error *err)
{
	size_t n = 0;

	for (uint32_t i = 0; i < parts; i++)
		for (uint32_t p = 0; p < m->parts[i].profile->path_count; p++)
			n += m->parts[i].profile->paths[p].runs;
	m->runs = etc_new(m->arena, struct run, n);
	ETC_NEED(m->runs, err);
	for (uint32_t i = 0; i < parts; i++)
		for (uint32_t p = 0; p < m->parts[i].profile->path_count; p++) {
			const struct etc_profile_path *path = &m->parts[i].profile->paths[p];

			for (size_t r = 0; r < path->runs; r++) {
				uint32_t file =
					m->parts[i].file ? m->parts[i].file[path->run[r]] : 0;

				m->runs[m->run_count++] = (struct run){
					i, file, p, path->run[r], path->samples[r], path->use[r], 0
				};
				m->kept += path->use[r] == ETC_USE_WARMUP ? 0 : path->samples[r];
			}
		}
	if (n)
		qsort(m->runs, n, sizeof *m->runs, in_file);
	return ETC_OK;
}

/* Numbers the groups by first appearance, then sorts runs by group. */
static enum etc_status group(struct maker *m, struct etc_error *err)
{
	struct etc_map keys;

	etc_map_init(&keys, m->arena);
	for (size_t i = 0; i < m->run_count; i++) {
		struct run *r = &m->runs[i];
		struct etc_str key = path_of(m, r)->method;

		if (m->by == ETC_BY_RUN)
			key = etc_arena_printf(m->arena, "%zu", i);
		else if (m->by == ETC_BY_FILE)
			key = etc_arena_printf(m->arena, "%u.%u.%u", r->part, r->file, r->path);
		/* runs of unknown method may be of different methods, so they are grouped by
		 * path */
		else if (!key.len)
			key = etc_arena_printf(m->arena, "%u.%u", r->part, r->path);
		r->group = etc_map_add(&keys, key, m->group_count);
		if (r->group == ETC_MAP_NONE || (!key.ptr && key.len))
			return etc_no_memory(err);
		m->group_count += r->group == m->group_count;
	}
	if (m->run_count)
		qsort(m->runs, m->run_count, sizeof *m->runs, in_group);
	m->groups = etc_new(m->arena, struct group, m->group_count);
	ETC_NEED(m->groups, err);
	for (size_t i = 0; i < m->run_count; i++) {
		struct group *g = &m->groups[m->runs[i].group];

		g->first = g->count ? g->first : i;
		g->count++;
		g->kept += m->runs[i].use == ETC_USE_WARMUP ? 0 : m->runs[i].time;
	}
	return ETC_OK;
}

static int by_time(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->kept != y->kept)
		return x->kept > y->kept ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Returns the statistic that --stat selects, over the `n` runs of a group, as an exact ratio: the
 * median, the sum, or the mean of the typical runs. */
static struct etc_ratio headline(uint8_t stat, const struct etc_typical *t, const uint64_t *times,
                                 const uint8_t *use, size_t n)
{
	etc_u128 sum = 0;

	if (stat == ETC_STAT_MEDIAN)
		return t->median;
	for (size_t i = 0; i < n; i++)
		sum += use[i] == ETC_USE_TYPICAL ? times[i] : 0;
	return etc_ratio(sum, stat == ETC_STAT_TOTAL ? 1 : t->typical);
}

static enum etc_status fill_statistics(const struct maker *m, const struct group *g,
                                       struct etc_cell *c, struct etc_error *err)
{
	uint8_t stat = m->parts[0].profile->stat, *use;
	const struct etc_profile *profile = m->parts[m->runs[g->first].part].profile;
	bool ns = profile->unit == ETC_UNIT_NS;
	uint64_t den = profile->den;
	struct etc_ratio total;
	struct etc_typical t;
	struct etc_arena scratch;
	enum etc_status st;
	uint64_t *times;

	etc_arena_init(&scratch, m->arena->budget);
	times = etc_new(&scratch, uint64_t, g->count);
	use = etc_new(&scratch, uint8_t, g->count);
	st = times && use ? ETC_OK : etc_no_memory(err);
	for (size_t i = 0; st == ETC_OK && i < g->count; i++) {
		times[i] = m->runs[g->first + i].time;
		use[i] = m->runs[g->first + i].use;
	}
	/* If all runs of the group were set aside as warm-up, they are used nevertheless. */
	if (st == ETC_OK && g->kept == 0)
		memset(use, ETC_USE_KEPT, g->count);
	if (st == ETC_OK)
		st = etc_typical_runs(times, g->count, stat, use, &t, &scratch, err);
	if (st == ETC_OK) {
		c[CALLS] = etc_cell_u64(g->count);
		c[WARMUP] = etc_cell_u64(t.warmup);
		if (t.spread.den > 0)
			c[SPREAD] = etc_cell_ratio(t.spread);
		total = headline(stat, &t, times, use, g->count);
		c[ns ? TOTAL : TOTAL_RAW] = etc_cell_ratio(etc_ratio(total.num, total.den * den));
	}
	if (st == ETC_OK && ns) {
		c[MEDIAN] = etc_cell_ratio(etc_ratio(t.median.num, t.median.den * den));
		c[MEAN] = etc_cell_ratio(etc_ratio(t.mean.num, t.mean.den * den));
		c[P90] = etc_cell_ratio(etc_ratio(t.p90.num, t.p90.den * den));
		c[MAX] = etc_cell_ratio(etc_ratio(t.max, den));
	}
	etc_arena_release(&scratch);
	return st;
}

/* Returns the path whose runs are exactly those of the group; NULL: there is no such path. */
static const struct etc_profile_path *whole_path(const struct maker *m, const struct group *g)
{
	const struct etc_profile_path *path = path_of(m, &m->runs[g->first]);

	return g->count == path->runs && path_of(m, &m->runs[g->first + g->count - 1]) == path
	               ? path
	               : NULL;
}

/* Fills the columns of plugins if the group consists of all runs of one path. For other groups,
 * plugins' values are not known, since they are computed over all typical runs of a path. */
static enum etc_status fill_declared(const struct maker *m, const struct group *g,
                                     struct etc_cell *c, struct etc_error *err)
{
	const struct etc_profile_path *path = whole_path(m, g);

	for (uint32_t k = 0; path && k < path->column_count; k++) {
		size_t at = etc_map_get(&m->declared.at, path->columns[k].name);
		struct etc_cell *to = &c[m->width + at];

		*to = etc_declared_cell(&m->columns[at], &path->columns[k], m->arena);
		if (to->kind == UINT8_MAX)
			return etc_no_memory(err);
	}
	return ETC_OK;
}

/* Fills the column self_ns if the group consists of all runs of one path. */
static void fill_self(const struct maker *m, const struct group *g, struct etc_cell *c)
{
	const struct etc_profile_path *path = whole_path(m, g);

	if (path && m->parts[m->runs[g->first].part].profile->unit == ETC_UNIT_NS)
		c[SELF] = etc_cell_ratio(
			etc_ratio(path->time - path->rounding - path->unattributed, path->per));
}

static struct etc_cell layout_of(uint8_t layout)
{
	if (layout == ETC_RUN_WHOLE)
		return (struct etc_cell){ .kind = ETC_CELL_BLANK };
	return etc_cell_text(layout == ETC_RUN_OWN ? ETC_STR("own") : ETC_STR("inferred"));
}

static struct etc_str unknown_name(const struct maker *m, const struct run *r)
{
	if (m->parts[r->part].profile->path_count == 1)
		return ETC_STR("(unknown method)");
	return etc_arena_printf(m->arena, "(unknown method), path %u", path_of(m, r)->number);
}

static enum etc_status fill(const struct maker *m, const struct group *g, size_t number,
                            struct etc_cell *c, struct etc_error *err)
{
	static const char *const uses[] = { "warm-up", "kept", "typical" };
	const struct run *r = &m->runs[g->first];
	uint8_t unit = m->parts[r->part].profile->unit;
	struct etc_str name = path_of(m, r)->method;

	if (m->by == ETC_BY_FILE)
		name = file_of(m, r);
	else if (m->by == ETC_BY_RUN)
		name = etc_arena_printf(m->arena, "run %zu", number + 1);
	else if (!name.len)
		name = unknown_name(m, r);
	ETC_NEED(name.ptr, err);
	c[KEY] = c[NAME] = etc_cell_text(name);
	c[METHOD] = etc_cell_text(path_of(m, r)->method);
	c[UNIT] = etc_cell_text(etc_str_of(etc_unit_name(unit)));
	c[CLOCK] = etc_cell_text(ETC_STR("host"));
	c[DETACHED] = etc_cell_bool(false);
	ETC_TRY(fill_declared(m, g, c, err));
	if (m->by != ETC_BY_METHOD) {
		c[PATH] = etc_cell_u64(path_of(m, r)->number);
		c[FILE_NAME] = etc_cell_text(file_of(m, r));
	}
	if (r->use != ETC_USE_WARMUP || m->by != ETC_BY_RUN)
		c[SHARE] = etc_cell_ratio(etc_ratio(g->kept, m->kept));
	if (m->by != ETC_BY_RUN) {
		fill_self(m, g, c);
		return fill_statistics(m, g, c, err);
	}
	if (m->parts[r->part].layout)
		c[LAYOUT] = layout_of(m->parts[r->part].layout[r->number]);
	c[CALLS] = etc_cell_u64(1);
	c[USE] = etc_cell_text(etc_str_of(uses[r->use]));
	c[unit == ETC_UNIT_NS ? TOTAL : TOTAL_RAW] =
		etc_cell_ratio(etc_ratio(r->time, m->parts[r->part].profile->den));
	return ETC_OK;
}

/* Fills the table's own columns, then those of plugins. */
static enum etc_status make_columns(struct maker *m, uint32_t parts, struct etc_table *out,
                                    struct etc_error *err)
{
	/* The profile of the last part lists the columns that the plugins of all parts declare. */
	const struct etc_profile *last = m->parts[parts - 1].profile;
	bool ok = etc_declared_begin(&m->declared, last->declared, last->declared_count, true,
	                             m->arena);
	struct etc_column *all;

	for (uint32_t i = 0; i < parts; i++)
		for (uint32_t p = 0; p < m->parts[i].profile->path_count; p++) {
			const struct etc_profile_path *path = &m->parts[i].profile->paths[p];

			for (uint32_t k = 0; k < path->column_count && ok; k++)
				ok = etc_declared_meet(&m->declared, path->columns[k].name);
		}
	out->column_count = m->width + (uint32_t)m->declared.at.count;
	out->columns = all = etc_new(m->arena, struct etc_column, out->column_count);
	ETC_NEED(ok && all && etc_declared_columns(&m->declared, all + m->width), err);
	memcpy(all, columns, m->width * sizeof *all);
	m->columns = all + m->width;
	return ETC_OK;
}

enum etc_status etc_view_runs(const struct etc_runs_part *parts, uint32_t count, uint8_t by,
                              struct etc_arena *arena, struct etc_table *out, struct etc_error *err)
{
	struct maker m = { .parts = parts, .by = by, .arena = arena, .width = COLUMNS - 1 };

	for (uint32_t i = 0; i < count && by == ETC_BY_RUN; i++)
		if (parts[i].layout)
			m.width = COLUMNS;
	ETC_TRY(gather(&m, count, err));
	ETC_TRY(group(&m, err));
	if (by == ETC_BY_METHOD && m.group_count)
		qsort(m.groups, m.group_count, sizeof *m.groups, by_time);
	*out = (struct etc_table){ .row_count = (uint32_t)m.group_count };
	ETC_TRY(make_columns(&m, count, out, err));
	out->cells = etc_new(arena, struct etc_cell, m.group_count * out->column_count);
	ETC_NEED(out->cells, err);
	for (size_t i = 0; i < m.group_count; i++)
		ETC_TRY(fill(&m, &m.groups[i], i, &out->cells[i * out->column_count], err));
	return ETC_OK;
}

/* ---- below the table ------------------------------------------------------------- */

enum { BARS = 60, HEIGHTS = 8 };

/* Draws one bar for each range of consecutive runs, at most BARS in total, in file order. The
 * height is the largest value in the range, clamped to the range of the kept runs' times (a warm-up
 * may be longer). */
static void put_bars(struct etc_text *t, const struct etc_profile_path *p)
{
	size_t bars = p->runs < BARS ? p->runs : BARS;

	for (size_t b = 0; b < bars; b++) {
		uint64_t most = 0;
		unsigned height = 0;

		for (size_t i = p->runs * b / bars; i < p->runs * (b + 1) / bars; i++)
			most = p->samples[i] > most ? p->samples[i] : most;
		most = most < p->min ? p->min : most > p->max ? p->max : most;
		if (p->max > p->min)
			height = (unsigned)((etc_u128)(most - p->min) * (HEIGHTS - 1) /
			                    (p->max - p->min));
		etc_text_printf(t, "\xe2\x96%c", (char)(0x81 + height)); /* U+2581 … U+2588 */
	}
}

struct etc_str etc_view_runs_line(const struct etc_runs_part *parts, uint32_t count,
                                  struct etc_arena *arena)
{
	const struct etc_profile_path *p = NULL;
	const struct etc_profile *of = NULL;
	struct etc_text t = { 0 };
	struct etc_scale scale;
	char at[ETC_PATH_TEXT];

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < parts[i].profile->path_count; k++)
			if (!p || parts[i].profile->paths[k].kept_time > p->kept_time) {
				of = parts[i].profile;
				p = &of->paths[k];
			}
	if (!p)
		return ETC_STR_NONE;
	scale = etc_scale_of(of, etc_ratio_double(p->median));
	etc_text_cstr(&t, etc_remark_path(of, p, at));
	etc_text_printf(&t, "%zu kept run%s from ", p->kept, etc_plural(p->kept));
	etc_text_scaled(&t, etc_ratio_double(etc_ratio(p->min, p->den)), scale);
	etc_text_cstr(&t, " to ");
	etc_text_scaled(&t, etc_ratio_double(etc_ratio(p->max, p->den)), scale);
	etc_text_printf(&t, " %s, %zu of them typical  ", scale.name, p->typical_runs);
	put_bars(&t, p);
	return etc_text_keep(&t, arena);
}
