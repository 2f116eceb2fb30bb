/* text.c -- see text.h. The only file that includes utf8proc.h. */
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/digits.h"
#include "base/memory.h"
#include "base/number.h"

void etc_text_release(struct etc_text *t)
{
	free(t->ptr);
	*t = (struct etc_text){ .sink = t->sink, .arg = t->arg };
}

struct etc_str etc_text_keep(struct etc_text *t, struct etc_arena *arena)
{
	struct etc_str kept = t->failed ? ETC_STR_NONE : etc_arena_str(arena, etc_text_str(t));

	etc_text_release(t);
	return kept;
}

/* Passes text to the sink. A failure sets `failed`; the lost bytes count as passed. */
static void give(struct etc_text *t, struct etc_str s)
{
	if (s.len && !t->failed && !t->sink(t->arg, s))
		t->failed = true;
	t->given += s.len;
}

bool etc_text_flush(struct etc_text *t)
{
	if (t->sink) {
		give(t, etc_text_str(t));
		t->len = 0;
	}
	return !t->failed;
}

void etc_text_pass(struct etc_text *t, struct etc_str s)
{
	if (!t->sink || s.len < ETC_TEXT_CHUNK) {
		etc_text_put(t, s);
		return;
	}
	etc_text_flush(t);
	give(t, s);
}

char *etc_text_grow(struct etc_text *t, size_t n)
{
	size_t room = t->room ? t->room : 4096;
	char *p;

	if (t->sink && t->len >= ETC_TEXT_CHUNK / 2 && !etc_fits(ETC_TEXT_CHUNK, t->len, n))
		etc_text_flush(t);
	if (t->failed)
		return NULL;
	while (!etc_fits(room, t->len, n)) {
		if (room > SIZE_MAX / 2) {
			t->failed = true;
			return NULL;
		}
		room *= 2;
	}
	p = room > t->room ? etc_realloc(t->ptr, room) : t->ptr;
	if (!p) {
		t->failed = true;
		return NULL;
	}
	t->ptr = p;
	t->room = room;
	return p + t->len;
}

void etc_text_utf8(struct etc_text *t, struct etc_str s)
{
	while (s.len) {
		size_t fault = etc_utf8_fault(s);

		if (fault == SIZE_MAX) {
			etc_text_put(t, s);
			return;
		}
		etc_text_put(t, etc_str_sub(s, 0, fault));
		etc_text_cstr(t, "\xEF\xBF\xBD");
		s = etc_str_sub(s, fault + 1, s.len);
	}
}

/* Appends `s` `times` times. Appends them in chunks, so that the sink receives each chunk before
 * the next one is made. */
void etc_text_repeat(struct etc_text *t, const char *s, size_t times)
{
	size_t n = strlen(s), most = n < ETC_TEXT_CHUNK ? ETC_TEXT_CHUNK / (n ? n : 1) : 1;

	while (n && times) {
		size_t some = times < most ? times : most, all = some * n;
		char *to = etc_text_reserve(t, all);

		if (!to)
			return;
		memcpy(to, s, n);
		for (size_t done = n; done < all; done *= 2)
			memcpy(to + done, to, done < all - done ? done : all - done);
		t->len += all;
		times -= some;
	}
}

void etc_text_printf(struct etc_text *t, const char *fmt, ...)
{
	const size_t room = t->failed ? 0 : t->room - t->len;
	va_list args;
	char *to;
	int n;

	va_start(args, fmt);
	n = vsnprintf(room ? t->ptr + t->len : NULL, room, fmt, args);
	va_end(args);
	if (n >= 0 && (size_t)n < room) {
		t->len += (size_t)n;
		return;
	}
	to = n < 0 ? NULL : etc_text_reserve(t, (size_t)n + 1);
	if (!to)
		return;
	va_start(args, fmt);
	vsnprintf(to, (size_t)n + 1, fmt, args);
	va_end(args);
	t->len += (size_t)n;
}

void etc_text_u64(struct etc_text *t, uint64_t v)
{
	size_t n = etc_digits_of(v);
	char *to = etc_text_reserve(t, n);

	if (!to)
		return;
	etc_digits_put(to, n, v);
	t->len += n;
}

