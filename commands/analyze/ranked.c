/* ranked.c -- makes the ranked table of one path; see tables.h.
 *
 * The rows are sorted already. The table shows the first rows, then the sum of the remaining rows.
 * Time that belongs to no row (rounding, unattributed) is shown below, so that the column of
 * cumulative shares ends at 100 %. */
#include "commands/analyze/tables.h"

#include "table/cells.h"
#include "commands/analyze/machine.h"
#include "profile/roofline_heads.h"
#include "table/words.h"

enum column {
#define COLUMN(id, ...) id,
#include "commands/analyze/ranked_columns.def"
	COLUMNS
};

static const struct etc_column columns[COLUMNS] = {
#define COLUMN(id, key, heading, form, may_go, to_right, typed, foot, value) \
	[id] = { .name = key,                                                \
		 .title = heading,                                           \
		 .style = ETC_STYLE_##form,                                  \
		 .optional = ETC_COLUMN_##may_go,                            \
		 .right = to_right },
#include "commands/analyze/ranked_columns.def"
};

/* A line of the table, with the values that its columns need. */
struct line {
	const struct etc_profile *profile;
	const struct etc_profile_row *row; /* NULL: a line below the rows */
	struct etc_str name;
	uint32_t rank; /* position by time, from 1; 0: the line has no rank */
	/* `time` is the time of this line. `sum` is the sum of the times of this line and of the
	 * rows above it. `whole` is the time of the path, or 0 if the line's time is not part of
	 * the path's time. */
	etc_u128 time, sum, whole;
	size_t runs, per;
	uint64_t *room; /* scratch for the row's time in each run */
	struct etc_arena *arena;
};

/* A table under construction. */
struct maker {
	const struct etc_screen_options *options;
	const struct etc_row_range *range;
	struct etc_table *table;
	/* the columns to show: indices of columns of options->rows; NULL: the default columns */
	const uint32_t *chosen;
	/* the line that was appended last; its `sum` is cumulative over the rows so far */
	struct line line;
};

/* ---- cells ---------------------------------------------------------------------- */

static struct etc_cell name_cell(const struct line *l)
{
	return (struct etc_cell){ .kind = l->name.ptr ? ETC_CELL_TEXT : ETC_CELL_BLANK,
		                  .s = l->name };
}

/* Returns the row's group if rows are grouped by module or source, else an empty group. */
static const struct etc_group *group_of(const struct line *l)
{
	static const struct etc_group none;

	return l->row->group && l->profile->by != ETC_BY_FALLBACK ? l->row->group : &none;
}

static const struct etc_outside *outside_of(const struct line *l)
{
	static const struct etc_outside none;

	return l->row->event && l->row->event->outside ? l->row->event->outside : &none;
}

static struct etc_cell bound_cell(const struct line *l)
{
	const struct etc_profile_row *r = l->row;

	return r->bound && !r->grouped && !r->self_only ? etc_cell_real(etc_ratio(r->bound, l->per))
	                                                : etc_cell_blank();
}

struct etc_str etc_view_place(const struct etc_profile *profile, const struct etc_profile_row *row)
{
	return row->group || profile->by == ETC_BY_FALLBACK || profile->by == ETC_BY_BACKEND ||
	                       profile->by == ETC_BY_CATEGORY
	               ? ETC_STR_NONE
	               : etc_row_place(row);
}

static struct etc_cell kind_cell(const struct line *l)
{
	const struct etc_facts *f = l->row->facts;

	if (l->row->grouped)
		return etc_cell_blank();
	return etc_cell_text(f && f->variant.len ? f->variant : l->row->category);
}

static struct etc_cell library_cell(const struct line *l)
{
	static const char *const words[] = { "cannot tell", "no", "yes" };
	const struct etc_facts *f = l->row->facts;
	struct etc_str s;

	if (l->row->grouped || !f || !f->annotator.len || !f->is_matrix ||
	    f->library_ran > ETC_RAN_YES)
		return etc_cell_blank();
	s = etc_str_of(words[f->library_ran]);
	if (f->library_why.len)
		s = etc_arena_printf(l->arena, "%s (" ETC_STR_FMT ")", words[f->library_ran],
		                     ETC_STR_ARG(f->library_why));
	return etc_cell_text(s);
}

/* Returns the module of an operator that ran outside delegates (--by fallback). */
static struct etc_cell module_cell(const struct line *l)
{
	const struct etc_group *g = l->profile->by == ETC_BY_FALLBACK ? l->row->group : NULL;

