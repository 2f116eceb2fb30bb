/* ranked.c -- the ranked table of one path; see tables.h
 *
 * Rows are ranked already; the table takes the first, sums up the rest, and puts
 * what is no row (rounding, unattributed) at the foot, so that the column of
 * sums ends at 100 %. */
#include "commands/analyze/tables.h"

#include "table/cells.h"
#include "commands/analyze/machine.h"
#include "table/words.h"

enum column {
	RANK,
	WHAT,
	DETAIL,
	CALLS,
	TIME,
	BOUND,
	SHARE,
	SUM,
	ON,
	KIND,
	LIBRARY,
	SHAPES,
	TYPES,
	MODULE,
	HOW,
	REASON,
	SPREAD,
	COLUMNS
};

/* clang-format off */
static const struct etc_column columns[COLUMNS] = {
	[RANK]    = { .name = "rank", .title = "#", .right = true, .optional = ETC_COLUMN_AGAIN },
	[WHAT]    = { .name = "name", .title = "what" },
	[DETAIL]  = { .name = "detail", .title = "detail", .optional = true },
	[CALLS]   = { .name = "calls", .title = "calls", .right = true, .optional = ETC_COLUMN_MINOR },
	[TIME]    = { .name = "self_ns", .title = "per run", .style = ETC_STYLE_TIME, .right = true },
	[BOUND]   = { .name = "bound_ns", .title = "", .style = ETC_STYLE_BOUND, .right = true },
	[SHARE]   = { .name = "share", .title = "share", .style = ETC_STYLE_SHARE, .right = true },
	[SUM]     = { .name = "sum", .title = "sum", .style = ETC_STYLE_SHARE, .right = true, .optional = ETC_COLUMN_AGAIN },
	[ON]      = { .name = "backend", .title = "on", .optional = true },
	[KIND]    = { .name = "kind", .title = "kind", .optional = ETC_COLUMN_MINOR },
	[LIBRARY] = { .name = "kernel_library", .title = "library", .optional = true },
	[SHAPES]  = { .name = "shapes", .title = "shapes", .optional = true },
	[TYPES]   = { .name = "types", .title = "types", .optional = true },
	[MODULE]  = { .name = "module", .title = "module", .style = ETC_STYLE_LIST, .optional = true },
	[REASON]  = { .name = "reason", .title = "reason", .optional = true },
	[HOW]     = { .name = "how", .title = "how", .optional = true },
	[SPREAD]  = { .name = "self_spread", .title = "spread", .style = ETC_STYLE_SHARE, .right = true, .optional = ETC_COLUMN_AGAIN },
};
/* clang-format on */

/* A table under construction. */
struct maker {
	const struct etc_profile *profile;
	const struct etc_screen_options *options;
	const struct etc_row_range *range;
	struct etc_arena *arena;
	struct etc_table *table;
	const uint32_t *chosen; /* columns of options->rows, or NULL: the usual ones */
	size_t runs, per;
	uint64_t *room;      /* for a row's time in each run */
	etc_u128 whole, sum; /* of the path; of the rows so far */
};

static struct etc_cell *add_row(struct maker *m, uint8_t kind)
{
	uint32_t r = m->table->row_count++;

	m->table->row_kinds[r] = kind;
	return &m->table->cells[(size_t)r * m->table->column_count];
}

/* The cell of the column called `name` among the chosen ones, or NULL. */
static struct etc_cell *chosen_cell(const struct maker *m, struct etc_cell *row, const char *name)
{
	for (uint32_t c = 0; c < m->table->column_count; c++)
		if (strcmp(m->table->columns[c].name, name) == 0)
			return &row[c];
	return NULL;
}

static void put_time(struct maker *m, struct etc_cell *c, etc_u128 time)
{
	m->sum += time;
	c[TIME] = etc_cell_real(etc_ratio(time, m->per));
	c[SHARE] = etc_cell_real(etc_ratio(time, m->whole));
	c[SUM] = etc_cell_real(etc_ratio(m->sum, m->whole));
}