void etc_text_i64(struct etc_text *t, int64_t v)
{
	if (v < 0)
		etc_text_char(t, '-');
	etc_text_u64(t, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void etc_text_hex(struct etc_text *t, struct etc_span bytes)
{
	static const char digit[] = "0123456789abcdef";
	char *to =
		bytes.len && bytes.len <= SIZE_MAX / 2 ? etc_text_reserve(t, bytes.len * 2) : NULL;

	if (!to)
		return;
	for (size_t i = 0; i < bytes.len; i++) {
		*to++ = digit[bytes.ptr[i] >> 4];
		*to++ = digit[bytes.ptr[i] & 15];
	}
	t->len += bytes.len * 2;
}

bool etc_text_is_plain(struct etc_str s)
{
	bool plain = true;

	for (size_t i = 0; i < s.len; i++)
		plain &= s.ptr[i] >= 0x20 && s.ptr[i] < 0x7f;
	return plain;
}

/* Returns the end of the bytes, from `at` on, that a JSON string can contain unchanged: printable
 * ASCII other than '"' and '\'. */
static size_t json_plain(struct etc_str s, size_t at)
{
	while (at < s.len && s.ptr[at] >= 0x20 && s.ptr[at] < 0x7f && s.ptr[at] != '"' &&
	       s.ptr[at] != '\\')
		at++;
	return at;
}

void etc_text_json(struct etc_text *t, struct etc_str s)
{
	size_t from = 0, at = 0;

	while ((at = json_plain(s, at)) < s.len) {
		size_t here = at;
		int32_t cp = etc_utf8_next(s, &at);

		if (cp >= 0x20 && cp != '"' && cp != '\\' && etc_utf8_printable(cp))
			continue;
		etc_text_put(t, etc_str_sub(s, from, here));
		from = at;
		switch (cp) {
		case -1:
			etc_text_cstr(t, "\xef\xbf\xbd");
			break;
		case '"':
			etc_text_cstr(t, "\\\"");
			break;
		case '\\':
			etc_text_cstr(t, "\\\\");
			break;
		case '\n':
			etc_text_cstr(t, "\\n");
			break;
		case '\r':
			etc_text_cstr(t, "\\r");
			break;
		case '\t':
			etc_text_cstr(t, "\\t");
			break;
		default:
			if (cp > 0xffff)
				etc_text_printf(t, "\\u%04x", 0xd7c0u + ((unsigned)cp >> 10));
			etc_text_printf(t, "\\u%04x",
			                cp > 0xffff ? 0xdc00u + ((unsigned)cp & 0x3ff)
			                            : (unsigned)cp);
		}
	}
	etc_text_put(t, etc_str_sub(s, from, s.len));
}

void etc_text_json_string(struct etc_text *t, struct etc_str s)
{
	char *to = json_plain(s, 0) == s.len && s.len ? etc_text_reserve(t, s.len + 2) : NULL;

	if (to) {
		to[0] = '"';
		memcpy(to + 1, s.ptr, s.len);
		to[s.len + 1] = '"';
		t->len += s.len + 2;
		return;
	}
	etc_text_char(t, '"');
	etc_text_json(t, s);
	etc_text_char(t, '"');
}

void etc_text_json_real(struct etc_text *t, double v)
{
	char digits[ETC_NUMBER_MAX];
	struct etc_str s = { digits, etc_number_repr(digits, v) };

	if (isfinite(v))
		etc_text_put(t, s);
	else
		etc_text_json_string(t, s);
}

enum { ESCAPE_MOST = 11 };

/* Writes the character of `s` that starts at `from`, escaped if it is unprintable. `*at` must equal
 * `from`, and is moved past the character. Returns the number of bytes written. */
static size_t put_clean(char to[ESCAPE_MOST], struct etc_str s, size_t from, size_t *at)
{
	int32_t cp = etc_utf8_next(s, at);
	int n;

	if (cp >= 0 && etc_utf8_printable(cp)) {
		memcpy(to, s.ptr + from, *at - from);
		return *at - from;
	}
	if (cp == '\n' || cp == '\t')
		n = snprintf(to, ESCAPE_MOST, cp == '\n' ? "\\n" : "\\t");
	else if (cp < 0)
		n = snprintf(to, ESCAPE_MOST, "\\x%02x", (unsigned char)s.ptr[from]);
	else
		n = snprintf(to, ESCAPE_MOST, cp > 0xffff ? "\\U%08lx" : "\\u%04lx",
		             (unsigned long)cp);
	return (size_t)n;
}

void etc_text_clean(struct etc_text *t, struct etc_str s, const char *marked)
{
	size_t plain = 0, at = 0;

	while (at < s.len) {
		unsigned char c = (unsigned char)s.ptr[at];
		char one[ESCAPE_MOST];
		size_t from = at;

		if (c >= 0x20 && c < 0x7f && (!*marked || !strchr(marked, c))) {
			at++;
			continue;
		}
		etc_text_put(t, etc_str_sub(s, plain, from));
		if (c >= 0x20 && c < 0x7f)
			etc_text_char(t, '\\');
		plain = put_clean(one, s, from, &at);
		etc_text_put(t, (struct etc_str){ one, plain });
		plain = at;
	}
	etc_text_put(t, etc_str_sub(s, plain, s.len));
}

void etc_text_tell(struct etc_text *t, const char *fmt, ...)
{
	const size_t n = strlen(fmt);
	const bool ends = n && fmt[n - 1] == '\n';
	struct etc_text line = { 0 };
	va_list args, again;
	char *to;
	int len;

	va_start(args, fmt);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, args);
	to = len < 0 ? NULL : etc_text_reserve(&line, (size_t)len + 1);
	if (to) {
		vsnprintf(to, (size_t)len + 1, fmt, again);
		etc_text_shown(t, (struct etc_str){ to, (size_t)len - ends });
		if (ends)
			etc_text_char(t, '\n');
	}
	t->failed = t->failed || line.failed;
	va_end(again);
	va_end(args);
	etc_text_release(&line);
}

/* Returns the first position of a character that must be escaped so that Markdown makes no link:
 * the first slash of "://", or the point of "www."; SIZE_MAX: there is no such character. */
static size_t link_at(struct etc_str s, size_t from)
{
	size_t scheme = etc_str_find(s, ETC_STR("://"), from);
	size_t www = etc_str_find(s, ETC_STR("www."), from);

	scheme = scheme == SIZE_MAX ? SIZE_MAX : scheme + 1;
	www = www == SIZE_MAX ? SIZE_MAX : www + 3;
	return scheme < www ? scheme : www;
}

/* Is the tilde at `at` between blanks? Then Markdown does not take it for mark-up. */
static bool is_apart(struct etc_str s, size_t at)
{
	return (at == 0 || s.ptr[at - 1] == ' ') && (at + 1 == s.len || s.ptr[at + 1] == ' ');
}

/* May the character at `at` begin a mail link or the mention of a user (@), a link to an issue
 * (#12) or an emoji (:bug:)? A backslash before the character does not prevent the link, mention or
 * emoji; an HTML comment after the character does. */
static bool is_reference(struct etc_str s, size_t at)
{
	size_t end = at + 1;

	if (end == s.len)
		return false;
	if (s.ptr[at] == '@')
		return s.ptr[end] != ' ';
	if (s.ptr[at] == '#')
		return etc_is_digit(s.ptr[end]);
	if (s.ptr[at] != ':')
		return false;
	while (end < s.len && (etc_is_alphanumeric(s.ptr[end]) || strchr("_+-", s.ptr[end])))
		end++;
	return end > at + 1 && end < s.len && s.ptr[end] == ':';
}

/* Does `s` begin as an item of a Markdown list, "- a" or "1. a"? Returns the position of the '-',
 * '+', '.' or ')', else SIZE_MAX. */
static size_t list_at(struct etc_str s)
{
	size_t at = 0;

	while (at < s.len && etc_is_digit(s.ptr[at]))
		at++;
	if (at + 1 < s.len && s.ptr[at + 1] == ' ' && strchr(at ? ".)" : "-+", s.ptr[at]))
		return at;
	return SIZE_MAX;
}

void etc_text_markdown(struct etc_text *t, struct etc_str s)
{
	struct etc_text clean = { 0 };
	struct etc_str seen;
	size_t link, list;

	etc_text_shown(&clean, s);
	seen = etc_text_str(&clean);
	link = link_at(seen, 0);
	list = list_at(seen);
	for (size_t i = 0; i < seen.len; i++) {
		char c = seen.ptr[i];

		if (strchr("\\`*_|[]#$", c) || i == link || i == list || (c == '>' && i == 0) ||
		    (c == '~' && !is_apart(seen, i)))
			etc_text_char(t, '\\');
		if (i == link)
			link = link_at(seen, i + 1);
		if (c == '<' || c == '&')
			etc_text_cstr(t, c == '<' ? "&lt;" : "&amp;");
		else
			etc_text_char(t, c);
		if (is_reference(seen, i))
			etc_text_cstr(t, "<!-- -->");
	}
	t->failed = t->failed || clean.failed;
	etc_text_release(&clean);
}

/* Does Markdown show `s` unchanged even if nothing in it is escaped? A _ inside a word is not
 * mark-up. */
static bool is_name(struct etc_str s)
{
	/* number of letters and digits before this position in the word; _ does not end the word */
	size_t word = 0;

	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];

		if (c == '_' && word && i + 1 < s.len &&
		    (s.ptr[i + 1] == '_' || etc_is_alphanumeric(s.ptr[i + 1])))
			continue;
		if ((!etc_is_alphanumeric(c) && !(c && strchr(" -./:=,+%@()?!;'", c))) ||
		    is_reference(s, i))
			return false;
		word = etc_is_alphanumeric(c) ? word + 1 : 0;
	}
	return s.len && link_at(s, 0) == SIZE_MAX;
}