	return g && g->count ? etc_cell_text(g->name) : etc_cell_blank();
}

static struct etc_cell how_cell(const struct line *l)
{
	static const char *const words[] = { "", "exact", "the partition", "fused" };

	return etc_cell_text(etc_str_of(words[group_of(l)->how]));
}

static struct etc_cell cell_of(const struct line *l, uint8_t column)
{
	switch (column) {
#define COLUMN(id, key, heading, form, may_go, to_right, typed, foot, value) \
	case id:                                                             \
		return l->row || foot ? value : etc_cell_blank();
#include "commands/analyze/ranked_columns.def"
	}
	return etc_cell_blank();
}

/* ---- columns -------------------------------------------------------------------- */

/* Returns the heading of the column LIBRARY: the library's name, if there is only one annotator or
 * the rows name only one library; else a general heading. */
static const char *library_title(const struct etc_profile *profile)
{
	const struct etc_facts *only = NULL;

	if (profile->library)
		return profile->library;
	for (size_t i = 0; i < profile->row_count; i++) {
		const struct etc_facts *f = profile->rows[i].facts;

		if (!f || !f->is_matrix || !f->library.len)
			continue;
		if (only && !etc_str_eq(f->library, only->library))
			return columns[LIBRARY].title;
		only = f;
	}
	return only ? only->library.ptr : columns[LIBRARY].title;
}

/* Returns the name of the column that has, in machine-readable tables, the times that the screen
 * shows. */
static const char *time_key(const struct etc_profile *profile)
{
	return profile->unit == ETC_UNIT_NS ? columns[TIME].name : "self_raw";
}

/* Returns the heading of the times, such as "per run" or "cycles per run". NULL: out of memory. */
static const char *time_title(const struct etc_profile *profile, struct etc_arena *arena)
{
	const char *title = profile->stat == ETC_STAT_TOTAL ? "total" : columns[TIME].title;

	if (profile->unit == ETC_UNIT_NS)
		return title;
	return etc_arena_printf(arena, "%s %s", etc_unit_name(profile->unit), title).ptr;
}

/* Returns a column with its heading for this profile. For the column of times, the caller sets the
 * heading. */
static struct etc_column column_of(const struct etc_profile *profile, uint8_t column)
{
	struct etc_column c = columns[column];

	if (column == WHAT) {
		c.title = etc_row_key(profile->by)->title;
		c.style = etc_by_is_place(profile->by) ? ETC_STYLE_LIST : c.style;
	} else if (column == DETAIL) {
		c.title = etc_row_key(profile->by)->detail;
	} else if (column == LIBRARY) {
		c.title = library_title(profile);
	}
	return c;
}

/* The columns that --where, --sort and --columns accept, in the order of
 * etc_view_typed_columns(). */
static const uint8_t typed_columns[ETC_TYPED_COLUMNS] = {
#define TYPED_NO(id)
#define TYPED_FIRST(id) id,
#define TYPED_LAST(id)
#define COLUMN(id, key, heading, form, may_go, to_right, typed, foot, value) TYPED_##typed(id)
#include "commands/analyze/ranked_columns.def"
#undef TYPED_FIRST
#undef TYPED_LAST
#define TYPED_FIRST(id)
#define TYPED_LAST(id)                                                       id,
#define COLUMN(id, key, heading, form, may_go, to_right, typed, foot, value) TYPED_##typed(id)
#include "commands/analyze/ranked_columns.def"
};

uint32_t etc_view_typed_columns(const struct etc_profile *profile,
                                struct etc_column to[ETC_TYPED_COLUMNS])
{
	uint32_t library = 0;

	for (uint32_t i = 0; i < ETC_TYPED_COLUMNS; i++) {
		to[i] = column_of(profile, typed_columns[i]);
		to[i].typed = true;
		to[i].name = to[i].title;
		library = typed_columns[i] == LIBRARY ? i : library;
	}
	return library;
}

const char *etc_view_heading(const struct etc_profile *profile, const char *name,
                             struct etc_arena *arena)
{
	const char *title, *of;

	if (strcmp(name, time_key(profile)) == 0)
		return time_title(profile, arena);
	for (uint32_t c = 0; c < COLUMNS; c++)
		if (c != LIBRARY && c != TIME && strcmp(columns[c].name, name) == 0)
			return columns[c].title;
	for (unsigned i = 0; (title = etc_roofline_title(i, &of)) != NULL; i++)
		if (strcmp(of, name) == 0)
			return title;
	return NULL;
}

