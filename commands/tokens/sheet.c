/* sheet.c -- makes one machine-readable table, and two tables for the screen; see tokens.h. */
#include "commands/tokens/tokens.h"

#include "context/files.h"
#include "table/cells.h"
#include "base/map.h"
#include "table/words.h"

#include <math.h>

enum {
	SHOWN_OPERATORS = 12,
	SHOWN_KINDS = 3,
	HIGH = 5, /* index of the column "high" */
	/* index of the column whose texts are the values as the screen shows them */
	SHOWN = 11,
};

/* ---- the machine-readable table -------------------------------------------------------------- */

/* clang-format off */
static const struct etc_column columns[] = {
	{ .name = "kind", .title = "kind", ETC_FORM_TEXT, .help = "kind of run: prefill, decode, run, other, of a path; runner: of --stats" },
	{ .name = "operator", .title = "operator", ETC_FORM_TEXT, .help = "operator; unknown: the whole run" },
	{ .name = "measure", .title = "measure", ETC_FORM_TEXT, .help = "what is measured" },
	{ .name = "value", .title = "value", .also = 1 + SHOWN, ETC_FORM_REAL, .help = "in the unit of the row" },
	{ .name = "low", .title = "low", .alias = "95 % interval", .upper = 1 + HIGH, ETC_FORM_REAL, .help = "lower end of the 95 % interval; unknown: none, or no limit" },
	{ .name = "high", .title = "high", .alias = "95 % interval", ETC_FORM_REAL, .help = "upper end of the 95 % interval" },
	{ .name = "unit", .title = "unit", ETC_FORM_TEXT, .help = "unit of the three" },
	{ .name = "share", .title = "share", ETC_FORM_SHARE, .help = "of the time of the kind; of a runner's row, what the dump has of it" },
	{ .name = "count", .title = "count", .alias = "of", ETC_FORM_UINT, .help = "runs, generations or lines of the runner that it is over" },
	{ .name = "verdict", .title = "verdict", ETC_FORM_TEXT, .help = "what the interval or the comparison says" },
	{ .name = "why", .title = "why", ETC_FORM_TEXT, .help = "what it rests on, or why it cannot be told" },
	[SHOWN] = { .name = "value", .title = "value", .typed = true, ETC_FORM_TEXT },
};
/* clang-format on */
enum { COLUMNS = sizeof columns / sizeof *columns };

static struct etc_cell number(bool known, double v)
{
	return known && isfinite(v) ? etc_cell_double(v) : etc_cell_blank();
}

void etc_tokens_put_amount(struct etc_text *out, double v, double size, const char *unit)
{
	static const struct etc_scale scales[] = {
		{ "s", 1e9, 3 }, { "ms", 1e6, 3 }, { "µs", 1e3, 2 }, { "ns", 1, 1 }
	};
	size_t i = 0;

	if (strncmp(unit, "ns", 2) != 0) {
		etc_text_printf(out, "%.*f", fabs(size) < 100 ? 1 : 0, v);
		return;
	}
	while (i < 3 && fabs(size) < scales[i].ns)
		i++;
	etc_text_scaled(out, v, scales[i]);
	etc_text_printf(out, " %s", scales[i].name);
}

static struct etc_str amount(struct etc_tokens *t, const struct etc_token_row *row)
{
	struct etc_text text = { 0 };
	const bool change = row->interval && strncmp(row->unit, "ns per", 6) == 0;

	if (row->known) {
		etc_text_cstr(&text, change && row->v.value > 0 ? "+" : "");
		etc_tokens_put_amount(&text, row->v.value, row->v.value, row->unit);
		if (strncmp(row->unit, "ns", 2) == 0)
			etc_text_cstr(&text, row->unit + 2);
		else if (strcmp(row->unit, etc_tokens_rate_unit(t)) == 0 ||
		         strcmp(row->unit, etc_tokens_unit(t)) == 0)
			etc_text_printf(&text, " %s", row->unit);
	}
	return etc_text_keep(&text, &t->s->arena);
}

