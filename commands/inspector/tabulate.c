/* tabulate.c -- implements the Inspector's print_data_tabular: reproduces tabulate(df,
 * headers="keys", tablefmt="fancy_grid") of tabulate 0.10 without wcwidth.
 *
 * There are three passes over the rows: types, widths, lines. Texts are made twice instead of being
 * stored, so the table of a million events needs memory for one row. */
#include <stdlib.h>

#include "base/digits.h"
#include "base/memory.h"
#include "base/number.h"
#include "commands/inspector/celltype.h"
#include "commands/inspector/frame.h"
#include "inspector/pyrepr.h"

struct tab_column {
	struct etc_str header;
	enum etc_tab_type type;
	bool numeric;  /* aligned to the right */
	bool has_wide; /* the width of some text differs from its number of bytes */
	int decimals;  /* digits after the point, if numeric */
	size_t width;
	/* if all cells are one statistic, as floats: this statistic; else NULL */
	const uint8_t *stat;
	/* numbers in [usual, large) cannot widen the column */
	double usual, large;
};

struct tab {
	const struct etc_frame *f;
	struct tab_column *columns; /* columns[0]: the index of the data frame */
	uint32_t count;
	bool multiline, invisible;
};

/* A row, and memory for its cells' texts. Initialise it with { 0 }; it is then before the first
 * row. */
struct tab_row {
	uint32_t number;
	struct etc_frame_row at;
	struct etc_frame_widths widths;
	struct etc_text cell;
};

/* Makes row `number` the current row. It must not be before the current one. */
static void go_to(const struct tab *t, struct tab_row *r, uint32_t number)
{
	r->number = number;
	etc_frame_go(t->f, &r->at, number);
}

/* ---- cells ------------------------------------------------------------------------- */

/* Returns the result of tabulate's _type() for a cell. */
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

/* Writes a text as Python's format(float(val), "g") does; text that is not a number stays
 * unchanged. */
static void put_text_as_float(const struct tab *t, struct etc_str s, struct etc_text *out)
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

static struct etc_frame_cell cell_of(const struct tab *t, const struct tab_row *r, uint32_t column)
{
	if (column == 0)
		return (struct etc_frame_cell){ .kind = ETC_FRAME_INT, .i = r->number };
	return etc_frame_cell(t->f, &r->at, column - 1);
}

/* Implements tabulate's _format for a cell in a column of known type. Returns a view of the cell's
 * text, or a text in r->cell that is valid until the next call. */
static struct etc_str format_cell(const struct tab *t, struct tab_row *r, uint32_t column,
                                  struct etc_frame_cell c)
{
	enum etc_tab_type type = t->columns[column].type;
	struct etc_text *out = &r->cell;

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
		etc_frame_text(t->f, &r->at, column - 1, out);
	}
	return etc_text_str(out);
}

/* Is the text of a cell one line of ASCII that needs no formatting? Then `*s` is set to it. */
static bool is_plain(const struct tab_column *column, const struct etc_frame_cell *cell,
                     struct etc_str *s)
{
	if (column->numeric)
		return false;
	switch (cell->kind) {
	case ETC_FRAME_NONE:
		*s = ETC_STR_NONE;
		return true;
	case ETC_FRAME_BOOL:
		*s = cell->i ? ETC_STR("True") : ETC_STR("False");
		return true;
	case ETC_FRAME_STR:
		*s = cell->s;
		return cell->plain;
	default:
		return false;
	}
}

/* Returns the width of a line: its number of characters, without control sequences. */
static size_t line_width(const struct tab *t, struct etc_str s)
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

/* Takes the next part from the front of a text. The text is divided as by re.split("[\r\n]"). */
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

/* Returns the width of the widest line of a text. */
static size_t text_width(const struct tab *t, struct etc_str s)
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

/* Returns the number of digits after the point in a cell's text; without a point, after the e; -1:
 * the text has neither. The text of a float cell has the form %g, so the function does not check
 * whether the text is a number. */
