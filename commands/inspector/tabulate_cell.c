/* tabulate_cell.c -- see tabulate.h: one cell as tabulate formats and measures it. */
#include "commands/inspector/tabulate.h"

#include "base/number.h"
#include "inspector/pyrepr.h"

enum etc_tab_type etc_tab_type_of(const struct etc_frame_cell *c)
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

/* format(float(val), "g") of a text; text that is not a number stays unchanged. */
static void put_text_as_float(const struct etc_tab *t, struct etc_str s, struct etc_text *out)
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

struct etc_frame_cell etc_tab_cell(const struct etc_tab *t, const struct etc_tab_row *r,
                                   uint32_t column)
{
	if (column == 0)
		return (struct etc_frame_cell){ .kind = ETC_FRAME_INT, .i = r->number };
	return etc_frame_cell(t->f, &r->at, column - 1);
}

struct etc_str etc_tab_format(const struct etc_tab *t, struct etc_tab_row *r, uint32_t column,
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

bool etc_tab_is_plain(const struct etc_tab_column *column, const struct etc_frame_cell *cell,
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

size_t etc_tab_line_width(const struct etc_tab *t, struct etc_str s)
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

bool etc_tab_next_part(struct etc_str *rest, bool *last, struct etc_str *part)
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

size_t etc_tab_width(const struct etc_tab *t, struct etc_str s)
{
	size_t widest = 0;
	struct etc_str part;
	bool last = false;

	if (!t->multiline)
		return etc_tab_line_width(t, s);
	while (etc_tab_next_part(&s, &last, &part)) {
		size_t w = etc_tab_line_width(t, part);

		widest = w > widest ? w : widest;
	}
	return widest;
}

/* A float cell in %g is known to be a number: no need to parse it. */
int etc_tab_behind(const struct etc_frame_cell *cell, struct etc_str s)
{
	const char *dot, *e;

	if (cell->kind != ETC_FRAME_FLOAT)
		return etc_tab_afterpoint(s);
	dot = memchr(s.ptr, '.', s.len);
	e = dot ? NULL : memchr(s.ptr, 'e', s.len);
	return dot ? (int)(s.ptr + s.len - dot) - 1 : e ? (int)(s.ptr + s.len - e) - 1 : -1;
}

struct etc_str etc_tab_aligned(const struct etc_tab_column *c, struct etc_str s)
{
	return c->numeric ? s : etc_py_strip(s);
}