static void make_row(struct etc_tokens *t, const struct etc_token_row *row, struct etc_cell *to)
{
	*to++ = etc_cell_text(row->kind);
	*to++ = etc_cell_text(row->name);
	*to++ = etc_cell_word(row->measure);
	*to++ = number(row->known, row->v.value);
	*to++ = number(row->known && row->interval, row->v.low);
	*to++ = number(row->known && row->interval, row->v.high);
	*to++ = row->unit ? etc_cell_word(row->unit) : etc_cell_blank();
	*to++ = number(row->share > 0, row->share);
	*to++ = etc_cell_uint(row->count);
	*to++ = row->verdict ? etc_cell_word(row->verdict) : etc_cell_blank();
	*to++ = etc_cell_text(row->why);
	*to = row->unit ? etc_cell_text(amount(t, row)) : etc_cell_blank();
}

/* ---- the screen ------------------------------------------------------------------------------ */

static void put_end(struct etc_text *out, double v, double size, const char *unit)
{
	if (isfinite(v))
		etc_tokens_put_amount(out, v, size, unit);
	else
		etc_text_cstr(out, v < 0 ? "−∞" : "∞");
}

static struct etc_str interval(struct etc_tokens *t, const struct etc_token_row *row)
{
	struct etc_text text = { 0 };

	if (row->known && row->interval) {
		double size = fmax(isfinite(row->v.low) ? fabs(row->v.low) : 0,
		                   isfinite(row->v.high) ? fabs(row->v.high) : 0);

		put_end(&text, row->v.low, size, row->unit);
		etc_text_cstr(&text, " … ");
		put_end(&text, row->v.high, size, row->unit);
	}
	return etc_text_keep(&text, &t->s->arena);
}

static const struct etc_column shown_columns[] = {
	{ .name = "kind", .title = "kind", ETC_FORM_TEXT },
	{ .name = "measure", .title = "measure", ETC_FORM_TEXT },
	{ .name = "value", .title = "value", ETC_FORM_TEXT, .right = true },
	{ .name = "interval",
	  .title = "95 % interval",
	  ETC_FORM_TEXT,
	  .right = true,
	  .optional = true },
	{ .name = "count", .title = "of", ETC_FORM_UINT, .optional = ETC_COLUMN_AGAIN },
	{ .name = "verdict", .title = "verdict", ETC_FORM_TEXT },
	{ .name = "why", .title = "why", ETC_FORM_TEXT, .optional = true },
};
enum { SHOWN_COLUMNS = sizeof shown_columns / sizeof *shown_columns };

static enum etc_status whole_table(struct etc_tokens *t, const uint32_t *rows, uint32_t count,
                                   struct etc_table *out, struct etc_error *err)
{
	struct etc_cell *cells = etc_new(&t->s->arena, struct etc_cell, count * SHOWN_COLUMNS);

	ETC_NEED(cells, err);
	*out = (struct etc_table){ .columns = shown_columns,
		                   .column_count = SHOWN_COLUMNS,
		                   .cells = cells };
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_token_row *row = &t->rows[rows[i]];

		if (row->name.len || !row->unit)
			continue;
		*cells++ = etc_cell_text(row->kind);
		*cells++ = etc_cell_word(row->measure);
		*cells++ = etc_cell_text(amount(t, row));
		*cells++ = etc_cell_text(interval(t, row));
		*cells++ = etc_cell_uint(row->count);
		*cells++ = row->verdict ? etc_cell_word(row->verdict) : etc_cell_blank();
		*cells++ = etc_cell_text(row->why);
		out->row_count++;
	}
	return ETC_OK;
}

/* Sets `out` to the kinds of runs that the screen shows side by side. Returns their number. */
static uint32_t shown_kinds(const struct etc_tokens *t, uint32_t *out)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < t->kind_count && n < SHOWN_KINDS; k++)
		if (t->kinds[k].runs)
			out[n++] = k;
	return n;
}