static int digits_behind(const struct etc_frame_cell *cell, struct etc_str s)
{
	const char *dot, *e;

	if (cell->kind != ETC_FRAME_FLOAT)
		return etc_tab_afterpoint(s);
	dot = memchr(s.ptr, '.', s.len);
	e = dot ? NULL : memchr(s.ptr, 'e', s.len);
	return dot ? (int)(s.ptr + s.len - dot) - 1 : e ? (int)(s.ptr + s.len - e) - 1 : -1;
}

/* Returns the part of a cell's text that is padded to the column's width: without leading and
 * trailing blanks, unless the column is numeric. */
static struct etc_str aligned(const struct tab_column *c, struct etc_str s)
{
	return c->numeric ? s : etc_py_strip(s);
}

/* Is `s` the same view (pointer and length) as `*seen`, the text of the previous row? Sets `*seen`
 * to `s`. Names of blocks and backends fill long columns with equal texts. */
static bool is_seen(struct etc_str *seen, struct etc_str s)
{
	bool same = seen->ptr == s.ptr && seen->len == s.len;

	*seen = s;
	return same && s.ptr;
}

/* ---- types ------------------------------------------------------------------------ */

static void look_at(struct tab *t, struct etc_str s)
{
	if (!s.len || etc_text_is_plain(s))
		return;
	t->multiline = t->multiline || memchr(s.ptr, '\n', s.len) || memchr(s.ptr, '\r', s.len);
	t->invisible = t->invisible || (memchr(s.ptr, '\x1b', s.len) && etc_tab_has_ansi(s));
}

/* Returns the most generic type that cells of the column can have. */
static enum etc_tab_type last_type(const struct tab *t, uint32_t column)
{
	enum etc_frame_kind kind = column ? etc_frame_column_kind(t->f, column - 1) : ETC_FRAME_INT;

	return kind == ETC_FRAME_BOOL    ? ETC_TAB_BOOL
	       : kind == ETC_FRAME_INT   ? ETC_TAB_INT
	       : kind == ETC_FRAME_FLOAT ? ETC_TAB_FLOAT
	                                 : ETC_TAB_STR;
}

/* State of detecting the type of a column. All texts are examined; other values only until they
 * cannot change the type any more. */
struct look {
	enum etc_tab_type last;
	bool text, done;
	struct etc_str seen; /* text of the previous row */
};

static void look_at_cell(struct tab *t, struct look *l, const struct tab_row *r, uint32_t column)
{
	struct tab_column *c = &t->columns[column];
	struct etc_frame_cell cell = cell_of(t, r, column);
	enum etc_tab_type type;

	if (cell.kind == ETC_FRAME_STR) {
		if (is_seen(&l->seen, cell.s))
			return;
		if (!cell.plain)
			look_at(t, cell.s);
	}
	type = c->type < ETC_TAB_STR ? type_of(&cell) : c->type;
	c->type = type > c->type ? type : c->type;
	l->done = !l->text && c->type >= l->last;
}

/* Detects the types of the columns, and whether some text has several lines or an escape
 * sequence. */
static void look_at_all(struct tab *t, struct look *looks)
{
	/* number of rows that are examined together, column by column, while they are in the
	 * processor's cache */
	enum { TOGETHER = 4096 };
	struct tab_row first = { 0 };
	uint32_t rows = t->f->row_count, to;

	for (uint32_t k = 0; k < t->count; k++) {
		look_at(t, t->columns[k].header);
		t->columns[k].type = rows ? ETC_TAB_BOOL : ETC_TAB_STR;
		looks[k].last = last_type(t, k);
		looks[k].text = k && etc_frame_column_kind(t->f, k - 1) == ETC_FRAME_STR;
	}
	for (uint32_t from = 0; from < rows; from = to) {
		to = rows - from < TOGETHER ? rows : from + TOGETHER;
		go_to(t, &first, from);
		for (uint32_t k = 0; k < t->count; k++) {
			struct tab_row r = first;

			for (uint32_t i = from; i < to && !looks[k].done; i++) {
				go_to(t, &r, i);
				look_at_cell(t, &looks[k], &r, k);
			}
		}
	}
}