/* Makes the cells of the columns whose member `typed` is set (struct etc_column). Only attached
 * rows get a rank ("#") and a cumulative share ("sum"): in each path of the profile they come
 * before the detached rows. */
void etc_view_typed(const struct etc_profile *profile, const struct etc_profile_row *row,
                    struct etc_standing *s, struct etc_arena *arena,
                    struct etc_cell to[ETC_TYPED_COLUMNS])
{
	struct line l = {
		.profile = profile, .row = row, .name = etc_row_name(row), .arena = arena
	};

	if (!row->detached) {
		if (!s->last || s->last->path != row->path)
			*s = (struct etc_standing){ 0 };
		s->last = row;
		l.sum = s->sum += row->self;
		l.rank = ++s->rank;
		l.whole = row->path == ETC_PROFILE_LOAD ? profile->loads[0].time
		                                        : profile->paths[row->path].time;
	}
	for (uint32_t i = 0; i < ETC_TYPED_COLUMNS; i++)
		to[i] = cell_of(&l, typed_columns[i]);
}

/* ---- rows ----------------------------------------------------------------------- */

/* Appends the current line, `m->line`, to the table. Returns its cells. */
static struct etc_cell *put(struct maker *m, uint8_t kind)
{
	uint32_t r = m->table->row_count++;
	struct etc_cell *cells = &m->table->cells[(size_t)r * m->table->column_count];

	m->table->row_kinds[r] = kind;
	m->line.sum += m->line.time;
	for (uint8_t c = 0; c < COLUMNS && !m->chosen; c++)
		cells[c] = cell_of(&m->line, c);
	return cells;
}

/* Returns the row's cell for the chosen column called `name`; NULL if that is not a chosen
 * column. */
static struct etc_cell *chosen_cell(const struct maker *m, struct etc_cell *row, const char *name)
{
	for (uint32_t c = 0; c < m->table->column_count; c++)
		if (strcmp(m->table->columns[c].name, name) == 0)
			return &row[c];
	return NULL;
}

/* Appends a line to the foot of the table: a time that belongs to no row, such as the rounding.
 * `what` is its name. */
static void put_line(void *maker, struct etc_str what, etc_u128 time)
{
	struct maker *m = maker;
	const struct etc_profile *profile = m->line.profile;
	struct etc_cell *c, *at;

	m->line.row = NULL;
	m->line.rank = 0;
	m->line.name = what;
	m->line.time = time;
	c = put(m, ETC_ROW_FOOT);
	if (!m->chosen)
		return;
	if ((at = chosen_cell(m, c, "name")) || (at = chosen_cell(m, c, "key")) ||
	    (at = chosen_cell(m, c, etc_row_key(profile->by)->title)))
		*at = cell_of(&m->line, WHAT);
	if ((at = chosen_cell(m, c, time_key(profile))))
		*at = cell_of(&m->line, TIME);
	if ((at = chosen_cell(m, c, "share")))
		*at = cell_of(&m->line, SHARE);
}

static void put_row(struct maker *m, size_t row, uint32_t rank)
{
	const struct etc_profile_row *r = &m->line.profile->rows[row];
	const struct etc_table *all = m->options->rows;
	struct etc_cell *c;

	m->line.row = r;
	m->line.rank = rank;
	m->line.name = etc_row_name(r);
	m->line.time = r->self;
	c = put(m, ETC_ROW_BODY);
	for (uint32_t k = 0; m->chosen && k < m->table->column_count; k++)
		c[k] = all->cells[row * all->column_count + m->chosen[k]];
}

/* Returns the text of the line about rounding: "rounding: 65 XNNPACK events, whole µs". */
static struct etc_str rounding_words(const struct etc_profile_path *p, struct etc_arena *arena)
{
	struct etc_str backend =
		p->truncated_on.len ? etc_backend_word(p->truncated_on) : ETC_STR("delegate");

	return etc_arena_printf(arena, "rounding: %u " ETC_STR_FMT " event%s, whole %s",
	                        p->truncated_events, ETC_STR_ARG(backend),
	                        etc_plural(p->truncated_events),
	                        p->resolution == 1000 * p->den ? "\xc2\xb5s" : "units");
}

