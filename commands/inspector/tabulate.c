/* tabulate.c -- print_data_tabular: reproduces tabulate(df, headers="keys",
 * tablefmt="fancy_grid") of tabulate 0.10 without wcwidth.
 *
 * Three passes over the rows: types, widths, lines. Texts are made twice instead of being
 * stored, so the table of a million events needs memory for one row. */
#include "commands/inspector/tabulate.h"

#include "base/digits.h"
#include "base/number.h"

/* Is it the text of the previous row? Blocks and backends fill long columns with equal texts. */
static bool is_seen(struct etc_str *seen, struct etc_str s)
{
	bool same = seen->ptr == s.ptr && seen->len == s.len;

	*seen = s;
	return same && s.ptr;
}

/* ---- types ------------------------------------------------------------------------ */

static void look_at(struct etc_tab *t, struct etc_str s)
{
	if (!s.len || etc_text_is_plain(s))
		return;
	t->multiline = t->multiline || memchr(s.ptr, '\n', s.len) || memchr(s.ptr, '\r', s.len);
	t->invisible = t->invisible || (memchr(s.ptr, '\x1b', s.len) && etc_tab_has_ansi(s));
}

/* The most generic type that cells of the column can have. */
static enum etc_tab_type last_type(const struct etc_tab *t, uint32_t column)
{
	enum etc_frame_kind kind = column ? etc_frame_column_kind(t->f, column - 1) : ETC_FRAME_INT;

	return kind == ETC_FRAME_BOOL    ? ETC_TAB_BOOL
	       : kind == ETC_FRAME_INT   ? ETC_TAB_INT
	       : kind == ETC_FRAME_FLOAT ? ETC_TAB_FLOAT
	                                 : ETC_TAB_STR;
}

/* State of the type detection of a column: all texts are examined, other values only as
 * long as they can change the result. */
struct look {
	enum etc_tab_type last;
	bool text, done;
	struct etc_str seen; /* text of the previous row */
};

static void look_at_cell(struct etc_tab *t, struct look *l, const struct etc_tab_row *r,
                         uint32_t column)
{
	struct etc_tab_column *c = &t->columns[column];
	struct etc_frame_cell cell = etc_tab_cell(t, r, column);
	enum etc_tab_type type;

	if (cell.kind == ETC_FRAME_STR) {
		if (is_seen(&l->seen, cell.s))
			return;
		if (!cell.plain)
			look_at(t, cell.s);
	}
	type = c->type < ETC_TAB_STR ? etc_tab_type_of(&cell) : c->type;
	c->type = type > c->type ? type : c->type;
	l->done = !l->text && c->type >= l->last;
}

/* Detects the types of the columns, and whether some text has several lines or an escape
 * sequence. */
static void look_at_all(struct etc_tab *t, struct look *looks)
{
	enum {
		TOGETHER = 4096
	}; /* number of rows examined column by column while they are in the
	                           * cache */
	struct etc_tab_row first = { 0 };
	uint32_t rows = t->f->row_count, to;

	for (uint32_t k = 0; k < t->count; k++) {
		look_at(t, t->columns[k].header);
		t->columns[k].type = rows ? ETC_TAB_BOOL : ETC_TAB_STR;
		looks[k].last = last_type(t, k);
		looks[k].text = k && etc_frame_column_kind(t->f, k - 1) == ETC_FRAME_STR;
	}
	for (uint32_t from = 0; from < rows; from = to) {
		to = rows - from < TOGETHER ? rows : from + TOGETHER;
		etc_tab_go(t, &first, from);
		for (uint32_t k = 0; k < t->count; k++) {
			struct etc_tab_row r = first;

			for (uint32_t i = from; i < to && !looks[k].done; i++) {
				etc_tab_go(t, &r, i);
				look_at_cell(t, &looks[k], &r, k);
			}
		}
	}
}

/* ---- widths ------------------------------------------------------------------------ */

/* Widths of values aligned at the point are counted without the digits after it, until the
 * maximum of the column is known. */
static void widen(struct etc_tab_column *c, size_t w, int behind)
{
	if (c->type == ETC_TAB_FLOAT) {
		c->decimals = behind > c->decimals ? behind : c->decimals;
		w = behind < 0 ? w + 1 : w - (size_t)behind;
	}
	c->width = w > c->width ? w : c->width;
}

static void measure_cell(const struct etc_tab *t, struct etc_tab_row *r, uint32_t column,
                         struct etc_str *seen)
{
	struct etc_tab_column *c = &t->columns[column];
	struct etc_frame_cell cell = etc_tab_cell(t, r, column);
	struct etc_str s;
	size_t w;