/* A line that is no row of the profile. */
static void put_line(struct maker *m, struct etc_str what, etc_u128 time)
{
	struct etc_cell *c = add_row(m, ETC_ROW_FOOT), name = etc_cell_text(what), *at;

	if (!m->chosen) {
		c[WHAT] = name;
		put_time(m, c, time);
		return;
	}
	if ((at = chosen_cell(m, c, "name")) || (at = chosen_cell(m, c, "key")) ||
	    (at = chosen_cell(m, c, etc_row_key(m->profile->by)->title)))
		*at = name;
	if ((at = chosen_cell(m, c, "self_ns")) && m->profile->unit == ETC_UNIT_NS)
		*at = etc_cell_real(etc_ratio(time, m->per));
	if ((at = chosen_cell(m, c, "share")))
		*at = etc_cell_real(etc_ratio(time, m->whole));
}

static struct etc_cell library_cell(const struct etc_facts *f, struct etc_arena *arena)
{
	static const char *const words[] = { "cannot tell", "no", "yes" };
	struct etc_str s;

	if (!f->annotator.len || !f->is_matrix || f->library_ran > ETC_RAN_YES)
		return etc_cell_blank();
	s = etc_str_of(words[f->library_ran]);
	if (f->library_why.len)
		s = etc_arena_printf(arena, "%s (" ETC_STR_FMT ")", words[f->library_ran],
		                     ETC_STR_ARG(f->library_why));
	return etc_cell_text(s);
}

static struct etc_str how_words(const struct etc_group *g)
{
	static const char *const words[] = { "", "exact", "the partition", "fused" };

	return etc_str_of(words[g->how]);
}

/* Of the only annotator, else of the only one that says whether kernels of a library ran. */
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

/* ---- what can be typed -------------------------------------------------------- */

static const uint8_t typed[ETC_TYPED_COLUMNS] = { WHAT, ON, KIND, LIBRARY, HOW, RANK, SUM };

static uint8_t what_style(const struct etc_profile *profile)
{
	return etc_by_is_place(profile->by) ? ETC_STYLE_LIST : columns[WHAT].style;
}

void etc_view_typed_columns(const struct etc_profile *profile,
                            struct etc_column to[ETC_TYPED_COLUMNS])
{
	for (uint32_t i = 0; i < ETC_TYPED_COLUMNS; i++) {
		to[i] = columns[typed[i]];
		to[i].typed = true;
		if (typed[i] == WHAT) {
			to[i].title = etc_row_key(profile->by)->title;
			to[i].style = what_style(profile);
		}
		if (typed[i] == LIBRARY)
			to[i].title = library_title(profile);
		to[i].name = to[i].title;
	}
}

const char *etc_view_heading(const struct etc_profile *profile, const char *name)
{
	if (profile->stat == ETC_STAT_TOTAL && strcmp(name, columns[TIME].name) == 0)
		return "total";
	for (uint32_t c = 0; c < COLUMNS; c++)
		if (c != LIBRARY && strcmp(columns[c].name, name) == 0)
			return columns[c].title;
	return NULL;
}

/* Of --by fallback. */
static void put_outside(const struct etc_profile_row *r, struct etc_cell *c)
{
	const struct etc_outside *o = r->event ? r->event->outside : NULL;

	if (r->group && r->group->count)
		c[MODULE] = etc_cell_text(r->group->name);
	if (!o)
		return;
	c[SHAPES] = etc_cell_text(o->shapes);
	c[TYPES] = etc_cell_text(o->types);
	c[REASON] = etc_cell_text(o->reason);
}