/* Can `s` be put into a code span of Markdown, in which nothing can be escaped? */
static bool is_code(struct etc_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] <= 0x20 || s.ptr[i] >= 0x7f || strchr("`|$<&", s.ptr[i]))
			return is_name(s) && s.ptr[0] != ' ' && s.ptr[s.len - 1] != ' ';
	return s.len > 0;
}

void etc_text_markdown_name(struct etc_text *t, struct etc_str s)
{
	if (is_name(s))
		etc_text_put(t, s);
	else
		etc_text_markdown(t, s);
}

void etc_text_markdown_code(struct etc_text *t, struct etc_str s)
{
	if (!is_code(s)) {
		etc_text_markdown(t, s);
		return;
	}
	etc_text_char(t, '`');
	etc_text_put(t, s);
	etc_text_char(t, '`');
}

void etc_clean(char *to, size_t room, struct etc_str s)
{
	size_t used = 0;

	for (size_t at = 0; at < s.len;) {
		char one[ESCAPE_MOST];
		size_t n = put_clean(one, s, at, &at);

		if (used + n >= room)
			break;
		memcpy(to + used, one, n);
		used += n;
	}
	to[used] = '\0';
}

int32_t etc_utf8_next(struct etc_str s, size_t *at)
{
	utf8proc_int32_t cp = -1; /* MSan does not detect that utf8proc writes it */
	utf8proc_ssize_t used;

	if ((unsigned char)s.ptr[*at] < 0x80)
		return (unsigned char)s.ptr[(*at)++];
	used = s.len - *at > 4 ? 4 : (utf8proc_ssize_t)(s.len - *at);
	used = utf8proc_iterate((const utf8proc_uint8_t *)s.ptr + *at, used, &cp);
	if (used <= 0) {
		(*at)++;
		return -1;
	}
	*at += (size_t)used;
	return cp;
}