struct side {
	uint32_t kinds[SHOWN_KINDS], kind_count, column_count;
	/* for each shown kind of run: maps from an operator's name to the row with its self time,
	 * and to the row with its slope */
	struct etc_map self[SHOWN_KINDS], slope[SHOWN_KINDS];
	struct etc_column columns[1 + 3 * SHOWN_KINDS];
};

static bool has_slope(const struct etc_token_kind *kind)
{
	return kind->role == ETC_TOKEN_DECODE || kind->role == ETC_TOKEN_RUN;
}

static enum etc_status side_columns(struct etc_tokens *t, struct side *s, struct etc_error *err)
{
	struct etc_column *c = s->columns;

	s->kind_count = shown_kinds(t, s->kinds);
	*c++ = (struct etc_column){ .name = "operator", .title = "operator", ETC_FORM_TEXT };
	for (uint32_t i = 0; i < s->kind_count; i++) {
		struct etc_str name = t->kinds[s->kinds[i]].name;
		struct etc_text shown = { 0 };
		struct etc_str title;

		etc_text_shown(&shown, name);
		title = etc_text_keep(&shown, &t->s->arena);
		ETC_NEED(title.ptr, err);
		*c++ = (struct etc_column){
			.name = "self", .title = title.ptr, ETC_FORM_TEXT, .right = true
		};
		*c++ = (struct etc_column){ .name = "share", .title = "share", ETC_FORM_SHARE };
		if (has_slope(&t->kinds[s->kinds[i]]))
			*c++ = (struct etc_column){ .name = "slope",
				                    .title = t->positions
				                                     ? "per 1,000 tokens (95 %)"
				                                     : "per 1,000 runs (95 %)",
				                    ETC_FORM_TEXT,
				                    .right = true,
				                    .optional = true };
	}
	s->column_count = (uint32_t)(c - s->columns);
	return ETC_OK;
}

/* For each shown kind, maps the name of an operator to its row with the self time (`self`) and to
 * its row with the slope (`slope`). */
static enum etc_status map_rows(struct etc_tokens *t, struct side *s, const uint32_t *rows,
                                uint32_t count, struct etc_error *err)
{
	for (uint32_t k = 0; k < s->kind_count; k++) {
		etc_map_init(&s->self[k], &t->s->arena);
		etc_map_init(&s->slope[k], &t->s->arena);
		for (uint32_t i = 0; i < count; i++) {
			const struct etc_token_row *r = &t->rows[rows[i]];
			bool self = strcmp(r->measure, "self") == 0;

			if (r->name.len && etc_str_eq(r->kind, t->kinds[s->kinds[k]].name) &&
			    etc_map_add(self ? &s->self[k] : &s->slope[k], r->name, rows[i]) ==
			            ETC_MAP_NONE)
				return etc_no_memory(err);
		}
	}
	return ETC_OK;
}

static const struct etc_token_row *row_in(const struct etc_tokens *t, const struct etc_map *map,
                                          struct etc_str name)
{
	size_t at = etc_map_get(map, name);

	return at == ETC_MAP_NONE ? NULL : &t->rows[at];
}

/* An operator has a row for each kind of run, but only one line on the screen. This line is written
 * at the operator's row of the last shown kind that has the operator. Is t->rows[at] (`row`), a row
 * of kind `k`, that row? Other rows of the operator, such as that of its slope, are not. */
static bool leads(const struct side *s, const struct etc_token_row *row, size_t at, uint32_t k)
{
	if (!row->name.len || etc_map_get(&s->self[k], row->name) != at)
		return false;
	for (uint32_t l = k + 1; l < s->kind_count; l++)
		if (etc_map_get(&s->self[l], row->name) != ETC_MAP_NONE)
			return false;
	return true;
}

static struct etc_cell *put_side(struct etc_tokens *t, const struct side *s, struct etc_str name,
                                 struct etc_cell *cells)
{
	*cells++ = etc_cell_text(name);
	for (uint32_t k = 0; k < s->kind_count; k++) {
		const struct etc_token_row *self = row_in(t, &s->self[k], name);
		const struct etc_token_row *slope = row_in(t, &s->slope[k], name);

		*cells++ = self ? etc_cell_text(amount(t, self)) : etc_cell_blank();
		*cells++ = self ? number(true, self->share) : etc_cell_blank();
		if (has_slope(&t->kinds[s->kinds[k]]))
			*cells++ = slope && slope->known ? etc_cell_text(interval(t, slope))
			                                 : etc_cell_blank();
	}
	return cells;
}