/* The cells of a row that are words. */
static void put_words(const struct etc_profile *profile, const struct etc_profile_row *r,
                      struct etc_arena *arena, struct etc_cell *c)
{
	c[WHAT] = (struct etc_cell){ .kind = ETC_CELL_TEXT,
		                     .s = r->grouped ? r->name : etc_row_word(r) };
	if (profile->by == ETC_BY_FALLBACK) {
		put_outside(r, c);
	} else if (r->group) {
		c[DETAIL] = etc_cell_text(r->group->detail);
		c[HOW] = etc_cell_text(how_words(r->group));
	} else if (profile->by != ETC_BY_BACKEND && profile->by != ETC_BY_CATEGORY) {
		c[ON] = etc_cell_text(etc_row_place(r));
	}
	if (r->grouped)
		return;
	c[KIND] =
		etc_cell_text(r->facts && r->facts->variant.len ? r->facts->variant : r->category);
	if (r->facts)
		c[LIBRARY] = library_cell(r->facts, arena);
}

/* "#" and "sum": of attached rows, which are the first of their path. */
static void put_standing(const struct etc_profile *profile, const struct etc_profile_row *row,
                         struct etc_standing *s, struct etc_cell *cells)
{
	if (row->detached)
		return;
	if (!s->last || s->last->path != row->path)
		*s = (struct etc_standing){ 0 };
	s->last = row;
	s->sum += row->self;
	cells[RANK] = etc_cell_u64(++s->rank);
	cells[SUM] = etc_cell_real(etc_ratio(s->sum, row->path == ETC_PROFILE_LOAD
	                                                     ? profile->loads[0].time
	                                                     : profile->paths[row->path].time));
}

void etc_view_typed(const struct etc_profile *profile, const struct etc_profile_row *row,
                    struct etc_standing *standing, struct etc_arena *arena,
                    struct etc_cell to[ETC_TYPED_COLUMNS])
{
	struct etc_cell cells[COLUMNS] = { 0 };

	put_words(profile, row, arena, cells);
	put_standing(profile, row, standing, cells);
	for (uint32_t i = 0; i < ETC_TYPED_COLUMNS; i++)
		to[i] = cells[typed[i]];
}

/* ---- rows ----------------------------------------------------------------------- */

static void put_chosen(struct maker *m, size_t row)
{
	const struct etc_table *all = m->options->rows;
	struct etc_cell *c = add_row(m, ETC_ROW_BODY);

	for (uint32_t k = 0; k < m->table->column_count; k++)
		c[k] = all->cells[row * all->column_count + m->chosen[k]];
}

static void put_row(struct maker *m, size_t row, uint32_t rank)
{
	const struct etc_profile_row *r = &m->profile->rows[row];
	struct etc_ratio spread;
	struct etc_cell *c;

	if (m->chosen) {
		put_chosen(m, row);
		return;
	}
	c = add_row(m, ETC_ROW_BODY);
	c[RANK] = etc_cell_u64(rank);
	c[CALLS] = etc_cell_ratio(etc_ratio(r->calls, m->runs));
	put_time(m, c, r->self);
	spread = etc_row_spread(m->profile, r, m->room);
	if (spread.den > 0)
		c[SPREAD] = etc_cell_real(spread);
	if (r->bound && !r->grouped && !r->self_only)
		c[BOUND] = etc_cell_real(etc_ratio(r->bound, m->per));
	put_words(m->profile, r, m->arena, c);
}

/* "rounding: 65 XNNPACK events, whole µs" */
static struct etc_str rounding_words(const struct maker *m, const struct etc_profile_path *p)
{
	struct etc_str backend =
		p->truncated_on.len ? etc_backend_word(p->truncated_on) : ETC_STR("delegate");

	return etc_arena_printf(m->arena, "rounding: %u " ETC_STR_FMT " event%s, whole %s",
	                        p->truncated_events, ETC_STR_ARG(backend),
	                        p->truncated_events == 1 ? "" : "s",
	                        p->resolution == 1000 * p->den ? "\xc2\xb5s" : "units");
}

