/* tabulate.c -- print_data_tabular: tabulate(df, headers="keys",
 * tablefmt="fancy_grid") of tabulate 0.10 without wcwidth.
 *
 * Three passes over the rows: types, widths, lines. Texts are made twice rather
 * than kept: the table of a million events needs one row of memory. */
#include "inspector/tabulate.h"

#include "base/digits.h"
#include "base/number.h"

/* The text that the row before had. Blocks and backends fill long columns. */
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

/* The last type that the cells of a column can have, whatever comes. */
static enum etc_tab_type last_type(const struct etc_tab *t, uint32_t column)
{
	if (column == 0)
		return ETC_TAB_INT;
	return etc_frame_column_kind(t->f, column - 1) == ETC_FRAME_FLOAT ? ETC_TAB_FLOAT
	                                                                  : ETC_TAB_STR;
}

/* What is still asked of a column: of texts all are looked at, of others what can still
 * matter. */
struct look {
	enum etc_tab_type last;
	bool text, done;
	struct etc_str seen; /* text of the row before */
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
		look_at(t, cell.s);
	}
	type = c->type < ETC_TAB_STR ? etc_tab_type_of(&cell) : c->type;
	c->type = type > c->type ? type : c->type;
	l->done = !l->text && c->type >= l->last;
}

/* What the columns are, and whether some text has several lines or an escape sequence. */
static enum etc_status look_at_all(struct etc_tab *t, struct etc_error *err)
{
	struct look *looks = etc_new(t->f->in->arena, struct look, t->count);
	struct etc_tab_row r = { 0 };
	bool done = false;

	if (!looks)
		return etc_fail(err, E0904, "columns");
	for (uint32_t k = 0; k < t->count; k++) {
		look_at(t, t->columns[k].header);
		t->columns[k].type = t->f->row_count ? ETC_TAB_BOOL : ETC_TAB_STR;
		looks[k].last = last_type(t, k);
		looks[k].text = k && etc_frame_column_kind(t->f, k - 1) == ETC_FRAME_STR;
	}
	for (uint32_t i = 0; i < t->f->row_count && !done; i++) {
		etc_tab_go(t, &r, i);
		done = true;
		for (uint32_t k = 0; k < t->count; k++) {
			if (!looks[k].done)
				look_at_cell(t, &looks[k], &r, k);
			done = done && looks[k].done;
		}
	}
	return ETC_OK;
}

/* ---- widths ------------------------------------------------------------------------ */

/* Widths of what is aligned at its point are counted without the places after it
 * until those of the whole column are known. */
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

	if (cell.kind == ETC_FRAME_OBJECT && etc_frame_plain_width(t->f, &r->at, column - 1, &w)) {
		widen(c, w, -1);
		return;
	}
	if (cell.kind == ETC_FRAME_STR && c->type == ETC_TAB_STR && is_seen(seen, cell.s))
		return;
	s = etc_tab_aligned(c, etc_tab_format(t, r, column, cell));
	w = etc_tab_width(t, s);
	c->has_wide = c->has_wide || w != s.len;
	widen(c, w, c->type == ETC_TAB_FLOAT ? etc_tab_behind(&cell, s) : -1);
}

static void measure_row(const struct etc_tab *t, struct etc_tab_row *r, struct etc_str *seen)
{
	for (uint32_t k = 1; k < t->count; k++) {
		struct etc_tab_column *c = &t->columns[k];

		if (c->stat) {
			int behind;
			size_t w = etc_number_g_size(r->at.e->stats[*c->stat], &behind);

			widen(c, w, behind);
		} else {
			measure_cell(t, r, k, &seen[k]);
		}
	}
}

static enum etc_status measure(struct etc_tab *t, struct etc_error *err)
{
	struct etc_str *seen = etc_new(t->f->in->arena, struct etc_str, t->count);
	struct etc_tab_row r = { 0 };
	bool failed;

	if (!seen)
		return etc_fail(err, E0904, "columns");
	for (uint32_t k = 0; k < t->count; k++) {
		struct etc_tab_column *c = &t->columns[k];

		c->numeric = c->type == ETC_TAB_INT || c->type == ETC_TAB_FLOAT;
		c->decimals = -1;
		if (k && t->f->columns[k - 1].as_float)
			c->stat = &t->f->columns[k - 1].stat;
	}
	if (t->f->row_count)
		t->columns[0].width = etc_digits_of(t->f->row_count - 1);
	for (uint32_t i = 0; i < t->f->row_count; i++) {
		etc_tab_go(t, &r, i);
		measure_row(t, &r, seen);
	}
	for (uint32_t k = 0; k < t->count; k++) {
		struct etc_tab_column *c = &t->columns[k];
		size_t header = etc_tab_width(t, c->header) + 2;

		if (c->type == ETC_TAB_FLOAT)
			c->width = c->decimals < 0 ? c->width - 1 : c->width + (size_t)c->decimals;
		c->width = c->width > header ? c->width : header;
	}
	failed = r.cell.failed;
	etc_text_release(&r.cell);
	return failed ? etc_fail(err, E0903, "the table") : ETC_OK;
}

enum etc_status etc_insp_table(struct etc_inspector *in, const struct etc_insp_switches *switches,
                               struct etc_text *out, struct etc_error *err)
{
	struct etc_frame f;
	struct etc_tab t = { .f = &f };

	ETC_TRY(etc_frame_make(in, switches, true, &f, err));
	t.count = f.column_count + 1;
	t.columns = etc_new(in->arena, struct etc_tab_column, t.count);
	if (!t.columns)
		return etc_fail(err, E0904, "columns");
	for (uint32_t c = 0; c < f.column_count; c++)
		t.columns[c + 1].header = f.columns[c].name;
	ETC_TRY(look_at_all(&t, err));
	ETC_TRY(measure(&t, err));
	/* Without rows there is no index column either. */
	if (!f.row_count) {
		t.columns++;
		t.count--;
	}
	etc_tab_rule(&t, (struct etc_tab_rule){ "╒", "═", "╤", "╕" }, out);
	etc_tab_header(&t, out);
	etc_tab_rule(&t, (struct etc_tab_rule){ "╞", "═", "╪", "╡" }, out);
	etc_tab_rows(&t, 0, f.row_count, out);
	etc_tab_rule(&t, (struct etc_tab_rule){ "╘", "═", "╧", "╛" }, out);
	return out->failed ? etc_fail(err, E0903, "the table") : ETC_OK;
}
