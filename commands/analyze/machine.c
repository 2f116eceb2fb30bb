/* machine.c -- see machine.h */
#include "commands/analyze/machine.h"

#include "stats/typical.h"
#include "table/cells.h"
#include "commands/analyze/declared.h"
#include "commands/analyze/tables.h"
#include "table/words.h"

enum row_column {
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
	SELF_RAW,
	WHY,
	LIBRARY_RAN,
	LIBRARY_WHY,
	ISA,
	VARIANT,
	CANONICAL,
	CLASS,
	HOW,
	MODULES,
	CODE,
	LINES,
	FIXED_COLUMNS,
	/* Of --by fallback alone. */
	OPERATOR = FIXED_COLUMNS,
	SHAPES,
	TYPES,
	MODULE,
	REASON,
	ROW_COLUMNS
};

/* clang-format off */
static const struct etc_column row_columns[ROW_COLUMNS] = {
	[KEY]         = { .name = "key", .help = "what the row stands for" },
	[NAME]        = { .name = "name", .help = "its name" },
	[METHOD]      = { .name = "method", .help = "method of the program" },
	[PATH]        = { .right = true, .name = "path", .help = "execution path, from 1" },
	[CALLS]       = { .cell = ETC_CELL_REAL, .right = true, .name = "calls", .help = "events per run" },
	[SELF]        = { .style = ETC_STYLE_TIME, .right = true, .name = "self_ns", .help = "time per run without what it encloses" },
	[SELF_MAX]    = { .style = ETC_STYLE_TIME, .right = true, .name = "self_max_ns", .help = "self_ns and what truncation may hide" },
	[TOTAL]       = { .style = ETC_STYLE_TIME, .right = true, .name = "total_ns", .help = "time per run with what it encloses" },
	[SHARE]       = { .style = ETC_STYLE_SHARE, .right = true, .name = "share", .help = "of the path's time, 0 to 1; of a detached row, of all such of its unit, or of its calls if it is in parallel" },
	[BACKEND]     = { .name = "backend", .help = "backend id" },
	[CATEGORY]    = { .name = "category", .help = "kind of work" },
	[KERNEL]      = { .name = "kernel", .help = "micro-kernel type or symbol" },
	[LIBRARY]     = { .name = "kernel_library", .help = "library whose kernel ran" },
	[UNIT]        = { .name = "unit", .help = "of the raw numbers" },
	[CLOCK]       = { .name = "clock", .help = "host, device or none" },
	[DETACHED]    = { .cell = ETC_CELL_BOOL, .name = "detached", .help = "subtracted from nothing" },
	[SPREAD]      = { .style = ETC_STYLE_SHARE, .right = true, .name = "self_spread", .help = "how self varies from typical run to run: 1.4826 median absolute deviations / median" },
	[SELF_RAW]    = { .right = true, .name = "self_raw", .help = "self in the row's own unit", .extra = true },
	[WHY]         = { .name = "why", .help = "why it is detached", .extra = true },
	[LIBRARY_RAN] = { .name = "kernel_library_ran", .help = "yes, no, cannot tell", .extra = true },
	[LIBRARY_WHY] = { .name = "kernel_library_why", .help = "what tells", .extra = true },
	[ISA]         = { .name = "isa", .help = "instruction sets that fit", .extra = true },
	[VARIANT]     = { .name = "variant", .help = "operation, types and packing", .extra = true },
	[CANONICAL]   = { .name = "canonical", .help = "the same work without the library", .extra = true },
	[CLASS]       = { .name = "class", .help = "class of the module", .extra = true },
	[HOW]         = { .name = "how", .help = "exact: of this module or line alone; fused: of all that are named; partition: of one of them, or of several", .extra = true },
	[MODULES]     = { .name = "modules", .help = "all modules that the row stands for", .extra = true },
	[CODE]        = { .name = "code", .help = "text of the source line", .extra = true },
	[LINES]       = { .name = "lines", .help = "all source lines that the row stands for", .extra = true },
	[OPERATOR]    = { .name = "operator", .help = "of the program, or the kernel that ran", .extra = true },
	[SHAPES]      = { .name = "shapes", .help = "of the operator's tensors: arguments -> results; <= of one that may be smaller", .extra = true },
	[TYPES]       = { .name = "types", .help = "of the same tensors", .extra = true },
	[MODULE]      = { .name = "module", .help = "which the operator is of", .extra = true },
	[REASON]      = { .name = "reason", .help = "why it is in no delegate, where a file tells it", .extra = true },
};
/* clang-format on */

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
	if (!row->valid)
		return etc_ratio(0, 0);
	return etc_spread(room, etc_row_values(profile, row, room));
}