size_t etc_utf8_fault(struct etc_str s)
{
	if (etc_is_ascii(s))
		return SIZE_MAX;
	for (size_t at = 0; at < s.len;) {
		size_t here = at;

		if (etc_utf8_next(s, &at) < 0)
			return here;
	}
	return SIZE_MAX;
}

size_t etc_utf8_count(struct etc_str s)
{
	size_t n = 0;

	if (etc_is_ascii(s))
		return s.len;
	for (size_t at = 0; at < s.len; n++)
		etc_utf8_next(s, &at);
	return n;
}

size_t etc_utf8_width(struct etc_str s)
{
	size_t width = 0;

	for (size_t at = 0; at < s.len;) {
		int32_t cp = etc_utf8_next(s, &at);
		int w = cp >= 0x20 && cp < 0x7f ? 1 : cp < 0 ? 1 : utf8proc_charwidth(cp);

		width += w > 0 ? (size_t)w : 0;
	}
	return width;
}

bool etc_utf8_printable(int32_t cp)
{
	if (cp >= 0x20 && cp < 0x7f)
		return true;
	switch (utf8proc_category(cp)) {
	case UTF8PROC_CATEGORY_CN:
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_CO:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
	case UTF8PROC_CATEGORY_ZS:
		return false;
	default:
		return true;
	}
}

bool etc_utf8_all_printable(struct etc_str s)
{
	for (size_t at = 0; at < s.len;)
		if (!etc_utf8_printable(etc_utf8_next(s, &at)))
			return false;
	return true;
}

bool etc_utf8_alphanumeric(int32_t cp)
{
	if (cp < 0x80)
		return etc_is_alphanumeric((char)cp);
	switch (utf8proc_category(cp)) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LM:
	case UTF8PROC_CATEGORY_LO:
	case UTF8PROC_CATEGORY_ND:
	case UTF8PROC_CATEGORY_NL:
	case UTF8PROC_CATEGORY_NO:
		return true;
	default:
		return false;
	}
}

int etc_utf8_decimal(int32_t cp)
{
	int32_t first = cp;

	if (cp >= '0' && cp <= '9')
		return cp - '0';
	if (cp < 0x80 || utf8proc_category(cp) != UTF8PROC_CATEGORY_ND)
		return -1;
	/* The decimal digits of a script have ten consecutive code points, zero first. Several
	 * scripts may be adjacent. */
	while (utf8proc_category(first - 1) == UTF8PROC_CATEGORY_ND)
		first--;
	return (cp - first) % 10;
}

bool etc_utf8_is_space(int32_t cp)
{
	return (cp >= 9 && cp <= 13) || (cp >= 0x1c && cp <= 0x20) || cp == 0x85 || cp == 0xa0 ||
	       cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 || cp == 0x2029 ||
	       cp == 0x202f || cp == 0x205f || cp == 0x3000;
}
