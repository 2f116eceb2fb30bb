/* layout.c -- see layout.h */
#include "table/layout.h"

#include <math.h>

#include "base/number.h"
#include "table/formats.h"

static const struct etc_cell *cell_of(const struct etc_table *t, uint32_t r, uint32_t c)
{
	return &t->cells[(size_t)r * t->column_count + c];
}

/* Returns the index of the first column called `name` that has a value in some row; the number of
 * columns if there is none. */
static uint32_t column_called(const struct etc_table *t, const char *name)
{
	for (uint32_t c = 0; c < t->column_count; c++)
		for (uint32_t r = 0; r < t->row_count && strcmp(t->columns[c].name, name) == 0; r++)
			if (cell_of(t, r, c)->kind != ETC_CELL_BLANK)
				return c;
	return t->column_count;
}

static const struct {
	const char *name;
	double ns;
} units[] = { { "ns", 1 }, { "\xc2\xb5s", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
enum { UNITS = sizeof units / sizeof units[0] };

/* Chooses one unit for all times of the table. If `unit_ns` is above 0, it is the unit. Otherwise
 * the unit is the one that suits the largest time, or a smaller one if more than half of the times
 * would have only one significant digit, such as 0.07. If the table has a column "path", rows
 * without a path (loads) do not count. */
static void choose_unit(struct etc_layout *l, double unit_ns)
{
	size_t count = 0, small[UNITS][2] = { { 0 } }, u = UNITS - 1;
	const uint32_t path = l->path = column_called(l->t, "path");
	double most = 0;

	for (uint32_t r = 0; r < l->t->row_count; r++)
		for (uint32_t c = 0; c < l->t->column_count; c++) {
			double v;

			if (path < l->t->column_count &&
			    cell_of(l->t, r, path)->kind == ETC_CELL_BLANK)
				continue;
			if (l->t->columns[c].style != ETC_STYLE_TIME ||
			    !etc_cell_number(cell_of(l->t, r, c), &v) || v <= 0)
				continue;
			most = v > most ? v : most;
			count++;
			for (size_t i = 0; i < UNITS; i++)
				/* small[i][k]: number of values that would have at most one
				 * significant digit in unit `i`, with three decimals (k = 0) or
				 * with two (k = 1) */
				for (int k = 0; k < 2; k++)
					small[i][k] += v < units[i].ns / (k ? 10 : 100);
		}
	if (unit_ns > 0)
		while (u > 0 && units[u].ns != unit_ns)
			u--;
	else
		while (u > 0 &&
		       (most < units[u].ns || small[u][most >= 10 * units[u].ns] * 2 > count))
			u--;
	l->unit = units[u].name;
	l->unit_ns = units[u].ns;
	l->decimals = u == 0 ? 1 : most / l->unit_ns < 10 ? 3 : 2;
	for (double least = 1; unit_ns > 0 && u > 0 && l->decimals < 6 && most / l->unit_ns < least;
	     least /= 10)
		l->decimals++;
}

static void put_fixed(struct etc_text *out, double v, int decimals)
{
	char number[ETC_NUMBER_MAX];

	etc_text_put(out, (struct etc_str){ number, etc_number_fixed(number, v, decimals) });
}

/* Writes "+18", "+0.5" or "+0.006": two significant digits, without trailing zeros. */
static void put_bound(struct etc_text *out, double v)
{
	char number[ETC_NUMBER_MAX];
	int decimals = 0;
	size_t n;

	for (double least = 10; v > 0 && v < least && decimals < 6; least /= 10)
		decimals++;
	n = etc_number_fixed(number, v, decimals);
	while (decimals && n && number[n - 1] == '0')
		n--;
	n -= n && number[n - 1] == '.';
	etc_text_char(out, '+');
	etc_text_put(out, (struct etc_str){ number, n });
}

/* Writes a time such as "50.13 ms", in the unit that suits the largest time of its row. */
static void put_row_time(struct etc_text *out, const struct etc_table *t, uint32_t r, double ns)
{
	double most = 0, v;
	size_t u = UNITS - 1;

	for (uint32_t c = 0; c < t->column_count; c++)
		if (t->columns[c].style == ETC_STYLE_ROW_TIME &&
		    etc_cell_number(cell_of(t, r, c), &v))
			most = fmax(most, fabs(v));
	while (u > 0 && most < units[u].ns)
		u--;
	put_fixed(out, ns / units[u].ns, u == 0 ? 0 : most < 10 * units[u].ns ? 3 : 2);
	etc_text_printf(out, " %s", units[u].name);
}

static void put_list(struct etc_text *out, struct etc_str list)
{
	uint32_t more;

	etc_text_shown(out, etc_list_head(list, &more));
	if (more)
		etc_text_printf(out, " and %u more", more);
}

static void put_cell(struct etc_layout *l, uint32_t r, uint32_t at)
{
	const struct etc_column *column = &l->t->columns[at];
	const struct etc_cell *c = cell_of(l->t, r, at);
	struct etc_text *out = &l->cells;
	double v;

	if (column->style == ETC_STYLE_BOUND) {
		if (c->kind == ETC_CELL_REAL)
			put_bound(out, c->f / l->unit_ns);
		return;
	}
	if (c->kind == ETC_CELL_TEXT && column->style == ETC_STYLE_LIST)
		put_list(out, c->s);
	else if (c->kind == ETC_CELL_TEXT)
		etc_text_shown(out, c->s);
	else if (c->kind == ETC_CELL_LIST)
		etc_text_shown(out, c->list->joined);
	else if (column->style == ETC_STYLE_TIME && etc_cell_number(c, &v))
		put_fixed(out, v / l->unit_ns, l->decimals);
	else if (column->style == ETC_STYLE_ROW_TIME && etc_cell_number(c, &v))
		put_row_time(out, l->t, r, v);
	else if (column->style == ETC_STYLE_SHARE && etc_cell_number(c, &v)) {
		put_fixed(out, v * 100, 1);
		etc_text_cstr(out, " %");
	} else if (column->style == ETC_STYLE_NUMBER && c->kind == ETC_CELL_REAL) {
		char text[ETC_NUMBER_MAX];

		etc_text_put(out, (struct etc_str){ text, etc_number_g(text, c->f) });
	} else if (c->kind == ETC_CELL_REAL)
		put_fixed(out, c->f, 2);
	else
		etc_write_plain(out, c);
}

struct etc_str etc_layout_cell(const struct etc_layout *l, uint32_t r, uint32_t c)
{
	size_t i = (size_t)r * l->t->column_count + c;

	return (struct etc_str){ l->cells.ptr ? l->cells.ptr + l->at[i] : NULL,
		                 l->at[i + 1] - l->at[i] };
}

struct etc_str etc_layout_title(const struct etc_layout *l, uint32_t c)
{
	return etc_str_of(l->titles[c] ? l->titles[c] : l->t->columns[c].title);
}

/* Escapes unprintable characters in the titles, because a title may be the name of a file. */
static bool clean_titles(struct etc_layout *l, struct etc_arena *arena)
{
	for (uint32_t c = 0; c < l->t->column_count; c++) {
		struct etc_text clean = { 0 };
		struct etc_str title = etc_layout_title(l, c);

		etc_text_clean(&clean, title, "");
		if (clean.failed)
			return false;
		if (!etc_str_eq(etc_text_str(&clean), title))
			l->titles[c] = etc_arena_cstr(arena, etc_text_str(&clean));
		etc_text_release(&clean);
	}
	return true;
}

bool etc_layout_make(struct etc_layout *l, const struct etc_table *t, double unit_ns,
                     struct etc_arena *arena)
{
	size_t n = (size_t)t->row_count * t->column_count;

	*l = (struct etc_layout){ .t = t };
	l->at = etc_new(arena, size_t, n + 1);
	l->width = etc_new(arena, size_t, t->column_count);
	l->shown = etc_new(arena, bool, t->column_count);
	l->titles = etc_new(arena, const char *, t->column_count);
	if (!l->at || !l->width || !l->shown || !l->titles)
		return false;
	choose_unit(l, unit_ns);
	for (uint32_t c = 0; c < t->column_count; c++)
		if (t->columns[c].style == ETC_STYLE_TIME &&
		    (c + 1 == t->column_count || !etc_is_unit_place(&t->columns[c + 1])))
			l->titles[c] =
				etc_arena_printf(arena, "%s %s", t->columns[c].title, l->unit).ptr;
	if (!clean_titles(l, arena))
		return false;
	for (uint32_t r = 0; r < t->row_count; r++)
		for (uint32_t c = 0; c < t->column_count; c++) {
			l->at[(size_t)r * t->column_count + c] = l->cells.len;
			put_cell(l, r, c);
		}
	l->at[n] = l->cells.len;
	for (uint32_t c = 0; c < t->column_count; c++) {
		bool any = false;

		l->width[c] = etc_utf8_width(etc_layout_title(l, c));
		for (uint32_t r = 0; r < t->row_count; r++) {
			size_t w = etc_utf8_width(etc_layout_cell(l, r, c));

			any = any || w;
			l->width[c] = w > l->width[c] ? w : l->width[c];
		}
		l->shown[c] = any || etc_is_unit_place(&t->columns[c]);
		if (etc_is_unit_place(&t->columns[c]))
			l->width[c] += (l->width[c] > 0) + etc_utf8_width(etc_str_of(l->unit));
	}
	return !l->cells.failed;
}