static struct etc_cell text_cell(const char *s)
{
	return etc_cell_text(etc_str_of(s));
}

static void fill_facts(const struct etc_facts *f, struct etc_cell *c)
{
	static const char *const ran[] = { "cannot tell", "no", "yes" };

	c[KERNEL] = etc_cell_text(f->kernel);
	c[LIBRARY] = etc_cell_text(f->kernel_library);
	if (f->annotator.len && f->library_ran <= ETC_RAN_YES && f->is_matrix)
		c[LIBRARY_RAN] = text_cell(ran[f->library_ran]);
	c[LIBRARY_WHY] = etc_cell_text(f->library_why);
	c[ISA] = etc_cell_text(f->isa);
	c[VARIANT] = etc_cell_text(f->variant);
	c[CANONICAL] = etc_cell_text(f->canonical);
}

static void fill_group(bool lines, const struct etc_group *g, struct etc_cell *c)
{
	static const char *const how[] = { "", "exact", "partition", "fused" };

	c[HOW] = text_cell(how[g->how]);
	c[lines ? CODE : CLASS] = etc_cell_text(g->detail);
	c[lines ? LINES : MODULES] = etc_cell_text(g->members);
}

static void fill_outside(const struct etc_profile_row *r, struct etc_cell *c)
{
	const struct etc_outside *o = r->event->outside;

	if (r->group && r->group->count)
		c[MODULE] = etc_cell_text(r->group->name);
	if (!o)
		return;
	c[OPERATOR] = etc_cell_text(o->op);
	c[SHAPES] = etc_cell_text(o->shapes);
	c[TYPES] = etc_cell_text(o->types);
	c[REASON] = etc_cell_text(o->reason);
}

static void fill_row(const struct etc_profile *profile, const struct etc_profile_row *r,
                     etc_u128 detached, uint64_t *room, struct etc_cell *c)
{
	struct etc_ratio spread = etc_row_spread(profile, r, room);
	size_t runs = etc_row_runs(profile, r), per = etc_row_per(profile, r);
	bool known = r->valid && r->unit == ETC_UNIT_NS;

	c[KEY] = c[NAME] = (struct etc_cell){ .kind = ETC_CELL_TEXT, .s = r->name };
	if (r->path != ETC_PROFILE_LOAD) {
		c[METHOD] = etc_cell_text(profile->paths[r->path].method);
		c[PATH] = etc_cell_u64(profile->paths[r->path].number);
	}
	c[CALLS] = etc_cell_ratio(etc_ratio(r->calls, runs));
	if (known) {
		c[SELF] = etc_cell_ratio(etc_ratio(r->self, per));
		if (!r->self_only && (!r->grouped || r->bound == 0))
			c[SELF_MAX] = etc_cell_ratio(etc_ratio(r->self + r->bound, per));
		if (!r->self_only)
			c[TOTAL] = etc_cell_ratio(etc_ratio(r->total, per));
	} else if (r->valid) {
		c[SELF_RAW] = etc_cell_ratio(etc_ratio(r->self, per));
	}
	c[SHARE] = etc_cell_ratio(etc_row_share(profile, r, detached));
	c[BACKEND] = etc_cell_text(r->backend);
	c[UNIT] = text_cell(etc_unit_name(r->unit));
	c[CLOCK] = text_cell(etc_clock_word(r->clock));
	c[DETACHED] = etc_cell_bool(r->detached);
	if (spread.den > 0)
		c[SPREAD] = etc_cell_ratio(spread);
	if (r->detached)
		c[WHY] = text_cell(etc_detach_text(r->why ? r->why : ETC_DETACH_BELOW));
	if (!r->grouped || profile->by == ETC_BY_CATEGORY)
		c[CATEGORY] = etc_cell_text(r->category);
	if (r->facts && !r->grouped)
		fill_facts(r->facts, c);
	if (r->group)
		fill_group(profile->by == ETC_BY_SOURCE, r->group, c);
	if (profile->by == ETC_BY_FALLBACK)
		fill_outside(r, c);
}