	if (cell.kind == ETC_FRAME_OBJECT && etc_frame_is_plain(t->f, &r->at, column - 1)) {
		widen(c, etc_frame_plain_width(t->f, &r->at, column - 1, &r->widths), -1);
		return;
	}
	if (etc_tab_is_plain(c, &cell, &s)) {
		widen(c, s.len, -1);
		return;
	}
	if (cell.kind == ETC_FRAME_STR && c->type == ETC_TAB_STR && is_seen(seen, cell.s))
		return;
	s = etc_tab_aligned(c, etc_tab_format(t, r, column, cell));
	w = etc_tab_width(t, s);
	c->has_wide = c->has_wide || w != s.len;
	widen(c, w, c->type == ETC_TAB_FLOAT ? etc_tab_behind(&cell, s) : -1);
}

/* Numbers from the first bound on need no more digits after the point in %g than the column
 * has; numbers below the second need no more digits before it, also when rounded up. Both hold
 * for numbers written without exponent. */
static void bound(struct etc_tab_column *c)
{
	/* clang-format off */
	static const double powers[] = { 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6 };
	/* clang-format on */
	enum { ONE = 4, DIGITS = 6, MOST = DIGITS - 1 + ONE };
	size_t whole = c->width < DIGITS + 1 ? c->width - 1 : DIGITS;

	if (c->width < 2 || c->decimals < 0)
		return;
	c->usual = powers[c->decimals < MOST ? MOST - c->decimals : 0];
	c->large = powers[ONE + whole] * 0.999999;
}

static void measure_row(const struct etc_tab *t, struct etc_tab_row *r, struct look *looks)
{
	for (uint32_t k = 1; k < t->count; k++) {
		struct etc_tab_column *c = &t->columns[k];

		if (c->stat) {
			double v = etc_insp_stat(r->at.b, r->at.event, *c->stat);
			size_t w;
			int behind;

			if (v >= c->usual && v < c->large)
				continue;
			w = etc_number_g_size(v, &behind);
			widen(c, w, behind);
			bound(c);
		} else {
			measure_cell(t, r, k, &looks[k].seen);
		}
	}
}

static enum etc_status measure(struct etc_tab *t, struct look *looks, struct etc_error *err)
{
	uint32_t rows = t->f->row_count;
	struct etc_tab_row r = { 0 };
	bool failed;

	for (uint32_t k = 0; k < t->count; k++) {
		struct etc_tab_column *c = &t->columns[k];

		c->numeric = c->type == ETC_TAB_INT || c->type == ETC_TAB_FLOAT;
		c->decimals = -1;
		if (k && t->f->columns[k - 1].as_float)
			c->stat = &t->f->columns[k - 1].stat;
	}
	if (rows)
		t->columns[0].width = etc_digits_of(rows - 1);
	for (uint32_t i = 0; i < rows; i++) {
		etc_tab_go(t, &r, i);
		r.widths.rows = rows - i;
		measure_row(t, &r, looks);
	}
	failed = r.cell.failed;
	etc_text_release(&r.cell);
	for (uint32_t k = 0; k < t->count; k++) {
		struct etc_tab_column *c = &t->columns[k];
		size_t header = etc_tab_width(t, c->header) + 2;

		if (c->type == ETC_TAB_FLOAT)
			c->width = c->decimals < 0 ? c->width - 1 : c->width + (size_t)c->decimals;
		c->width = c->width > header ? c->width : header;
	}
	return failed ? etc_fail(err, E0903, "the table") : ETC_OK;
}

enum etc_status etc_insp_table(struct etc_inspector *in, const struct etc_insp_switches *switches,
                               struct etc_text *out, struct etc_error *err)
{
	struct etc_frame f;
	struct etc_tab t = { .f = &f };
	struct look *looks;

	ETC_TRY(etc_frame_make(in, switches, true, &f, err));
	t.count = f.column_count + 1;
	t.columns = etc_new(in->arena, struct etc_tab_column, t.count);
	looks = etc_new(in->arena, struct look, t.count);
	ETC_NEED(t.columns && looks, err);
	for (uint32_t c = 0; c < f.column_count; c++)
		t.columns[c + 1].header = f.columns[c].name;
	look_at_all(&t, looks);
	for (uint32_t c = 0; c < t.count; c++)
		looks[c].seen = ETC_STR_NONE;
	ETC_TRY(measure(&t, looks, err));
	/* Without rows there is no index column either. */
	if (!f.row_count) {
		t.columns++;
		t.count--;
	}
	etc_tab_rule(&t, (struct etc_tab_rule){ "╒", "═", "╤", "╕" }, out);
	etc_tab_header(&t, out);
	etc_tab_rule(&t, (struct etc_tab_rule){ "╞", "═", "╪", "╡" }, out);
	etc_tab_rows(&t, out);
	etc_tab_rule(&t, (struct etc_tab_rule){ "╘", "═", "╧", "╛" }, out);
	return out->failed ? etc_fail(err, E0903, "the table") : ETC_OK;
}
