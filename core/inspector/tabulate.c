/* tabulate.c -- print_data_tabular: tabulate(df, headers="keys",
 * tablefmt="fancy_grid") of tabulate 0.10 without wcwidth.
 *
 * Three passes over the rows: types, widths, lines. Texts are made twice rather
 * than kept: the table of a million events needs one row of memory. */
#include <stdlib.h>

#include "base/number.h"
#include "base/memory.h"
#include "inspector/celltype.h"
#include "inspector/frame.h"
#include "inspector/pyrepr.h"

struct column {
	struct etc_str header;
	enum etc_tab_type type;
	int decimals; /* of the column, when numeric */
	size_t width;
	bool numeric;
	struct etc_str seen; /* text of the row before */
};

struct table {
	const struct etc_frame *f;
	struct column *columns; /* [0] is the index */
	uint32_t count;
	bool multiline, invisible;
	struct etc_text cell, line;
};

/* ---- cells ----------------------------------------------------------------------- */

static enum etc_tab_type type_of(const struct etc_frame_cell *c)
{
	switch (c->kind) {
	case ETC_FRAME_NONE:
		return ETC_TAB_NONE;
	case ETC_FRAME_BOOL:
		return ETC_TAB_BOOL;
	case ETC_FRAME_INT:
		return ETC_TAB_INT;
	case ETC_FRAME_NAN:
	case ETC_FRAME_FLOAT:
		return ETC_TAB_FLOAT;
	case ETC_FRAME_STR:
		return etc_tab_type(c->s);
	default:
		return ETC_TAB_STR;
	}
}

static void put_g(struct etc_text *t, double v)
{
	char *to = etc_text_reserve(t, ETC_NUMBER_MAX);

	if (to)
		t->len += etc_number_g(to, v);
}

/* format(float(val), "g") of a text; what is no number stays. */
static void put_text_as_float(struct table *t, struct etc_str s, struct etc_text *out)
{
	struct etc_text plain = { 0 }, formatted = { 0 };
	struct etc_str p;
	double v;
	size_t at;

	if (t->invisible) {
		etc_tab_strip_ansi(s, &plain);
	} else {
		for (size_t i = 0; i < s.len; i++)
			if (s.ptr[i] != ',')
				etc_text_char(&plain, s.ptr[i]);
	}
	p = etc_text_str(&plain);
	if (!etc_py_is_float(p, &v)) {
		etc_text_put(out, t->invisible ? s : p);
	} else {
		put_g(&formatted, v);
		at = t->invisible && p.len ? etc_str_find(s, p, 0) : SIZE_MAX;
		if (t->invisible && at == SIZE_MAX) {
			etc_text_put(out, s);
		} else {
			etc_text_put(out, t->invisible ? etc_str_sub(s, 0, at) : ETC_STR_NONE);
			etc_text_put(out, etc_text_str(&formatted));
			if (t->invisible)
				etc_text_put(out, etc_str_sub(s, at + p.len, s.len));
		}
	}
	etc_text_release(&plain);
	etc_text_release(&formatted);
}

static struct etc_frame_cell cell_at(const struct table *t, uint32_t row, uint32_t column)
{
	if (column == 0)
		return (struct etc_frame_cell){ .kind = ETC_FRAME_INT, .i = row };
	return etc_frame_cell(t->f, row, column - 1);
}

/* _format: the value of a cell in a column of `type`, into t->cell. */
static struct etc_str format(struct table *t, uint32_t row, uint32_t column,
                             struct etc_frame_cell c)
{
	enum etc_tab_type type = t->columns[column].type;
	struct etc_text *out = &t->cell;

	out->len = 0;
	switch (c.kind) {
	case ETC_FRAME_NONE:
		break;
	case ETC_FRAME_BOOL:
		if (type == ETC_TAB_FLOAT || type == ETC_TAB_INT)
			etc_text_char(out, c.i ? '1' : '0');
		else
			etc_text_cstr(out, c.i ? "True" : "False");
		break;
	case ETC_FRAME_INT:
		if (type == ETC_TAB_FLOAT)
			put_g(out, (double)c.i);
		else
			etc_text_i64(out, c.i);
		break;
	case ETC_FRAME_NAN:
		etc_text_cstr(out, "nan");
		break;
	case ETC_FRAME_FLOAT:
		if (type == ETC_TAB_FLOAT)
			put_g(out, c.f);
		else
			etc_py_float(out, c.f);
		break;
	case ETC_FRAME_STR:
		if (type != ETC_TAB_FLOAT || !c.s.len)
			return c.s;
		put_text_as_float(t, c.s, out);
		break;
	default:
		etc_frame_text(t->f, row, column - 1, out);
	}
	return etc_text_str(out);
}