/* Makes one row per operator. The operators of the last shown kind (usually decode) come first,
 * then the operators that only earlier kinds have. Sets `more` to the number of rows that --top
 * leaves out. */
static enum etc_status side_table(struct etc_tokens *t, struct side *s, const uint32_t *rows,
                                  uint32_t count, struct etc_table *out, uint32_t *more,
                                  struct etc_error *err)
{
	const uint32_t top = t->plan.top && t->plan.top < count ? t->plan.top : count;
	struct etc_cell *cells;

	ETC_TRY(side_columns(t, s, err));
	ETC_TRY(map_rows(t, s, rows, count, err));
	cells = etc_new(&t->s->arena, struct etc_cell, (size_t)top * s->column_count);
	ETC_NEED(cells, err);
	*out = (struct etc_table){ .columns = s->columns,
		                   .column_count = s->column_count,
		                   .cells = cells };
	*more = 0;
	for (uint32_t k = s->kind_count; k-- > 0;)
		for (uint32_t i = 0; i < count; i++) {
			const struct etc_token_row *row = &t->rows[rows[i]];

			if (!leads(s, row, rows[i], k))
				continue;
			if (out->row_count == top) {
				++*more;
				continue;
			}
			out->row_count++;
			cells = put_side(t, s, row->name, cells);
		}
	return ETC_OK;
}

static struct etc_str kinds_line(struct etc_tokens *t)
{
	struct etc_text text = { 0 };

	for (uint32_t k = 0; k < t->kind_count; k++) {
		etc_text_printf(&text, "%s%zu", k ? ", " : "", t->kinds[k].runs);
		etc_text_cstr(&text, t->told ? " " : "");
		etc_text_shown(&text, t->told ? t->kinds[k].name : ETC_STR_NONE);
	}
	etc_text_printf(&text, " run%s in %zu generation%s of %u file%s", etc_plural(t->run_count),
	                t->generation_count, etc_plural(t->generation_count), t->input_count,
	                etc_plural(t->input_count));
	return etc_text_keep(&text, &t->s->arena);
}

/* Reports each condition of --where that compares a column with a value which no row has. The first
 * row is not searched, because the screen shows it as a line above the tables. */
static void remark_selection(struct etc_tokens *t, const struct etc_table *all)
{
	struct etc_table shown = *all;

	if (t->shown_count || !shown.row_count)
		return;
	shown.cells += shown.column_count;
	shown.row_count--;
	etc_selection_remark(&t->plan.selection, &shown, &t->s->notes);
}

/* State for making the rows of the table that other programs read, and for adding to each row the
 * numbers that the screen shows about the same operator. */
struct maker {
	struct etc_tokens *t;
	struct side side;
};

static void make_selectable(void *of, uint32_t r, struct etc_cell *to)
{
	struct maker *m = of;
	struct side *s = &m->side;
	const struct etc_token_row *row = &m->t->rows[r];

	make_row(m->t, row, to);
	to += COLUMNS;
	for (uint32_t k = 0; k < s->kind_count && row->name.len; k++) {
		const struct etc_token_row *self = row_in(m->t, &s->self[k], row->name);
		const struct etc_token_row *slope = row_in(m->t, &s->slope[k], row->name);

		*to++ = number(self && self->known, self ? self->v.value : 0);
		*to++ = number(slope && slope->known, slope ? slope->v.low : 0);
		*to++ = number(slope && slope->known, slope ? slope->v.high : 0);
	}
}

/* Appends columns to the table that other programs read. They are the columns of the screen's table
 * of operators: for each kind of run, the self time, and both ends of the slope's interval. A
 * condition on one of these columns selects operators with all their rows, so that the line on the
 * screen is complete. */
