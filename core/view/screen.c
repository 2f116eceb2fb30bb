/* screen.c -- see screen.h
 *
 * Rows of a path are ranked already; the table takes the first, sums up the
 * rest, and puts what is no row (rounding, unattributed) at the foot, so that
 * the column of sums ends at 100 %. */
#include "view/screen.h"

#include "view/cells.h"
#include "view/machine.h"
#include "view/words.h"

enum { BLOCKS_MAX = 8 };

enum column { RANK, WHAT, CALLS, TIME, BOUND, SHARE, SUM, ON, KIND, LIBRARY, COLUMNS };

/* clang-format off */
static const struct etc_column columns[COLUMNS] = {
	[RANK]    = { .name = "rank", .title = "#", .style = ETC_STYLE_PLAIN, .right = true, .optional = true },
	[WHAT]    = { .name = "name", .title = "what", .style = ETC_STYLE_PLAIN },
	[CALLS]   = { .name = "calls", .title = "calls", .style = ETC_STYLE_PLAIN, .right = true, .optional = true },
	[TIME]    = { .name = "self_ns", .title = "per run", .style = ETC_STYLE_TIME, .right = true },
	[BOUND]   = { .name = "bound_ns", .title = "", .style = ETC_STYLE_BOUND, .right = true },
	[SHARE]   = { .name = "share", .title = "share", .style = ETC_STYLE_SHARE, .right = true },
	[SUM]     = { .name = "sum", .title = "sum", .style = ETC_STYLE_SHARE, .right = true, .optional = true },
	[ON]      = { .name = "backend", .title = "on", .style = ETC_STYLE_PLAIN, .optional = true },
	[KIND]    = { .name = "kind", .title = "kind", .style = ETC_STYLE_PLAIN, .optional = true },
	[LIBRARY] = { .name = "kernel_library", .title = "KleidiAI", .style = ETC_STYLE_PLAIN, .optional = true },
};

static const struct etc_column raw_columns[COLUMNS] = {
	[RANK]    = { .name = "rank", .title = "#", .style = ETC_STYLE_PLAIN, .right = true, .optional = true },
	[WHAT]    = { .name = "name", .title = "what", .style = ETC_STYLE_PLAIN },
	[CALLS]   = { .name = "calls", .title = "calls", .style = ETC_STYLE_PLAIN, .right = true, .optional = true },
	[TIME]    = { .name = "self", .title = "ticks per run", .style = ETC_STYLE_PLAIN, .right = true },
	[BOUND]   = { .name = "bound", .title = "", .style = ETC_STYLE_PLAIN, .right = true },
	[SHARE]   = { .name = "share", .title = "share", .style = ETC_STYLE_SHARE, .right = true },
	[SUM]     = { .name = "sum", .title = "sum", .style = ETC_STYLE_SHARE, .right = true, .optional = true },
	[ON]      = { .name = "backend", .title = "on", .style = ETC_STYLE_PLAIN, .optional = true },
	[KIND]    = { .name = "kind", .title = "kind", .style = ETC_STYLE_PLAIN, .optional = true },
	[LIBRARY] = { .name = "kernel_library", .title = "KleidiAI", .style = ETC_STYLE_PLAIN, .optional = true },
};
/* clang-format on */

/* A table under construction. */
struct maker {
	const struct etc_profile *profile;
	struct etc_arena *arena;
	struct etc_table *table;
	uint32_t path;
	size_t runs;
	etc_u128 whole, sum; /* of the path; of the rows so far */
};

static struct etc_cell *add_row(struct maker *m, uint8_t kind, struct etc_str what)
{
	uint32_t r = m->table->row_count++;
	struct etc_cell *c = &m->table->cells[(size_t)r * COLUMNS];

	m->table->row_kinds[r] = kind;
	c[WHAT] = (struct etc_cell){ .kind = ETC_CELL_TEXT, .s = what };
	return c;
}

static struct etc_cell real(struct etc_ratio r)
{
	if (r.den == 0)
		return etc_cell_blank();
	return (struct etc_cell){ .kind = ETC_CELL_REAL, .f = etc_ratio_double(r) };
}