void etc_view_foot(const struct etc_profile *profile, const struct etc_profile_path *p,
                   struct etc_arena *arena, etc_view_line_fn *put_foot, void *to)
{
	if (profile->by == ETC_BY_FALLBACK && p->partitions)
		put_foot(to, ETC_STR("in delegates: --by delegate"), p->elsewhere);
	if (p->truncated_events)
		put_foot(to, rounding_words(p, arena), p->rounding);
	else if (p->rounding)
		put_foot(to, ETC_STR("rounding of the delegates' clocks"), p->rounding);
	if (p->partitions && profile->by != ETC_BY_DELEGATE && profile->by != ETC_BY_FALLBACK)
		put_foot(to, ETC_STR("unattributed: inside delegates"), p->unattributed_delegate);
	put_foot(to, ETC_STR("unattributed: between instructions"),
	         p->unattributed - p->unattributed_delegate);
}

struct etc_str etc_view_hidden(const struct etc_hidden_rows *hidden, struct etc_arena *arena)
{
	return etc_arena_printf(arena, "%zu left out by --where", hidden->count);
}

/* Appends the first `top` rows, then a line with the sum of the remaining rows, and a line with the
 * sum of the rows that --where left out. */
static void put_ranked(struct maker *m, const struct etc_hidden_rows *hidden)
{
	size_t n = m->range->to - m->range->from, top = m->options->top;
	size_t shown = top && n > top + 1 ? top : n;
	etc_u128 rest = 0;

	for (size_t i = 0; i < n; i++) {
		if (i < shown)
			put_row(m, m->range->from + i, (uint32_t)(i + 1));
		else
			rest += m->line.profile->rows[m->range->from + i].self;
	}
	if (shown < n)
		put_line(m, etc_arena_printf(m->line.arena, "%zu more", n - shown), rest);
	if (hidden->count)
		put_line(m, etc_view_hidden(hidden, m->line.arena), hidden->self);
}

static struct etc_column *make_columns(const struct etc_profile *profile, struct etc_arena *arena)
{
	struct etc_column *c = etc_new(arena, struct etc_column, COLUMNS);

	if (!c)
		return NULL;
	for (uint8_t i = 0; i < COLUMNS; i++)
		c[i] = column_of(profile, i);
	c[TIME].title = time_title(profile, arena);
	if (profile->unit != ETC_UNIT_NS)
		c[TIME].style = c[BOUND].style = ETC_STYLE_PLAIN;
	return c[TIME].title ? c : NULL;
}

/* Sets the heading of a column of --roofline. Also sets its priority: which columns are left out
 * first on a narrow terminal. */
static void head_column(const struct etc_profile *profile, struct etc_arena *arena,
                        struct etc_column *c)
{
	const char *usual = etc_view_heading(profile, c->name, arena);

	c->title = usual ? usual : c->title;
	if (strcmp(c->name, "#") == 0)
		c->optional = ETC_COLUMN_AGAIN;
	else if (strcmp(c->name, "calls") == 0 || strcmp(c->name, "on") == 0)
		c->optional = ETC_COLUMN_MINOR;
	etc_roofline_head(c);
}

enum etc_status etc_view_ranked(const struct etc_profile *profile,
                                const struct etc_row_range *range,
                                const struct etc_hidden_rows *hidden,
                                const struct etc_screen_options *options, struct etc_arena *arena,
                                struct etc_table *table, struct etc_error *err)
{
	bool load = range->path == ETC_PROFILE_LOAD;
	struct maker m = {
		.options = options,
		.range = range,
		.table = table,
		.chosen = options->column_count ? options->columns : NULL,
		.line = { .profile = profile,
		          .arena = arena,
		          .room = etc_row_room(profile, arena),
		          .runs = load ? 1 : profile->paths[range->path].typical_runs,
		          .per = load ? profile->den : profile->paths[range->path].per,
		          .whole = load ? profile->loads[0].time
		                        : profile->paths[range->path].time },
	};
	uint32_t rows = (uint32_t)(range->to - range->from) + 6;
	struct etc_column *chosen = etc_new(arena, struct etc_column, options->column_count);

	*table = (struct etc_table){
		.columns = m.chosen ? chosen : make_columns(profile, arena),
		.column_count = m.chosen ? options->column_count : COLUMNS,
		.row_kinds = etc_new(arena, uint8_t, rows),
	};
	table->cells = etc_new(arena, struct etc_cell, (size_t)rows * table->column_count);
	ETC_NEED(m.line.room && table->cells && table->row_kinds && table->columns && chosen, err);
	for (uint32_t c = 0; m.chosen && c < options->column_count; c++) {
		chosen[c] = options->rows->columns[options->columns[c]];
		if (options->titled)
			head_column(profile, arena, &chosen[c]);
	}
	put_ranked(&m, hidden);
	if (!load)
		etc_view_foot(profile, &profile->paths[range->path], arena, put_line, &m);
	return ETC_OK;
}