/* ---- widths ------------------------------------------------------------------------ */

/* Widens the column for a cell of width `w`. For values that are aligned at the decimal point, only
 * the width up to the point is counted at first; the digits after it are added when the column's
 * largest number of such digits is known. */
static void widen(struct tab_column *c, size_t w, int behind)
{
	if (c->type == ETC_TAB_FLOAT) {
		c->decimals = behind > c->decimals ? behind : c->decimals;
		w = behind < 0 ? w + 1 : w - (size_t)behind;
	}
	c->width = w > c->width ? w : c->width;
}

static void measure_cell(const struct tab *t, struct tab_row *r, uint32_t column,
                         struct etc_str *seen)
{
	struct tab_column *c = &t->columns[column];
	struct etc_frame_cell cell = cell_of(t, r, column);
	struct etc_str s;
	size_t w;

	if (cell.kind == ETC_FRAME_OBJECT && etc_frame_is_plain(t->f, &r->at, column - 1)) {
		widen(c, etc_frame_plain_width(t->f, &r->at, column - 1, &r->widths), -1);
		return;
	}
	if (is_plain(c, &cell, &s)) {
		widen(c, s.len, -1);
		return;
	}
	if (cell.kind == ETC_FRAME_STR && c->type == ETC_TAB_STR && is_seen(seen, cell.s))
		return;
	s = aligned(c, format_cell(t, r, column, cell));
	w = text_width(t, s);
	c->has_wide = c->has_wide || w != s.len;
	widen(c, w, c->type == ETC_TAB_FLOAT ? digits_behind(&cell, s) : -1);
}

/* Sets two bounds. A number between them cannot widen the column, so its width need not be
 * computed. With %g, numbers from c->usual on need no more digits after the point than the column
 * has. Numbers below c->large need no more digits before the point, even when rounded up. Both
 * bounds are for numbers written without an exponent. */
static void bound(struct tab_column *c)
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