/* ---- widths ------------------------------------------------------------------------ */

/* Width of one line. */
static size_t line_width(const struct table *t, struct etc_str s)
{
	struct etc_text plain = { 0 };
	size_t n;

	if (!t->invisible || !s.len || !memchr(s.ptr, '\x1b', s.len))
		return etc_utf8_count(s);
	etc_tab_strip_ansi(s, &plain);
	n = etc_utf8_count(etc_text_str(&plain));
	etc_text_release(&plain);
	return n;
}

/* Next part of re.split("[\r\n]"). */
static bool next_part(struct etc_str *rest, bool *last, struct etc_str *part)
{
	size_t n = 0;

	if (*last)
		return false;
	while (n < rest->len && rest->ptr[n] != '\r' && rest->ptr[n] != '\n')
		n++;
	*part = etc_str_sub(*rest, 0, n);
	*last = n == rest->len;
	*rest = etc_str_sub(*rest, n + 1, rest->len);
	return true;
}

static size_t width_of(const struct table *t, struct etc_str s)
{
	size_t widest = 0;
	struct etc_str part;
	bool last = false;

	if (!t->multiline)
		return line_width(t, s);
	while (next_part(&s, &last, &part)) {
		size_t w = line_width(t, part);

		widest = w > widest ? w : widest;
	}
	return widest;
}

/* Spaces that line up the points: none in a column of text. */
static size_t decimal_pad(const struct column *c, struct etc_str s)
{
	return c->numeric ? (size_t)(c->decimals - etc_tab_afterpoint(s)) : 0;
}

/* A float cell as %g writes it: no need to parse it again. */
static int quick_afterpoint(const struct etc_frame_cell *cell, struct etc_str s)
{
	const char *dot, *e;

	if (cell->kind != ETC_FRAME_FLOAT)
		return etc_tab_afterpoint(s);
	dot = memchr(s.ptr, '.', s.len);
	e = dot ? NULL : memchr(s.ptr, 'e', s.len);
	return dot ? (int)(s.ptr + s.len - dot) - 1 : e ? (int)(s.ptr + s.len - e) - 1 : -1;
}

static struct etc_str aligned_text(const struct column *c, struct etc_str s)
{
	return c->numeric ? s : etc_py_strip(s);
}

/* Had the row before the very same text? Blocks and backends fill long columns. */
static bool is_seen(struct column *c, struct etc_str s)
{
	bool seen = c->seen.ptr == s.ptr && c->seen.len == s.len;

	c->seen = s;
	return seen;
}

/* Widths of what is aligned at its point are counted without the places after it
 * until those of the whole column are known. */
static void measure_row(struct table *t, uint32_t row, uint32_t first)
{
	for (uint32_t k = first; k < t->count; k++) {
		struct column *c = &t->columns[k];
		struct etc_frame_cell cell = cell_at(t, row, k);
		struct etc_str s;
		size_t w;

		if (cell.kind == ETC_FRAME_OBJECT && etc_frame_plain_width(t->f, row, k - 1, &w)) {
			c->width = w > c->width ? w : c->width;
			continue;
		}
		if (cell.kind == ETC_FRAME_STR && c->type == ETC_TAB_STR && row &&
		    is_seen(c, cell.s))
			continue;
		s = aligned_text(c, format(t, row, k, cell));
		w = width_of(t, s);
		if (c->type == ETC_TAB_FLOAT) {
			int after = quick_afterpoint(&cell, s);

			c->decimals = after > c->decimals ? after : c->decimals;
			w = after < 0 ? w + 1 : w - (size_t)after;
		}
		c->width = w > c->width ? w : c->width;
	}
}

static void measure(struct table *t, uint32_t first)
{
	for (uint32_t k = first; k < t->count; k++) {
		struct column *c = &t->columns[k];

		c->numeric = c->type == ETC_TAB_INT || c->type == ETC_TAB_FLOAT;
		c->decimals = -1;
		c->width = 0;
		c->seen = (struct etc_str){ 0 };
	}
	for (uint32_t r = 0; r < t->f->row_count; r++)
		measure_row(t, r, first);
	for (uint32_t k = first; k < t->count; k++) {
		struct column *c = &t->columns[k];
		size_t header = width_of(t, c->header) + 2;

		if (c->type == ETC_TAB_FLOAT)
			c->width = c->decimals < 0 ? c->width - 1 : c->width + (size_t)c->decimals;
		c->width = c->width > header ? c->width : header;
	}
}

