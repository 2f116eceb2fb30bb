/* tabulate_lines.c -- see tabulate.h: rules and rows. */
#include "commands/inspector/tabulate.h"

#include <stdlib.h>

#include "base/digits.h"
#include "base/memory.h"
#include "base/number.h"
#include "inspector/pyrepr.h"

void etc_tab_rule(const struct etc_tab *t, struct etc_tab_rule rule, struct etc_text *out)
{
	for (uint32_t k = 0; k < t->count; k++) {
		etc_text_cstr(out, k ? rule.between : rule.left);
		etc_text_repeat(out, rule.fill, t->columns[k].width + 2);
	}
	etc_text_cstr(out, rule.right);
	etc_text_char(out, '\n');
}

/* ---- rows of one line ------------------------------------------------------------- */

enum {
	FEW = 32 /* number of blanks that suffices for most cells */
};

/* Writes `n` blanks; may write FEW bytes. */
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

static void put_float(struct etc_text *out, const struct etc_tab_column *c, double v)
{
	char text[ETC_NUMBER_MAX];
	int behind;
	struct etc_str s = { text, etc_number_g_point(text, v, &behind) };

	put_padded(out, s, (size_t)(c->decimals - behind), true, c->width, s.len);
}

/* Writes a cell whose text needs no formatting directly to the output, since it may be long. */
static bool put_plain(const struct etc_tab *t, const struct etc_tab_row *r, uint32_t column,
                      struct etc_text *out)
{
	const struct etc_tab_column *c = &t->columns[column];
	uint64_t before = etc_text_all(out);

	if (c->type != ETC_TAB_STR || !etc_frame_is_plain(t->f, &r->at, column - 1))
		return false;
	etc_frame_text(t->f, &r->at, column - 1, out);
	etc_text_repeat(out, " ", c->width - (size_t)(etc_text_all(out) - before));
	return true;
}

static void put_cell(const struct etc_tab *t, struct etc_tab_row *r, uint32_t column,
                     struct etc_text *out)
{
	const struct etc_tab_column *c = &t->columns[column];
	struct etc_frame_cell cell = etc_tab_cell(t, r, column);
	struct etc_str s;
	bool number = cell.kind == ETC_FRAME_FLOAT || cell.kind == ETC_FRAME_INT;
	size_t after = 0;

	if (cell.kind == ETC_FRAME_OBJECT && put_plain(t, r, column, out))
		return;
	if (etc_tab_is_plain(c, &cell, &s)) {
		put_padded(out, s, 0, false, c->width, s.len);
		return;
	}
	s = etc_tab_aligned(c, etc_tab_format(t, r, column, cell));
	if (c->type == ETC_TAB_FLOAT)
		after = (size_t)(c->decimals - etc_tab_behind(&cell, s));
	put_padded(out, s, after, c->numeric, c->width,
	           number || !c->has_wide ? s.len : etc_tab_line_width(t, s));
}

static void put_row(const struct etc_tab *t, struct etc_tab_row *r, struct etc_text *out)
{
	for (uint32_t k = 0; k < t->count; k++) {
		const struct etc_tab_column *c = &t->columns[k];

		put_bar(out, k);
		if (c->stat)
			put_float(out, c, etc_insp_stat(r->at.b, r->at.event, *c->stat));
		else
			put_cell(t, r, k, out);
	}
	etc_text_put(out, ETC_STR(" │\n"));
}

/* ---- rows of several lines ---------------------------------------------------------- */

/* Number of blanks that align the points: none in a column of text. */
static size_t decimal_pad(const struct etc_tab_column *c, struct etc_str s)
{
	return c->numeric ? (size_t)(c->decimals - etc_tab_afterpoint(s)) : 0;
}

/* The lines of a cell as _align_column and splitlines make them: the width of line i is that of
 * part i of re.split("[\r\n]"). */
struct lines {
	struct etc_str text; /* owned by `store` */
	struct etc_text store;
	uint32_t count;
};

static bool split_cell(const struct etc_tab *t, const struct etc_tab_column *c, struct etc_str s,
                       bool header, struct lines *out)
{
	struct etc_text copy = { 0 };
	struct etc_str rest, parts, line, part = { 0 };
	bool last = false;

	*out = (struct lines){ 0 };
	etc_text_put(&copy, header ? s : etc_tab_aligned(c, s));
	if (!header)
		etc_text_repeat(&copy, " ", decimal_pad(c, s));
	rest = parts = etc_text_str(&copy);
	while (header ? etc_tab_next_part(&rest, &last, &line) : etc_py_next_line(&rest, &line)) {
		size_t visible = etc_tab_line_width(t, line);

		if (!header && t->invisible) {
			bool more = etc_tab_next_part(&parts, &last, &part);

			if (!more)
				break;
			visible = etc_utf8_count(line) + etc_tab_line_width(t, part) -
			          etc_utf8_count(part);
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
static void put_multiline(const struct etc_tab *t, struct etc_tab_row *r, struct etc_text *out)
{
	struct lines *cells = etc_calloc(t->count, sizeof *cells);
	uint32_t most = 0;

	if (!cells) {
		out->failed = true;
		return;
	}
	for (uint32_t k = 0; k < t->count; k++) {
		struct etc_tab_column *c = &t->columns[k];
		struct etc_str s = r ? etc_tab_format(t, r, k, etc_tab_cell(t, r, k)) : c->header;

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

/* ---- all of them ----------------------------------------------------------------------- */

void etc_tab_header(const struct etc_tab *t, struct etc_text *out)
{
	if (t->multiline) {
		put_multiline(t, NULL, out);
		return;
	}
	for (uint32_t k = 0; k < t->count; k++) {
		struct etc_tab_column *c = &t->columns[k];

		put_bar(out, k);
		put_padded(out, c->header, 0, c->numeric, c->width,
		           etc_tab_line_width(t, c->header));
	}
	etc_text_put(out, ETC_STR(" │\n"));
}

static const struct etc_tab_rule between = { "├", "─", "┼", "┤" }; /* two rows */

/* The rule between rows is made once, unless that costs more than writing it for each row. */
void etc_tab_rows(const struct etc_tab *t, struct etc_text *out)
{
	struct etc_text rule = { 0 };
	struct etc_tab_row row = { 0 };
	size_t width = 0;

	for (uint32_t k = 0; k < t->count; k++)
		width += t->columns[k].width;
	if (width < ETC_TEXT_CHUNK)
		etc_tab_rule(t, between, &rule);
	for (uint32_t r = 0; r < t->f->row_count; r++) {
		etc_tab_go(t, &row, r);
		if (r && rule.len)
			etc_text_pass(out, etc_text_str(&rule));
		else if (r)
			etc_tab_rule(t, between, out);
		if (t->multiline)
			put_multiline(t, &row, out);
		else
			put_row(t, &row, out);
	}
	out->failed = out->failed || row.cell.failed || rule.failed;
	etc_text_release(&row.cell);
	etc_text_release(&rule);
}
