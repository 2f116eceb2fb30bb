/* machine.c -- makes the machine-readable tables of a profile; see machine.h */
#include "commands/analyze/machine.h"

#include <math.h>

#include "profile/roofline.h"
#include "stats/typical.h"
#include "table/cells.h"
#include "commands/analyze/declared.h"
#include "commands/analyze/tables.h"
#include "table/words.h"

enum row_column {
#define COLUMN(id, ...) id,
#include "commands/analyze/row_columns.def"
	ROW_COLUMNS
};

/* Which tables have a column: all tables (FIXED), or only those of --roofline, --subtract-overhead
 * or --by fallback. */
enum group { FIXED, ROOFLINE, TRACER, FALLBACK };
static const uint8_t group_of[ROW_COLUMNS] = {
#define COLUMN(id, ...)          [id] = FIXED,
#define ROOFLINE_COLUMN(id, ...) [id] = ROOFLINE,
#define TRACER_COLUMN(id, ...)   [id] = TRACER,
#define FALLBACK_COLUMN(id, ...) [id] = FALLBACK,
#include "commands/analyze/row_columns.def"
};

static const struct etc_column row_columns[ROW_COLUMNS] = {
#define COLUMN(id, key, form, of_extra, meaning, value) \
	[id] = { .name = key, .help = meaning, .extra = of_extra, ETC_FORM_##form },
#include "commands/analyze/row_columns.def"
};

size_t etc_row_runs(const struct etc_profile *profile, const struct etc_profile_row *row)
{
	return row->path == ETC_PROFILE_LOAD ? 1 : profile->paths[row->path].typical_runs;
}

size_t etc_row_per(const struct etc_profile *profile, const struct etc_profile_row *row)
{
	return row->path == ETC_PROFILE_LOAD ? profile->den : profile->paths[row->path].per;
}

struct etc_ratio etc_row_share(const struct etc_profile *profile, const struct etc_profile_row *row,
                               etc_u128 detached)
{
	etc_u128 whole = detached;

	if (!row->valid || row->unit == ETC_UNIT_UNKNOWN)
		return etc_ratio(0, 0);
	if (etc_row_is_parallel(row))
		whole = row->beside;
	else if (!row->detached)
		whole = row->path == ETC_PROFILE_LOAD ? profile->loads[0].time
		                                      : profile->paths[row->path].time;
	return etc_ratio(row->self, whole);
}

uint64_t *etc_row_room(const struct etc_profile *profile, struct etc_arena *arena)
{
	size_t most = 0;

	for (uint32_t p = 0; p < profile->path_count; p++)
		most = profile->paths[p].kept > most ? profile->paths[p].kept : most;
	return etc_new(arena, uint64_t, most);
}

size_t etc_row_values(const struct etc_profile *profile, const struct etc_profile_row *row,
                      uint64_t *v)
{
	const struct etc_profile_path *p;
	size_t n = 0;

	if (row->path == ETC_PROFILE_LOAD || !profile->paths[row->path].values)
		return 0;
	p = &profile->paths[row->path];
	for (size_t i = 0; i < p->kept; i++)
		if (p->values[i].v)
			v[n++] = row->value < p->values[i].count ? p->values[i].v[row->value] : 0;
	return n;
}

struct etc_ratio etc_row_spread(const struct etc_profile *profile,
                                const struct etc_profile_row *row, uint64_t *room)
{
	if (!row->valid || profile->tracer)
		return etc_ratio(0, 0);
	return etc_spread(room, etc_row_values(profile, row, room));
}

/* A row with the values that its columns need; missing values are zero. */
struct row {
	const struct etc_profile *profile;
	const struct etc_profile_row *r;
	const struct etc_profile_path *path; /* NULL: a load */
	/* facts about the events; empty if the row groups events of several names */
	const struct etc_facts *facts;
	const struct etc_group *module, *source;
	const struct etc_outside *outside;
	struct etc_roof roof;
	/* sum of the times of the detached rows that have the unit of this row */
	etc_u128 detached;
	uint64_t *room;
	size_t runs, per;
	bool in_ns; /* the row has a time, and the time is in ns */
};

static bool has_group(const struct etc_profile *profile, uint8_t group)
{
	return group == ROOFLINE   ? profile->peaks != NULL
	       : group == TRACER   ? profile->tracer != NULL
	       : group == FALLBACK ? profile->by == ETC_BY_FALLBACK
	                           : true;
}

static struct etc_cell per_run(const struct row *x, bool known, etc_u128 sum)
{
	return known ? etc_cell_ratio(etc_ratio(sum, x->per)) : etc_cell_blank();
}

static bool has_bound(const struct etc_profile_row *r)
{
	return !r->self_only && (!r->grouped || r->bound == 0);
}

static struct etc_cell why_cell(const struct etc_profile_row *r)
{
	return r->detached ? etc_cell_word(etc_detach_text(r->why ? r->why : ETC_DETACH_BELOW))
	                   : etc_cell_blank();
}

static struct etc_cell ran_cell(const struct etc_facts *f)
{
	static const char *const ran[] = { "cannot tell", "no", "yes" };

	return f->annotator.len && f->library_ran <= ETC_RAN_YES && f->is_matrix
	               ? etc_cell_word(ran[f->library_ran])
	               : etc_cell_blank();
}

static struct etc_cell how_cell(const struct etc_group *g)
{
	static const char *const how[] = { "", "exact", "partition", "fused" };

	return g ? etc_cell_word(how[g->how]) : etc_cell_blank();
}

/* Was the tracer's cost subtracted from the row's time? */
static bool is_subtracted(const struct row *x)
{
	return x->path && x->in_ns && !x->r->detached;
}

/* Returns the part of the row's time per run that was subtracted as the tracer's cost. `cost`
 * selects the cost (ETC_COST) or one end of its interval. Blank: unknown. */
static struct etc_cell tracer_part(const struct row *x, unsigned cost)
{
	if (!is_subtracted(x) || isnan(x->profile->tracer->ns[cost]))
		return etc_cell_blank();
	return per_run(x, true, x->r->subtracted->of[cost]);
}

static void fill_row(const struct etc_profile *profile, const struct etc_profile_row *r,
                     etc_u128 detached, uint64_t *room, struct etc_cell *c)
{
	static const struct etc_facts no_facts;
	static const struct etc_group no_group;
	static const struct etc_outside no_outside;
	const struct etc_group *group = r->group ? r->group : &no_group;
	struct row all = {
		.profile = profile,
		.r = r,
		.path = r->path == ETC_PROFILE_LOAD ? NULL : &profile->paths[r->path],
		.facts = r->facts && !r->grouped ? r->facts : &no_facts,
		.module = profile->by == ETC_BY_SOURCE ? &no_group : group,
		.source = profile->by == ETC_BY_SOURCE ? group : &no_group,
		.outside = r->event && r->event->outside ? r->event->outside : &no_outside,
		.detached = detached,
		.room = room,
		.runs = etc_row_runs(profile, r),
		.per = etc_row_per(profile, r),
		.in_ns = r->valid && r->unit == ETC_UNIT_NS,
	};
	const struct row *x = &all;

	if (profile->peaks)
		etc_roof_of(profile, r, &all.roof);
#define COLUMN(id, key, form, extra, help, value) \
	if (has_group(profile, group_of[id]))     \
		*c++ = value;
#include "commands/analyze/row_columns.def"
}

/* ---- columns of plugins --------------------------------------------------- */

static uint32_t own_columns(const struct etc_profile *profile)
{
	uint32_t n = 0;

	for (uint32_t c = 0; c < ROW_COLUMNS; c++)
		n += has_group(profile, group_of[c]);
	return n;
}

/* Sets the columns of the table: fixed ones, then those of plugins. */
static enum etc_status find_columns(const struct etc_profile *profile,
                                    struct etc_declared_columns *declared, struct etc_arena *arena,
                                    struct etc_table *out, struct etc_error *err)
{
	struct etc_column *columns;
	uint32_t own = own_columns(profile);
	bool ok = etc_declared_begin(declared, profile->declared, profile->declared_count, true,
	                             arena);

	for (size_t i = 0; i < profile->row_count && ok; i++)
		for (uint32_t k = 0; k < profile->rows[i].column_count && ok; k++)
			ok = etc_declared_meet(declared, profile->rows[i].columns[k].name);
	out->column_count = own + (uint32_t)declared->at.count;
	columns = etc_new(arena, struct etc_column, out->column_count);
	ETC_NEED(ok && columns && etc_declared_columns(declared, columns + own), err);
	for (uint32_t c = 0, k = 0; c < ROW_COLUMNS; c++)
		if (has_group(profile, group_of[c]))
			columns[k++] = row_columns[c];
	for (uint32_t k = 0; k < own; k++)
		columns[k].title = columns[k].name;
	out->columns = columns;
	return ETC_OK;
}

/* Makes the cells of the plugins' columns for each row. */
static enum etc_status make_cells(const struct etc_profile *profile,
                                  const struct etc_declared_columns *declared,
                                  const struct etc_column *columns, struct etc_arena *arena,
                                  struct etc_cell ***out, struct etc_error *err)
{
	struct etc_cell **cells = etc_new(arena, struct etc_cell *, profile->row_count);

	for (size_t i = 0; cells && i < profile->row_count; i++) {
		const struct etc_profile_row *r = &profile->rows[i];

		cells[i] = etc_new(arena, struct etc_cell, r->column_count);
		for (uint32_t k = 0; cells[i] && k < r->column_count; k++) {
			size_t at = etc_map_get(&declared->at, r->columns[k].name);

			cells[i][k] = etc_declared_cell(&columns[at], &r->columns[k], arena);
			if (cells[i][k].kind == UINT8_MAX)
				cells[i] = NULL;
		}
		if (!cells[i])
			cells = NULL;
	}
	*out = cells;
	return cells ? ETC_OK : etc_no_memory(err);
}

/* Adds up the times of the detached rows of the path whose first row is `i`: sums[u] is the sum of
 * the rows whose unit is u. Rows whose events ran in parallel are left out. */
static void sum_detached(const struct etc_profile *profile, size_t i, etc_u128 *sums)
{
	for (size_t k = 0; k <= UINT8_MAX; k++)
		sums[k] = 0;
	for (size_t k = i; k < profile->row_count && profile->rows[k].path == profile->rows[i].path;
	     k++)
		if (profile->rows[k].detached && profile->rows[k].valid &&
		    !etc_row_is_parallel(&profile->rows[k]))
			sums[profile->rows[k].unit] += profile->rows[k].self;
}

/* State for making rows on demand. `from`, `to` and `sums` describe the path of the row that was
 * made last. */
struct maker {
	struct etc_profile profile;
	struct etc_declared_columns declared;
	/* per row: the cells of plugins' columns, in the order of the row's `columns` */
	struct etc_cell **cells;
	size_t from, to; /* the path has the rows from index `from` to index `to` - 1 */
	etc_u128 sums[UINT8_MAX + 1];
	uint64_t *room; /* scratch for a row's time in each run */
};

static void make_row(void *of, uint32_t i, struct etc_cell *to)
{
	struct maker *m = of;
	const struct etc_profile_row *r = &m->profile.rows[i];

	/* The rows of a path are consecutive. */
	if (i < m->from || i >= m->to) {
		for (m->from = i; m->from > 0 && r[0].path == m->profile.rows[m->from - 1].path;)
			m->from--;
		for (m->to = i;
		     m->to < m->profile.row_count && r[0].path == m->profile.rows[m->to].path;)
			m->to++;
		sum_detached(&m->profile, m->from, m->sums);
	}
	fill_row(&m->profile, r, m->sums[r->unit], m->room, to);
	for (uint32_t k = 0; k < r->column_count; k++)
		to[own_columns(&m->profile) + etc_map_get(&m->declared.at, r->columns[k].name)] =
			m->cells[i][k];
}

enum etc_status etc_view_rows(const struct etc_profile *profile, struct etc_arena *arena,
                              struct etc_table *out, struct etc_error *err)
{
	struct maker *m = etc_new(arena, struct maker, 1);

	ETC_NEED(m, err);
	m->profile = *profile;
	m->room = etc_row_room(profile, arena);
	ETC_NEED(m->room, err);
	*out = (struct etc_table){ .row_count = (uint32_t)profile->row_count,
		                   .make = make_row,
		                   .of = m };
	ETC_TRY(find_columns(profile, &m->declared, arena, out, err));
	ETC_TRY(make_cells(profile, &m->declared, out->columns + own_columns(profile), arena,
	                   &m->cells, err));
	return out->column_count <= ETC_TABLE_MADE ? ETC_OK : etc_table_fill(out, arena, err);
}

/* Appends to the first `n` columns those that only --where, --sort and --columns use, and links
 * columns that have the same values. `placed`: the column that add_placed() sets. */
static void add_typed(const struct etc_profile *profile, struct etc_arena *arena,
                      struct etc_column *columns, uint32_t n, uint32_t placed)
{
	uint32_t library = n + etc_view_typed_columns(profile, columns + n);

	for (uint32_t c = 0; c < n; c++) {
		columns[c].alias = etc_view_heading(profile, columns[c].name, arena);
		for (uint32_t k = n; columns[c].alias && k < n + ETC_TYPED_COLUMNS; k++)
			if (strcmp(columns[c].alias, columns[k].name) == 0)
				columns[c].alias = NULL;
	}
	for (uint32_t k = n; k < n + ETC_TYPED_COLUMNS; k++) {
		for (uint32_t c = 0; c < n; c++)
			if (strcmp(columns[c].name, columns[k].name) == 0)
				columns[c].also = k + 1;
		if (strcmp(columns[k].name, "on") == 0 && !columns[BACKEND].also) {
			columns[BACKEND].also = k + 1;
			columns[k].also = BACKEND + 1;
		} else if (k == library) {
			columns[k].also = LIBRARY_RAN + 1;
		}
	}
	/* A condition on one of these three columns compares all of them: the row's name, its text
	 * on the screen ("operator dispatch"), and its name with its place ("add.out (CPU)"). */
	columns[NAME].also = n + 1;
	columns[n].also = placed + 1;
	columns[placed] = (struct etc_column){
		.name = "name, with its place", .also = NAME + 1, .typed = true, .extra = true
	};
}

/* Sets the column `placed` of each row whose name another row has, too, but with another place
 * (backend or CPU): "add.out (CPU)", as in the table of `diff`. */
static enum etc_status add_placed(const struct etc_profile *profile, struct etc_table *t,
                                  uint32_t placed, struct etc_arena *arena, struct etc_error *err)
{
	uint32_t *first = etc_new(arena, uint32_t, t->row_count);
	bool *several = etc_new(arena, bool, t->row_count);
	struct etc_map names;

	ETC_NEED(first && several, err);
	etc_map_init(&names, arena);
	for (uint32_t r = 0; r < t->row_count; r++) {
		const struct etc_profile_row *rows = profile->rows;
		const size_t at = etc_map_add(&names, etc_row_name(&rows[r]), r);

		ETC_NEED(at != ETC_MAP_NONE, err);
		first[r] = (uint32_t)at;
		if (!etc_str_eq(etc_view_place(profile, &rows[at]),
		                etc_view_place(profile, &rows[r])))
			several[at] = true;
	}
	for (uint32_t r = 0; r < t->row_count; r++) {
		const struct etc_str place = etc_view_place(profile, &profile->rows[r]),
				     name = etc_row_name(&profile->rows[r]);
		struct etc_str text;

		if (!several[first[r]] || !place.len)
			continue;
		text = etc_arena_printf(arena, ETC_STR_FMT " (" ETC_STR_FMT ")", ETC_STR_ARG(name),
		                        ETC_STR_ARG(place));
		ETC_NEED(text.ptr, err);
		t->cells[(size_t)r * t->column_count + placed] = etc_cell_text(text);
	}
	return ETC_OK;
}

enum etc_status etc_view_rows_typed(const struct etc_profile *profile, struct etc_arena *arena,
                                    struct etc_table *out, struct etc_error *err)
{
	struct etc_standing standing = { 0 };
	struct etc_column *columns;
	struct etc_table t;
	uint32_t n, width, elsewhere, placed;

	ETC_TRY(etc_view_rows(profile, arena, &t, err));
	ETC_TRY(etc_table_fill(&t, arena, err));
	n = t.column_count;
	placed = n + ETC_TYPED_COLUMNS;
	width = placed + 1;
	columns = etc_new(arena, struct etc_column, width + profile->declared_count);
	ETC_NEED(columns, err);
	memcpy(columns, t.columns, n * sizeof *columns);
	add_typed(profile, arena, columns, n, placed);
	elsewhere = etc_declared_elsewhere(profile->declared, profile->declared_count,
	                                   columns + width, arena);
	if (elsewhere == UINT32_MAX)
		return etc_no_memory(err);
	width += elsewhere;
	ETC_TRY(etc_table_make(out, columns, width, t.row_count, arena, err));
	for (uint32_t r = 0; r < t.row_count; r++) {
		struct etc_cell *to = out->cells + (size_t)r * width;

		memcpy(to, t.cells + (size_t)r * n, n * sizeof *to);
		etc_view_typed(profile, &profile->rows[r], &standing, arena, to + n);
	}
	return add_placed(profile, out, placed, arena, err);
}