/* ---- lines --------------------------------------------------------------------------- */

static void rule(const struct table *t, const char *left, const char *fill, const char *between,
                 const char *right, struct etc_text *out)
{
	for (uint32_t k = 0; k < t->count; k++) {
		etc_text_cstr(out, k ? between : left);
		etc_text_repeat(out, fill, t->columns[k].width + 2);
	}
	etc_text_cstr(out, right);
	etc_text_char(out, '\n');
}

/* One padded line of a cell; `width` characters and the line's invisible ones. */
static void put_padded(struct etc_text *out, struct etc_str s, size_t after, bool right,
                       size_t width, size_t visible)
{
	size_t fill = width > visible + after ? width - visible - after : 0;
	size_t before = right ? fill : 0, behind = after + fill - before;
	char *to = etc_text_reserve(out, before + s.len + behind);

	if (!to)
		return;
	memset(to, ' ', before);
	if (s.len)
		memcpy(to + before, s.ptr, s.len);
	memset(to + before + s.len, ' ', behind);
	out->len += before + s.len + behind;
}

static void put_bar(struct etc_text *out, uint32_t column)
{
	etc_text_put(out, column ? ETC_STR(" │ ") : ETC_STR("│ "));
}

static void put_row(struct table *t, uint32_t row, struct etc_text *out)
{
	for (uint32_t k = 0; k < t->count; k++) {
		struct column *c = &t->columns[k];
		struct etc_frame_cell cell = cell_at(t, row, k);
		struct etc_str s = aligned_text(c, format(t, row, k, cell));
		bool number = cell.kind == ETC_FRAME_FLOAT || cell.kind == ETC_FRAME_INT;
		size_t after = 0;

		if (c->type == ETC_TAB_FLOAT)
			after = (size_t)(c->decimals - quick_afterpoint(&cell, s));
		put_bar(out, k);
		put_padded(out, s, after, c->numeric, c->width, number ? s.len : line_width(t, s));
	}
	etc_text_put(out, ETC_STR(" │\n"));
}

/* The lines of a cell as _align_column and splitlines make them: width of line
 * i is that of part i of re.split("[\r\n]"). */
struct lines {
	struct etc_str text; /* owned by `store` */
	struct etc_text store;
	uint32_t count;
};

static void split_cell(struct table *t, const struct column *c, struct etc_str s, bool header,
                       struct lines *out)
{
	struct etc_text copy = { 0 };
	struct etc_str rest, parts, line, part = { 0 };
	bool last = false;

	*out = (struct lines){ 0 };
	etc_text_put(&copy, header ? s : aligned_text(c, s));
	if (!header)
		etc_text_repeat(&copy, " ", decimal_pad(c, s));
	rest = parts = etc_text_str(&copy);
	while (header ? next_part(&rest, &last, &line) : etc_py_next_line(&rest, &line)) {
		size_t visible = line_width(t, line);

		if (!header && t->invisible) {
			bool more = next_part(&parts, &last, &part);

			if (!more)
				break;
			visible = etc_utf8_count(line) + line_width(t, part) - etc_utf8_count(part);
		}
		put_padded(&out->store, line, 0, c->numeric, c->width, visible);
		etc_text_char(&out->store, '\n');
		out->count++;
	}
	t->line.failed = t->line.failed || copy.failed || out->store.failed;
	etc_text_release(&copy);
	out->text = etc_text_str(&out->store);
}

static void put_multiline(struct table *t, uint32_t row, bool header, struct etc_text *out)
{
	struct lines *cells = etc_calloc(t->count, sizeof *cells);
	uint32_t most = 0;

	if (!cells) {
		out->failed = true;
		return;
	}
	for (uint32_t k = 0; k < t->count; k++) {
		split_cell(t, &t->columns[k],
		           header ? t->columns[k].header : format(t, row, k, cell_at(t, row, k)),
		           header, &cells[k]);
		most = cells[k].count > most ? cells[k].count : most;
	}
	for (uint32_t i = 0; i < most; i++) {
		for (uint32_t k = 0; k < t->count; k++) {
			struct etc_str line;

			put_bar(out, k);
			if (i < cells[k].count && etc_py_next_line(&cells[k].text, &line))
				etc_text_put(out, line);
			else
				etc_text_repeat(out, " ", t->columns[k].width);
		}
		etc_text_put(out, ETC_STR(" │\n"));
	}
	for (uint32_t k = 0; k < t->count; k++)
		etc_text_release(&cells[k].store);
	free(cells);
}