static enum etc_status add_headings(struct etc_tokens *t, struct maker *m, struct etc_table *all,
                                    struct etc_error *err)
{
	struct etc_column *to = etc_new(&t->s->arena, struct etc_column, COLUMNS + 3 * SHOWN_KINDS);
	uint32_t *rows = etc_new(&t->s->arena, uint32_t, t->row_count);
	const struct etc_column *shown = m->side.columns + 1;

	ETC_NEED(to && rows, err);
	for (uint32_t r = 0; r < t->row_count; r++)
		rows[r] = r;
	ETC_TRY(side_columns(t, &m->side, err));
	ETC_TRY(map_rows(t, &m->side, rows, t->row_count, err));
	memcpy(to, columns, sizeof columns);
	all->columns = to;
	to += COLUMNS;
	for (uint32_t k = 0; k < m->side.kind_count; k++, to += 3, shown += 2) {
		const struct etc_column time = { .typed = true,
			                         ETC_FORM_REAL,
			                         .style = etc_tokens_in_ns(t) ? ETC_STYLE_TIME
			                                                      : ETC_STYLE_PLAIN };

		to[0] = to[1] = to[2] = time;
		to[0].name = to[0].title = shown[0].title;
		to[1].name = "slope, low";
		to[2].name = "slope, high";
		to[1].extra = to[2].extra = true;
		if (!has_slope(&t->kinds[m->side.kinds[k]]))
			continue;
		to[1].alias = to[2].alias = shown[2].title;
		to[1].upper = 1 + (uint32_t)(to + 2 - all->columns);
		shown++;
	}
	all->column_count = (uint32_t)(to - all->columns);
	return ETC_OK;
}

enum etc_status etc_tokens_select(struct etc_tokens *t, struct etc_error *err)
{
	struct maker maker = { .t = t };
	struct etc_table all = { .make = make_selectable, .of = &maker, .row_count = t->row_count };

	ETC_TRY(add_headings(t, &maker, &all, err));
	ETC_TRY(etc_table_fill(&all, &t->s->arena, err));
	ETC_TRY(etc_selection_rows(&t->plan.selection, &all, NULL, &t->s->arena, &t->shown,
	                           &t->shown_count, err));
	remark_selection(t, &all);
	return etc_selection_table(&t->plan.selection, &all, t->shown, t->shown_count, &t->s->arena,
	                           &t->selected, err);
}

enum etc_status etc_tokens_write(struct etc_tokens *t, struct etc_text *out, struct etc_error *err)
{
	struct etc_arena *arena = &t->s->arena;
	const struct etc_screen screen = etc_session_screen(t->s, &t->o->common);
	struct etc_report_block blocks[2] = { 0 };
	struct etc_report report = { .schema = "etcore.tokens/1",
		                     .notes = &t->s->notes,
		                     .rows = t->selected,
		                     .blocks = blocks,
		                     .block_count = 2 };
	struct etc_report_file *files =
		etc_new(arena, struct etc_report_file, t->input_count * ETC_FILE_KINDS);
	struct etc_str head[2] = { kinds_line(t), etc_arena_printf(arena, "told by: " ETC_STR_FMT,
		                                                   ETC_STR_ARG(t->how)) };
	uint32_t more = 0;
	struct side side;

	ETC_NEED(files, err);
	for (uint32_t i = 0; i < t->input_count; i++)
		report.file_count +=
			etc_list_files(&t->inputs[i], etc_targets_want_hashes(&t->targets), arena,
		                       files + report.file_count);
	report.files = files;
	blocks[0].head = head;
	blocks[0].head_count = 2;
	ETC_TRY(whole_table(t, t->shown, t->shown_count, &blocks[0].table, err));
	ETC_TRY(side_table(t, &side, t->shown, t->shown_count, &blocks[1].table, &more, err));
	if (!blocks[1].table.row_count)
		report.block_count = 1;
	if (more)
		report.more =
			etc_arena_printf(arena, "(%u more operators; --top 0 shows all)", more);
	return etc_targets_tables(&t->targets, &report, &report, 1, &screen, out, err);
}