static void measure_row(const struct tab *t, struct tab_row *r, struct look *looks)
{
	for (uint32_t k = 1; k < t->count; k++) {
		struct tab_column *c = &t->columns[k];

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

static enum etc_status measure(struct tab *t, struct look *looks, struct etc_error *err)
{
	uint32_t rows = t->f->row_count;
	struct tab_row r = { 0 };
	bool failed;

	for (uint32_t k = 0; k < t->count; k++) {
		struct tab_column *c = &t->columns[k];

		c->numeric = c->type == ETC_TAB_INT || c->type == ETC_TAB_FLOAT;
		c->decimals = -1;
		if (k && t->f->columns[k - 1].as_float)
			c->stat = &t->f->columns[k - 1].stat;
	}
	if (rows)
		t->columns[0].width = etc_digits_of(rows - 1);
	for (uint32_t i = 0; i < rows; i++) {
		go_to(t, &r, i);
		r.widths.rows = rows - i;
		measure_row(t, &r, looks);
	}
	failed = r.cell.failed;
	etc_text_release(&r.cell);
	for (uint32_t k = 0; k < t->count; k++) {
		struct tab_column *c = &t->columns[k];
		size_t header = text_width(t, c->header) + 2;

		if (c->type == ETC_TAB_FLOAT)
			c->width = c->decimals < 0 ? c->width - 1 : c->width + (size_t)c->decimals;
		c->width = c->width > header ? c->width : header;
	}
	return failed ? etc_fail(err, E0903, "the table") : ETC_OK;
}

/* ---- rules -------------------------------------------------------------------------- */

/* The characters of a horizontal line above, between or below the rows. */
struct rule {
	const char *left, *fill, *between, *right;
};

static void put_rule(const struct tab *t, struct rule rule, struct etc_text *out)
{
	for (uint32_t k = 0; k < t->count; k++) {
		etc_text_cstr(out, k ? rule.between : rule.left);
		etc_text_repeat(out, rule.fill, t->columns[k].width + 2);
	}
	etc_text_cstr(out, rule.right);
	etc_text_char(out, '\n');
}

/* ---- rows whose cells have no line breaks ----------------------------------------- */

enum {
	/* put_blanks() writes this many blanks in one step, which suffices for most cells */
	FEW = 32
};

/* Writes `n` blanks, and returns the position after them. Overwrites FEW bytes even if `n` is
 * smaller. */
static char *put_blanks(char *to, size_t n)
{
	if (n <= FEW)
		memcpy(to, "                                ", FEW);
	else
		memset(to, ' ', n);
	return to + n;
}

static void put_bar(struct etc_text *out, uint32_t column)
{
	etc_text_put(out, column ? ETC_STR(" │ ") : ETC_STR("│ "));
}

/* Writes a cell without its bars: text of `visible` characters, padded on the left or right to the
 * column's width; padding on the right is at least `after`. */
static void put_padded(struct etc_text *out, struct etc_str s, size_t after, bool right,
                       size_t width, size_t visible)
{
	size_t fill = width > visible + after ? width - visible - after : 0;
	size_t before = right ? fill : 0, behind = after + fill - before;
	char *to = etc_text_reserve(out, before + s.len + behind + FEW);

	if (!to)
		return;
	to = put_blanks(to, before);
	if (s.len)
		memcpy(to, s.ptr, s.len);
	put_blanks(to + s.len, behind);
	out->len += before + s.len + behind;
}

static void put_float(struct etc_text *out, const struct tab_column *c, double v)
{
	char text[ETC_NUMBER_MAX];
	int behind;
	struct etc_str s = { text, etc_number_g_point(text, v, &behind) };

	put_padded(out, s, (size_t)(c->decimals - behind), true, c->width, s.len);
}

/* Writes a cell whose text needs no formatting directly to the output, since it may be long. */
static bool put_plain(const struct tab *t, const struct tab_row *r, uint32_t column,
                      struct etc_text *out)
{
	const struct tab_column *c = &t->columns[column];
	uint64_t before = etc_text_all(out);

	if (c->type != ETC_TAB_STR || !etc_frame_is_plain(t->f, &r->at, column - 1))
		return false;
	etc_frame_text(t->f, &r->at, column - 1, out);
	etc_text_repeat(out, " ", c->width - (size_t)(etc_text_all(out) - before));
	return true;
}

static void put_cell(const struct tab *t, struct tab_row *r, uint32_t column, struct etc_text *out)
{
	const struct tab_column *c = &t->columns[column];
	struct etc_frame_cell cell = cell_of(t, r, column);
	struct etc_str s;
	bool number = cell.kind == ETC_FRAME_FLOAT || cell.kind == ETC_FRAME_INT;
	size_t after = 0;

	if (cell.kind == ETC_FRAME_OBJECT && put_plain(t, r, column, out))
		return;
	if (is_plain(c, &cell, &s)) {
		put_padded(out, s, 0, false, c->width, s.len);
		return;
	}
	s = aligned(c, format_cell(t, r, column, cell));
	if (c->type == ETC_TAB_FLOAT)
		after = (size_t)(c->decimals - digits_behind(&cell, s));
	put_padded(out, s, after, c->numeric, c->width,
	           number || !c->has_wide ? s.len : line_width(t, s));
}

static void put_row(const struct tab *t, struct tab_row *r, struct etc_text *out)
{
	for (uint32_t k = 0; k < t->count; k++) {
		const struct tab_column *c = &t->columns[k];

		put_bar(out, k);
		if (c->stat)
			put_float(out, c, etc_insp_stat(r->at.b, r->at.event, *c->stat));
		else
			put_cell(t, r, k, out);
	}
	etc_text_put(out, ETC_STR(" │\n"));
}

/* ---- rows of several lines ---------------------------------------------------------- */

/* Returns the number of blanks that align the decimal points; 0 in a column of text. */
static size_t decimal_pad(const struct tab_column *c, struct etc_str s)
{
	return c->numeric ? (size_t)(c->decimals - etc_tab_afterpoint(s)) : 0;
}

/* The lines of a cell, made as in the Python package tabulate. Line i gets the width of part i of
 * the cell, which re.split("[\r\n]") splits into parts. */
struct lines {
	struct etc_str text; /* owned by `store` */
	struct etc_text store;
	uint32_t count;
};

static bool split_cell(const struct tab *t, const struct tab_column *c, struct etc_str s,
                       bool header, struct lines *out)
{
	struct etc_text copy = { 0 };
	struct etc_str rest, parts, line, part = { 0 };
	bool last = false;

	*out = (struct lines){ 0 };
	etc_text_put(&copy, header ? s : aligned(c, s));
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
	last = copy.failed || out->store.failed;
	etc_text_release(&copy);
	out->text = etc_text_str(&out->store);
	return !last;
}

/* Writes a row; the header if `r` is NULL. */
static void put_multiline(const struct tab *t, struct tab_row *r, struct etc_text *out)
{
	struct lines *cells = etc_calloc(t->count, sizeof *cells);
	uint32_t most = 0;

	if (!cells) {
		out->failed = true;
		return;
	}
	for (uint32_t k = 0; k < t->count; k++) {
		struct tab_column *c = &t->columns[k];
		struct etc_str s = r ? format_cell(t, r, k, cell_of(t, r, k)) : c->header;

		out->failed = !split_cell(t, c, s, !r, &cells[k]) || out->failed;
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

static void put_header(const struct tab *t, struct etc_text *out)
{
	if (t->multiline) {
		put_multiline(t, NULL, out);
		return;
	}
	for (uint32_t k = 0; k < t->count; k++) {
		struct tab_column *c = &t->columns[k];

		put_bar(out, k);
		put_padded(out, c->header, 0, c->numeric, c->width, line_width(t, c->header));
	}
	etc_text_put(out, ETC_STR(" │\n"));
}

static const struct rule between = { "├", "─", "┼", "┤" }; /* between two rows */

/* Writes all rows of the table. A rule precedes each row except the first. The text of the rule is
 * made once, unless it is longer than a chunk of the output. */
static void put_rows(const struct tab *t, struct etc_text *out)
{
	struct etc_text rule = { 0 };
	struct tab_row row = { 0 };
	size_t width = 0;

	for (uint32_t k = 0; k < t->count; k++)
		width += t->columns[k].width;
	if (width < ETC_TEXT_CHUNK)
		put_rule(t, between, &rule);
	for (uint32_t r = 0; r < t->f->row_count; r++) {
		go_to(t, &row, r);
		if (r && rule.len)
			etc_text_pass(out, etc_text_str(&rule));
		else if (r)
			put_rule(t, between, out);
		if (t->multiline)
			put_multiline(t, &row, out);
		else
			put_row(t, &row, out);
	}
	out->failed = out->failed || row.cell.failed || rule.failed;
	etc_text_release(&row.cell);
	etc_text_release(&rule);
}

enum etc_status etc_insp_table(struct etc_inspector *in, const struct etc_insp_switches *switches,
                               struct etc_text *out, struct etc_error *err)
{
	struct etc_frame f;
	struct tab t = { .f = &f };
	struct look *looks;

	ETC_TRY(etc_frame_make(in, switches, true, &f, err));
	t.count = f.column_count + 1;
	t.columns = etc_new(in->arena, struct tab_column, t.count);
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
	put_rule(&t, (struct rule){ "╒", "═", "╤", "╕" }, out);
	put_header(&t, out);
	put_rule(&t, (struct rule){ "╞", "═", "╪", "╡" }, out);
	put_rows(&t, out);
	put_rule(&t, (struct rule){ "╘", "═", "╧", "╛" }, out);
	return out->failed ? etc_fail(err, E0903, "the table") : ETC_OK;
}