static void put_foot(struct maker *m, const struct etc_profile_path *p)
{
	if (m->profile->by == ETC_BY_FALLBACK && p->partitions)
		put_line(m, ETC_STR("in delegates: --by delegate"), p->elsewhere);
	if (p->truncated_events)
		put_line(m, rounding_words(m, p), p->rounding);
	else if (p->rounding)
		put_line(m, ETC_STR("rounding of the delegates' clocks"), p->rounding);
	if (p->partitions && m->profile->by != ETC_BY_DELEGATE && m->profile->by != ETC_BY_FALLBACK)
		put_line(m, ETC_STR("unattributed: inside delegates"), p->unattributed_delegate);
	put_line(m, ETC_STR("unattributed: between instructions"),
	         p->unattributed - p->unattributed_delegate);
}

/* The first `top` rows, then the sum of the rest. */
static void put_ranked(struct maker *m, const struct etc_hidden_rows *hidden)
{
	size_t n = m->range->to - m->range->from, top = m->options->top;
	size_t shown = top && n > top + 1 ? top : n;
	etc_u128 rest = 0;

	for (size_t i = 0; i < n; i++) {
		if (i < shown)
			put_row(m, m->range->from + i, (uint32_t)(i + 1));
		else
			rest += m->profile->rows[m->range->from + i].self;
	}
	if (shown < n)
		put_line(m, etc_arena_printf(m->arena, "%zu more", n - shown), rest);
	if (hidden->count)
		put_line(m, etc_arena_printf(m->arena, "%zu left out by --where", hidden->count),
		         hidden->self);
}

static struct etc_column *make_columns(struct maker *m)
{
	bool raw = m->profile->unit != ETC_UNIT_NS;
	struct etc_column *c = etc_new(m->arena, struct etc_column, COLUMNS);

	if (!c)
		return NULL;
	memcpy(c, columns, sizeof columns);
	c[WHAT].title = etc_row_key(m->profile->by)->title;
	c[DETAIL].title = etc_row_key(m->profile->by)->detail;
	c[WHAT].style = what_style(m->profile);
	c[LIBRARY].title = library_title(m->profile);
	if (m->profile->stat == ETC_STAT_TOTAL)
		c[TIME].title = "total";
	if (raw) {
		c[TIME].title = etc_arena_printf(m->arena, "%s %s", etc_unit_name(m->profile->unit),
		                                 c[TIME].title)
		                        .ptr;
		c[TIME].style = c[BOUND].style = ETC_STYLE_PLAIN;
	}
	return c[TIME].title ? c : NULL;
}

enum etc_status etc_view_ranked(const struct etc_profile *profile,
                                const struct etc_row_range *range,
                                const struct etc_hidden_rows *hidden,
                                const struct etc_screen_options *options, struct etc_arena *arena,
                                struct etc_table *table, struct etc_error *err)
{
	bool load = range->path == ETC_PROFILE_LOAD;
	struct maker m = {
		.profile = profile,
		.options = options,
		.range = range,
		.arena = arena,
		.table = table,
		.room = etc_row_room(profile, arena),
		.chosen = options->column_count ? options->columns : NULL,
		.runs = load ? 1 : profile->paths[range->path].typical_runs,
		.per = load ? profile->den : profile->paths[range->path].per,
		.whole = load ? profile->loads[0].time : profile->paths[range->path].time,
	};
	uint32_t rows = (uint32_t)(range->to - range->from) + 6;
	struct etc_column *chosen = etc_new(arena, struct etc_column, options->column_count);

	*table = (struct etc_table){
		.columns = m.chosen ? chosen : make_columns(&m),
		.column_count = m.chosen ? options->column_count : COLUMNS,
		.row_kinds = etc_new(arena, uint8_t, rows),
	};
	table->cells = etc_new(arena, struct etc_cell, (size_t)rows * table->column_count);
	if (!m.room || !table->cells || !table->row_kinds || !table->columns || !chosen)
		return etc_fail(err, E0904, "%u rows", rows);
	for (uint32_t c = 0; m.chosen && c < options->column_count; c++)
		chosen[c] = options->rows->columns[options->columns[c]];
	put_ranked(&m, hidden);
	if (!load)
		put_foot(&m, &profile->paths[range->path]);
	return ETC_OK;
}
