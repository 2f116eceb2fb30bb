/* celltype.c -- classifies a cell as tabulate does; see celltype.h */
#include "commands/inspector/celltype.h"

#include "base/ascii.h"
#include "inspector/pyrepr.h"

/* Returns the length of the escape sequence at `at`, or 0 if there is none. If it is a hyperlink,
 * sets `*kept` to its text. */
static size_t ansi_at(struct etc_str s, size_t at, struct etc_str *kept)
{
	size_t i = at + 2, text, uri;

	*kept = (struct etc_str){ 0 };
	if (!etc_fits(s.len, at, 2) || s.ptr[at] != '\x1b')
		return 0;
	if (s.ptr[at + 1] == '[') {
		while (i < s.len && s.ptr[i] >= 0x30 && s.ptr[i] <= 0x3f)
			i++;
		while (i < s.len && s.ptr[i] >= 0x20 && s.ptr[i] <= 0x2f)
			i++;
		return i < s.len && s.ptr[i] >= 0x40 && s.ptr[i] <= 0x7e ? i + 1 - at : 0;
	}
	if (!etc_fits(s.len, at, 4) || memcmp(s.ptr + at + 1, "]8;", 3) != 0)
		return 0;
	i = etc_str_find(s, ETC_STR(";"), at + 4);
	if (i == SIZE_MAX)
		return 0;
	uri = ++i;
	while (i < s.len && s.ptr[i] != '\x1b')
		i++;
	if (i == uri || !etc_fits(s.len, i, 2) || s.ptr[i + 1] != '\\')
		return 0;
	text = i + 2;
	for (i = text; i < s.len && s.ptr[i] != '\x1b';)
		i++;
	if (i == text || !etc_fits(s.len, i, 7) || memcmp(s.ptr + i, "\x1b]8;;\x1b\\", 7) != 0)
		return 0;
	*kept = etc_str_sub(s, text, i);
	return i + 7 - at;
}

bool etc_tab_has_ansi(struct etc_str s)
{
	struct etc_str kept;

	for (size_t at = 0; at < s.len; at++)
		if (s.ptr[at] == '\x1b' && ansi_at(s, at, &kept))
			return true;
	return false;
}

void etc_tab_strip_ansi(struct etc_str s, struct etc_text *t)
{
	size_t from = 0;
	struct etc_str kept;

	for (size_t at = 0; at < s.len;) {
		size_t n = s.ptr[at] == '\x1b' ? ansi_at(s, at, &kept) : 0;

		if (!n) {
			at++;
			continue;
		}
		etc_text_put(t, etc_str_sub(s, from, at));
		etc_text_put(t, kept);
		from = at += n;
	}
	etc_text_put(t, etc_str_sub(s, from, s.len));
}

/* Does the text match tabulate's pattern of a number with separators of thousands?
 * ^(([+-]?[0-9]{1,3})(?:,([0-9]{3}))*)?(?(1)\.[0-9]*|\.[0-9]+)?$ */
static bool has_thousands(struct etc_str s)
{
	size_t at = 0, digits = 0, fraction = 0;
	bool whole;

	if (s.len && s.ptr[s.len - 1] == '\n')
		s.len--;
	if (at < s.len && (s.ptr[at] == '+' || s.ptr[at] == '-'))
		at++;
	for (; at < s.len && digits < 3 && etc_is_digit(s.ptr[at]); at++)
		digits++;
	whole = digits > 0;
	if (!whole && at)
		return false;
	while (whole && etc_fits(s.len, at, 4) && s.ptr[at] == ',' && etc_is_digit(s.ptr[at + 1]) &&
	       etc_is_digit(s.ptr[at + 2]) && etc_is_digit(s.ptr[at + 3]))
		at += 4;
	if (at < s.len && s.ptr[at] == '.') {
		for (at++; at < s.len && etc_is_digit(s.ptr[at]); at++)
			fraction++;
		if (!whole && !fraction)
			return false;
	}
	return at == s.len;
}

/* Does tabulate's _isnumber accept the text? A number that overflows to infinity is not
 * accepted. */
static bool is_number(struct etc_str s)
{
	double v;

	if (!etc_py_is_float(s, &v))
		return false;
	if (v - v == 0)
		return true;
	if (s.len == 4 && s.ptr[0] == '-')
		s = etc_str_sub(s, 1, 4);
	else if (s.len != 3)
		return false;
	return ((s.ptr[0] | 0x20) == 'i' && (s.ptr[1] | 0x20) == 'n' && (s.ptr[2] | 0x20) == 'f') ||
	       ((s.ptr[0] | 0x20) == 'n' && (s.ptr[1] | 0x20) == 'a' && (s.ptr[2] | 0x20) == 'n');
}

static enum etc_tab_type plain_type(struct etc_str s)
{
	if (!s.len)
		return ETC_TAB_NONE;
	if (etc_str_eq(s, ETC_STR("True")) || etc_str_eq(s, ETC_STR("False")))
		return ETC_TAB_BOOL;
	if (etc_py_is_int(s))
		return ETC_TAB_INT;
	if (has_thousands(s))
		return memchr(s.ptr, '.', s.len) ? ETC_TAB_FLOAT : ETC_TAB_INT;
	return is_number(s) ? ETC_TAB_FLOAT : ETC_TAB_STR;
}

enum etc_tab_type etc_tab_type(struct etc_str s)
{
	struct etc_text plain = { 0 };
	enum etc_tab_type type;

	/* Fast path: the text begins with a letter that cannot begin a number, as most names do. */
	if (s.len && ((s.ptr[0] >= 'A' && s.ptr[0] <= 'E') || s.ptr[0] == 'M'))
		return ETC_TAB_STR;
	if (!s.len || !memchr(s.ptr, '\x1b', s.len))
		return plain_type(s);
	etc_tab_strip_ansi(s, &plain);
	type = plain_type(etc_text_str(&plain));
	etc_text_release(&plain);
	return type;
}

int etc_tab_afterpoint(struct etc_str s)
{
	size_t at = s.len;

	if ((!is_number(s) && !has_thousands(s)) || etc_py_is_int(s))
		return -1;
	while (at > 0 && s.ptr[at - 1] != '.')
		at--;
	if (!at)
		for (at = s.len; at > 0 && (s.ptr[at - 1] | 0x20) != 'e';)
			at--;
	return at ? (int)(etc_utf8_count(etc_str_sub(s, at, s.len))) : -1;
}