static void put_time(struct maker *m, struct etc_cell *c, etc_u128 time)
{
	m->sum += time;
	c[TIME] = real(etc_ratio(time, m->runs));
	c[SHARE] = real(etc_ratio(time, m->whole));
	c[SUM] = real(etc_ratio(m->sum, m->whole));
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

static void put_row(struct maker *m, const struct etc_profile_row *r, uint32_t rank)
{
	struct etc_cell *c = add_row(m, ETC_ROW_BODY, etc_row_word(r));

	c[RANK] = etc_cell_u64(rank);
	c[CALLS] = etc_cell_ratio(etc_ratio(r->calls, m->runs));
	put_time(m, c, r->self);
	if (r->bound && !r->merged)
		c[BOUND] = real(etc_ratio(r->bound, m->runs));
	c[ON] = etc_cell_text(etc_row_place(r));
	if (!r->facts || r->merged)
		return;
	c[KIND] = etc_cell_text(r->facts->variant.len ? r->facts->variant : r->facts->category);
	c[LIBRARY] = library_cell(r->facts, m->arena);
}

static void put_foot(struct maker *m, const struct etc_profile_path *p)
{
	struct etc_str rounding = ETC_STR("rounding of the delegates' clocks");

	if (p->truncated_events)
		rounding =
			etc_arena_printf(m->arena, "rounding: %u delegate event%s, whole units",
		                         p->truncated_events, p->truncated_events == 1 ? "" : "s");
	if (p->rounding || p->truncated_events)
		put_time(m, add_row(m, ETC_ROW_FOOT, rounding), p->rounding);
	if (p->partitions)
		put_time(m, add_row(m, ETC_ROW_FOOT, ETC_STR("unattributed: inside delegates")),
		         p->unattributed_delegate);
	put_time(m, add_row(m, ETC_ROW_FOOT, ETC_STR("unattributed: between instructions")),
	         p->unattributed - p->unattributed_delegate);
}

/* Rows [from, to) are attached; the first `top` of them, then the sum of the rest. */
static void put_ranked(struct maker *m, size_t from, size_t to, uint32_t top)
{
	size_t shown = top && to - from > (size_t)top + 1 ? top : to - from;
	etc_u128 rest = 0;

	for (size_t i = from; i < to; i++) {
		if (i < from + shown)
			put_row(m, &m->profile->rows[i], (uint32_t)(i - from + 1));
		else
			rest += m->profile->rows[i].self;
	}
	if (shown < to - from)
		put_time(m,
		         add_row(m, ETC_ROW_FOOT,
		                 etc_arena_printf(m->arena, "%zu more", to - from - shown)),
		         rest);
}

static enum etc_status make_table(const struct etc_profile *profile, uint32_t path, size_t from,
                                  size_t to, uint32_t top, struct etc_arena *arena,
                                  struct etc_table *table, struct etc_error *err)
{
	bool load = path == ETC_PROFILE_LOAD;
	struct maker m = {
		.profile = profile,
		.arena = arena,
		.table = table,
		.path = path,
		.runs = load ? 1 : profile->paths[path].typical_runs,
		.whole = load ? profile->loads[0].time : profile->paths[path].time,
	};
	uint32_t rows = (uint32_t)(to - from) + 4;

	*table = (struct etc_table){
		.columns = profile->unit == ETC_UNIT_NS ? columns : raw_columns,
		.column_count = COLUMNS,
		.cells = etc_new(arena, struct etc_cell, (size_t)rows * COLUMNS),
		.row_kinds = etc_new(arena, uint8_t, rows),
	};
	if (!table->cells || !table->row_kinds)
		return etc_fail(err, E0904, "%u rows", rows);
	put_ranked(&m, from, to, top);
	if (!load)
		put_foot(&m, &profile->paths[path]);
	return ETC_OK;
}

enum detached_column { D_WHAT, D_CALLS, D_SELF, D_UNIT, D_SHARE, D_ON, D_WHY, DETACHED_COLUMNS };

/* clang-format off */
static const struct etc_column detached_columns[DETACHED_COLUMNS] = {
	[D_WHAT]  = { .name = "name", .title = "detached", .style = ETC_STYLE_PLAIN },
	[D_CALLS] = { .name = "calls", .title = "calls", .style = ETC_STYLE_PLAIN, .right = true },
	[D_SELF]  = { .name = "self", .title = "per run", .style = ETC_STYLE_PLAIN, .right = true },
	[D_UNIT]  = { .name = "unit", .title = "unit", .style = ETC_STYLE_PLAIN },
	[D_SHARE] = { .name = "share", .title = "of these", .style = ETC_STYLE_SHARE, .right = true, .optional = true },
	[D_ON]    = { .name = "backend", .title = "on", .style = ETC_STYLE_PLAIN, .optional = true },
	[D_WHY]   = { .name = "why", .title = "why", .style = ETC_STYLE_PLAIN, .optional = true },
};
/* clang-format on */

/* What is subtracted from nothing and adds up to nothing: numbers as they are. */
static enum etc_status make_detached(const struct etc_profile *profile, size_t from, size_t to,
                                     uint32_t top, struct etc_arena *arena, struct etc_table *table,
                                     struct etc_error *err)
{
	size_t shown = top && to - from > (size_t)top + 1 ? top : to - from;
	etc_u128 sums[UINT8_MAX + 1] = { 0 };

	*table = (struct etc_table){
		.columns = detached_columns,
		.column_count = DETACHED_COLUMNS,
		.cells = etc_new(arena, struct etc_cell, (shown + 1) * DETACHED_COLUMNS),
		.row_kinds = etc_new(arena, uint8_t, shown + 1),
		.row_count = (uint32_t)shown,
	};
	if (!table->cells || !table->row_kinds)
		return etc_fail(err, E0904, "%zu rows", shown);
	for (size_t i = from; i < to; i++)
		if (profile->rows[i].valid)
			sums[profile->rows[i].unit] += profile->rows[i].self;
	for (size_t i = from; i < from + shown; i++) {
		const struct etc_profile_row *r = &profile->rows[i];
		struct etc_cell *c = &table->cells[(i - from) * DETACHED_COLUMNS];

		c[D_WHAT] = (struct etc_cell){ .kind = ETC_CELL_TEXT, .s = etc_row_word(r) };
		c[D_CALLS] = etc_cell_ratio(etc_ratio(r->calls, etc_row_runs(profile, r)));
		if (r->valid)
			c[D_SELF] = etc_cell_ratio(etc_ratio(r->self, etc_row_runs(profile, r)));
		c[D_UNIT] = etc_cell_text(r->unit ? etc_str_of(etc_unit_name(r->unit))
		                                  : ETC_STR("unknown"));
		c[D_SHARE] = real(etc_row_share(profile, r, sums[r->unit]));
		c[D_ON] = etc_cell_text(etc_row_place(r));
		c[D_WHY] = etc_cell_text(etc_str_of(etc_detach_text(r->why)));
	}
	if (shown == to - from)
		return ETC_OK;
	table->cells[shown * DETACHED_COLUMNS] =
		etc_cell_text(etc_arena_printf(arena, "%zu more", to - from - shown));
	table->row_kinds[table->row_count++] = ETC_ROW_FOOT;
	return ETC_OK;
}

static enum etc_status make_block(const struct etc_profile *profile, uint32_t path, uint32_t top,
                                  struct etc_arena *arena, struct etc_report_block *block,
                                  struct etc_error *err)
{
	size_t from = 0, attached, to;

	while (from < profile->row_count && profile->rows[from].path != path)
		from++;
	for (attached = from; attached < profile->row_count &&
	                      profile->rows[attached].path == path &&
	                      !profile->rows[attached].detached;)
		attached++;
	for (to = attached; to < profile->row_count && profile->rows[to].path == path;)
		to++;
	ETC_TRY(make_table(profile, path, from, attached, top, arena, &block->table, err));
	if (to > attached)
		ETC_TRY(make_detached(profile, attached, to, top, arena, &block->detached, err));
	return ETC_OK;
}

/* The paths with the most time, at most BLOCKS_MAX of them, largest first. */
static uint32_t largest_paths(const struct etc_profile *profile, uint32_t *order)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < profile->path_count; i++) {
		uint32_t at = n < BLOCKS_MAX ? n++ : BLOCKS_MAX;

		for (; at > 0 &&
		       profile->paths[order[at - 1]].kept_time < profile->paths[i].kept_time;
		     at--)
			if (at < BLOCKS_MAX)
				order[at] = order[at - 1];
		if (at < BLOCKS_MAX)
			order[at] = i;
	}
	return n;
}

enum etc_status etc_view_screen(const struct etc_profile *profile,
                                const struct etc_profile *grouped,
                                const struct etc_screen_options *options, struct etc_arena *arena,
                                struct etc_report *report, struct etc_error *err)
{
	uint32_t order[BLOCKS_MAX + 1] = { ETC_PROFILE_LOAD };
	uint32_t n = largest_paths(profile, order);
	struct etc_report_block *blocks;

	n = n ? n : profile->load_count > 0;
	blocks = etc_new(arena, struct etc_report_block, n);
	if (!blocks)
		return etc_fail(err, E0904, "%u paths", n);
	for (uint32_t i = 0; i < n; i++) {
		ETC_TRY(etc_view_header(profile, order[i], arena, &blocks[i], err));
		ETC_TRY(make_block(grouped, order[i], options->top, arena, &blocks[i], err));
	}
	report->blocks = blocks;
	report->block_count = n;
	if (n < profile->path_count)
		report->more = etc_arena_printf(arena, "%u more paths; -o json has all of them",
		                                profile->path_count - n);
	return ETC_OK;
}