/* ---- columns of plugins --------------------------------------------------- */

static uint32_t own_columns(const struct etc_profile *profile)
{
	return profile->by == ETC_BY_FALLBACK ? ROW_COLUMNS : FIXED_COLUMNS;
}

/* Columns of the table: the fixed ones, then those of plugins. */
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
	if (!ok || !columns || !etc_declared_columns(declared, columns + own))
		return etc_fail(err, E0904, "columns of plugins");
	memcpy(columns, row_columns, own * sizeof *columns);
	for (uint32_t k = 0; k < own; k++)
		columns[k].title = columns[k].name;
	out->columns = columns;
	return ETC_OK;
}

/* Values of plugins' columns as cells, row by row. */
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
	return cells ? ETC_OK : etc_fail(err, E0904, "columns of plugins");
}

/* Sums of the detached rows of row `i`'s path, by unit. */
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

/* What rows are made of, and what the last one's path adds up to. */
struct maker {
	struct etc_profile profile;
	struct etc_declared_columns declared;
	struct etc_cell **cells; /* of each row, in the order of its columns */
	size_t from, to;         /* rows of the path */
	etc_u128 sums[UINT8_MAX + 1];
	uint64_t *room; /* for a row's time in each run */
};

static void make_row(void *of, uint32_t i, struct etc_cell *to)
{
	struct maker *m = of;
	const struct etc_profile_row *r = &m->profile.rows[i];

	/* Rows of a path stand together. */
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

	if (!m)
		return etc_fail(err, E0904, "%zu rows", profile->row_count);
	m->profile = *profile;
	m->room = etc_row_room(profile, arena);
	if (!m->room)
		return etc_fail(err, E0904, "%zu rows", profile->row_count);
	*out = (struct etc_table){ .row_count = (uint32_t)profile->row_count,
		                   .make = make_row,
		                   .of = m };
	ETC_TRY(find_columns(profile, &m->declared, arena, out, err));
	ETC_TRY(make_cells(profile, &m->declared, out->columns + own_columns(profile), arena,
	                   &m->cells, err));
	return out->column_count <= ETC_TABLE_MADE ? ETC_OK : etc_table_fill(out, arena, err);
}

/* Behind `n` columns those that are typed, and which of ours say the same in other words. */
static void add_typed(const struct etc_profile *profile, struct etc_column *columns, uint32_t n)
{
	uint32_t library = n + etc_view_typed_columns(profile, columns + n);

	for (uint32_t c = 0; c < n; c++) {
		columns[c].alias = etc_view_heading(profile, columns[c].name);
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
	columns[NAME].also = n + 1; /* "operator dispatch" */
	columns[n].also = NAME + 1;
}

enum etc_status etc_view_rows_typed(const struct etc_profile *profile, struct etc_arena *arena,
                                    struct etc_table *out, struct etc_error *err)
{
	struct etc_standing standing = { 0 };
	struct etc_column *columns;
	struct etc_cell *cells;
	struct etc_table t;
	uint32_t n, width, elsewhere;

	ETC_TRY(etc_view_rows(profile, arena, &t, err));
	ETC_TRY(etc_table_fill(&t, arena, err));
	n = t.column_count;
	width = n + ETC_TYPED_COLUMNS;
	columns = etc_new(arena, struct etc_column, width + profile->declared_count);
	if (!columns)
		return etc_fail(err, E0904, "%zu rows", profile->row_count);
	memcpy(columns, t.columns, n * sizeof *columns);
	add_typed(profile, columns, n);
	elsewhere = etc_declared_elsewhere(profile->declared, profile->declared_count,
	                                   columns + width, arena);
	if (elsewhere == UINT32_MAX)
		return etc_fail(err, E0904, "columns of plugins");
	width += elsewhere;
	cells = etc_new(arena, struct etc_cell, (size_t)t.row_count * width);
	if (!cells)
		return etc_fail(err, E0904, "%zu rows", profile->row_count);
	for (uint32_t r = 0; r < t.row_count; r++) {
		struct etc_cell *to = cells + (size_t)r * width;

		memcpy(to, t.cells + (size_t)r * n, n * sizeof *to);
		etc_view_typed(profile, &profile->rows[r], &standing, arena, to + n);
	}
	*out = (struct etc_table){
		.columns = columns, .column_count = width, .cells = cells, .row_count = t.row_count
	};
	return ETC_OK;
}