static void put_header(struct table *t, struct etc_text *out)
{
	if (t->multiline) {
		put_multiline(t, 0, true, out);
		return;
	}
	for (uint32_t k = 0; k < t->count; k++) {
		struct column *c = &t->columns[k];

		put_bar(out, k);
		put_padded(out, c->header, 0, c->numeric, c->width, line_width(t, c->header));
	}
	etc_text_put(out, ETC_STR(" │\n"));
}

static void look_at(struct table *t, struct etc_str s)
{
	if (!s.len)
		return;
	t->multiline = t->multiline || memchr(s.ptr, '\n', s.len) || memchr(s.ptr, '\r', s.len);
	t->invisible = t->invisible || (memchr(s.ptr, '\x1b', s.len) && etc_tab_has_ansi(s));
}

/* The last type that the cells of a column can have, whatever comes. */
static enum etc_tab_type last_type(const struct table *t, uint32_t column)
{
	if (column == 0)
		return ETC_TAB_INT;
	return etc_frame_column_kind(t->f, column - 1) == ETC_FRAME_FLOAT ? ETC_TAB_FLOAT
	                                                                  : ETC_TAB_STR;
}

/* What a column is: of texts all are looked at, of others what can still matter. */
static void look_at_column(struct table *t, uint32_t column)
{
	struct column *c = &t->columns[column];
	bool text = column && etc_frame_column_kind(t->f, column - 1) == ETC_FRAME_STR;
	enum etc_tab_type last = last_type(t, column), type;

	for (uint32_t r = 0; r < t->f->row_count && (text || c->type < last); r++) {
		struct etc_frame_cell cell = cell_at(t, r, column);

		if (cell.kind == ETC_FRAME_STR) {
			if (r && is_seen(c, cell.s))
				continue;
			look_at(t, cell.s);
		}
		type = c->type < ETC_TAB_STR ? type_of(&cell) : c->type;
		c->type = type > c->type ? type : c->type;
	}
}

/* What the columns are, and whether some text has several lines or an escape sequence. */
static void look_at_all(struct table *t)
{
	for (uint32_t k = 0; k < t->count; k++) {
		look_at(t, t->columns[k].header);
		t->columns[k].type = t->f->row_count ? ETC_TAB_BOOL : ETC_TAB_STR;
	}
	for (uint32_t k = 0; k < t->count; k++)
		look_at_column(t, k);
}

enum etc_status etc_insp_table(struct etc_inspector *in, const struct etc_insp_switches *switches,
                               struct etc_text *out, struct etc_error *err)
{
	struct etc_frame f;
	struct table t = { .f = &f };
	uint32_t first;

	ETC_TRY(etc_frame_make(in, switches, true, &f, err));
	t.columns = etc_new(in->arena, struct column, f.column_count + 1);
	if (!t.columns)
		return etc_fail(err, E0904, "columns");
	for (uint32_t c = 0; c < f.column_count; c++)
		t.columns[c + 1].header = f.columns[c].name;
	/* Without rows there is no index column either. */
	first = f.row_count ? 0 : 1;
	t.count = f.column_count + 1;
	look_at_all(&t);
	measure(&t, first);
	t.columns += first;
	t.count -= first;
	rule(&t, "╒", "═", "╤", "╕", out);
	put_header(&t, out);
	rule(&t, "╞", "═", "╪", "╡", out);
	etc_text_release(&t.line);
	rule(&t, "├", "─", "┼", "┤", &t.line);
	for (uint32_t r = 0; r < f.row_count; r++) {
		if (r)
			etc_text_put(out, etc_text_str(&t.line));
		if (t.multiline)
			put_multiline(&t, r, false, out);
		else
			put_row(&t, r, out);
	}
	rule(&t, "╘", "═", "╧", "╛", out);
	out->failed = out->failed || t.cell.failed || t.line.failed;
	etc_text_release(&t.cell);
	etc_text_release(&t.line);
	return out->failed ? etc_fail(err, E0903, "the table") : ETC_OK;
}
