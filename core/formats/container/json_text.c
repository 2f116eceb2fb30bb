/* json_text.c -- types and values of JSON tokens. See json.h. */
#include "formats/container/json.h"

#include "base/ascii.h"

static size_t digits(struct etc_str t, size_t at)
{
	size_t n = 0;

	while (at + n < t.len && t.ptr[at + n] >= '0' && t.ptr[at + n] <= '9')
		n++;
	return n;
}

static enum etc_json_type classify_number(struct etc_str t)
{
	size_t at = t.ptr[0] == '-', n = digits(t, at);
	enum etc_json_type type = ETC_JSON_INT;

	if (n == 0 || (n > 1 && t.ptr[at] == '0'))
		return ETC_JSON_BAD;
	at += n;
	if (at < t.len && t.ptr[at] == '.') {
		n = digits(t, at + 1);
		if (n == 0)
			return ETC_JSON_BAD;
		at += n + 1;
		type = ETC_JSON_FLOAT;
	}
	if (at < t.len && (t.ptr[at] == 'e' || t.ptr[at] == 'E')) {
		at++;
		if (at < t.len && (t.ptr[at] == '+' || t.ptr[at] == '-'))
			at++;
		n = digits(t, at);
		if (n == 0)
			return ETC_JSON_BAD;
		at += n;
		type = ETC_JSON_FLOAT;
	}
	return at == t.len ? type : ETC_JSON_BAD;
}

enum etc_json_type etc_json_classify(struct etc_str t)
{
	static const struct {
		struct etc_str word;
		enum etc_json_type type;
	} words[] = {
		{ { "null", 4 }, ETC_JSON_NULL },      { { "true", 4 }, ETC_JSON_TRUE },
		{ { "false", 5 }, ETC_JSON_FALSE },    { { "NaN", 3 }, ETC_JSON_FLOAT },
		{ { "Infinity", 8 }, ETC_JSON_FLOAT }, { { "-Infinity", 9 }, ETC_JSON_FLOAT },
	};

	if (t.len == 0)
		return ETC_JSON_BAD;
	if (t.ptr[0] == '{')
		return ETC_JSON_OBJECT;
	if (t.ptr[0] == '[')
		return ETC_JSON_ARRAY;
	if (t.ptr[0] == '"')
		return t.len >= 2 && t.ptr[t.len - 1] == '"' ? ETC_JSON_STRING : ETC_JSON_BAD;
	if (t.ptr[0] < '0' || t.ptr[0] > '9')
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (etc_str_eq(t, words[i].word))
				return words[i].type;
	return classify_number(t);
}

bool etc_json_int(struct etc_str t, int64_t *v)
{
	const bool negative = t.len && t.ptr[0] == '-';
	const uint64_t limit = (uint64_t)INT64_MAX + negative;
	uint64_t n = 0;

	for (size_t i = negative; i < t.len; i++) {
		unsigned d = (unsigned)(t.ptr[i] - '0');

		if (d > 9 || n > (limit - d) / 10)
			return false;
		n = n * 10 + d;
	}
	*v = negative && n ? -1 - (int64_t)(n - 1) : (int64_t)n;
	return t.len > negative;
}

static int hex4(struct etc_str s, size_t at)
{
	int v = 0;

	if (!etc_fits(s.len, at, 4))
		return -1;
	for (size_t i = 0; i < 4; i++) {
		char c = s.ptr[at + i];

		if (c >= '0' && c <= '9')
			v = v * 16 + (c - '0');
		else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
			v = v * 16 + ((c & 0x5f) - 'A' + 10);
		else
			return -1;
	}
	return v;
}

static size_t put_utf8(char *to, uint32_t cp)
{
	if (cp < 0x80) {
		to[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		to[0] = (char)(0xc0 | cp >> 6);
		to[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		to[0] = (char)(0xe0 | cp >> 12);
		to[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		to[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | cp >> 18);
	to[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	to[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	to[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

/* Returns the code point of the escape sequence whose backslash is at `*at`; a surrogate pair is
 * combined into one code point. -1: the sequence is invalid. Moves `*at` past the sequence. */
static int32_t escape(struct etc_str s, size_t *at)
{
	static const char meant[256] = { ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
		                         ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t' };
	int hi, lo;
	char c;

	if (*at + 1 >= s.len)
		return -1;
	*at += 2;
	c = s.ptr[*at - 1];
	if (c != 'u')
		return meant[(uint8_t)c] ? meant[(uint8_t)c] : -1;
	hi = hex4(s, *at);
	*at += 4;
	if (hi < 0xd800 || hi > 0xdbff || !etc_fits(s.len, *at, 6) || s.ptr[*at] != '\\' ||
	    s.ptr[*at + 1] != 'u')
		return hi;
	lo = hex4(s, *at + 2);
	if (lo < 0xdc00 || lo > 0xdfff)
		return hi;
	*at += 6;
	return 0x10000 + ((hi - 0xd800) << 10) + (lo - 0xdc00);
}

bool etc_json_escapes(struct etc_str s)
{
	const char *slash = s.len ? memchr(s.ptr, '\\', s.len) : NULL;

	while (slash) {
		size_t at = (size_t)(slash - s.ptr);

		if (s.len - at > 1 && (slash[1] == 'n' || slash[1] == '"'))
			at += 2; /* the most frequent escapes are valid, and are two bytes long */
		else if (escape(s, &at) < 0)
			return false;
		slash = at < s.len ? memchr(s.ptr + at, '\\', s.len - at) : NULL;
	}
	return true;
}

bool etc_json_unescape(struct etc_arena *arena, struct etc_str s, struct etc_str *out, bool *bad)
{
	const char *slash = s.len ? memchr(s.ptr, '\\', s.len) : NULL;
	size_t at = 0, n = 0;
	char *to;

	*out = s;
	*bad = false;
	if (!slash)
		return true;
	to = etc_new(arena, char, s.len); /* resolving an escape never lengthens the text */
	if (!to)
		return false;
	while (slash) {
		size_t plain = (size_t)(slash - s.ptr) - at;
		int32_t cp;

		memcpy(to + n, s.ptr + at, plain);
		n += plain;
		at += plain;
		cp = escape(s, &at);
		if (cp < 0) {
			*bad = true;
			return false;
		}
		n += put_utf8(to + n, (uint32_t)cp);
		slash = at < s.len ? memchr(s.ptr + at, '\\', s.len - at) : NULL;
	}
	memcpy(to + n, s.ptr + at, s.len - at);
	*out = (struct etc_str){ to, n + s.len - at };
	return true;
}

struct encoding {
	unsigned width; /* bytes per unit */
	bool big;
	size_t mark; /* length of the byte order mark */
};

/* Finds the encoding as Python's json.detect_encoding() does. */
static struct encoding detect(struct etc_str s)
{
	const uint8_t *b = (const uint8_t *)s.ptr;

	if (s.len >= 4 && memcmp(b, "\xff\xfe\0\0", 4) == 0)
		return (struct encoding){ 4, false, 4 };
	if (s.len >= 4 && memcmp(b, "\0\0\xfe\xff", 4) == 0)
		return (struct encoding){ 4, true, 4 };
	if (s.len >= 2 && (memcmp(b, "\xff\xfe", 2) == 0 || memcmp(b, "\xfe\xff", 2) == 0))
		return (struct encoding){ 2, b[0] == 0xfe, 2 };
	if (s.len >= 3 && memcmp(b, "\xef\xbb\xbf", 3) == 0)
		return (struct encoding){ 1, false, 3 };
	if (s.len >= 4 && b[0] == 0)
		return (struct encoding){ b[1] ? 2 : 4, true, 0 };
	if (s.len >= 4 && b[1] == 0)
		return (struct encoding){ b[2] || b[3] ? 2 : 4, false, 0 };
	if (s.len == 2 && b[0] == 0)
		return (struct encoding){ 2, true, 0 };
	if (s.len == 2 && b[1] == 0)
		return (struct encoding){ 2, false, 0 };
	return (struct encoding){ 1, false, 0 };
}

static uint32_t unit(const uint8_t *p, struct encoding e)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < e.width; i++)
		v |= (uint32_t)p[i] << 8 * (e.big ? e.width - 1 - i : i);
	return v;
}

enum etc_status etc_json_utf8(struct etc_arena *arena, struct etc_str *text, bool *moved,
                              struct etc_error *err)
{
	enum { ROOM = 64 };
	const struct encoding e = detect(*text);
	struct etc_str s = etc_str_sub(*text, e.mark, text->len);
	const uint8_t *p = (const uint8_t *)s.ptr;
	size_t n = 0;
	char *to;

	*moved = false;
	if (e.width == 1) {
		*text = s;
		return ETC_OK;
	}
	if (s.len % e.width)
		return etc_fail(err, E0406, "UTF-%u text of %zu bytes", e.width * 8, s.len);
	to = s.len < SIZE_MAX / 4 ? etc_new(arena, char, s.len / e.width * 4 + ROOM) : NULL;
	ETC_NEED(to, err);
	for (size_t i = 0; i < s.len; i += e.width) {
		uint32_t cp = unit(p + i, e), lo;

		if (e.width == 2 && cp >> 10 == 0x36 && etc_fits(s.len, i + 2, 2)) {
			lo = unit(p + i + 2, e);
			if (lo >> 10 == 0x37) {
				cp = 0x10000 + ((cp - 0xd800) << 10) + (lo - 0xdc00);
				i += 2;
			}
		}
		if (cp > 0x10ffff)
			return etc_fail_at(err, E0406, i, "no UTF-%u text", e.width * 8);
		n += put_utf8(to + n, cp);
	}
	*text = (struct etc_str){ to, n };
	*moved = true;
	return ETC_OK;
}

enum etc_status etc_json_utf8_as(struct etc_arena *arena, struct etc_str *text, bool *moved,
                                 enum etc_code damaged, struct etc_error *err)
{
	struct etc_error why = { 0 };
	enum etc_status st = etc_json_utf8(arena, text, moved, &why);

	if (st == ETC_OK)
		return ETC_OK;
	return etc_fail(err, st == ETC_NOMEM ? why.code : damaged, "%s", why.text);
}

/* --- integers that Python refuses ------------------------------------------------ */

/* the most digits that Python accepts: sys.int_info.default_max_str_digits */
enum { LONGEST_INT = 4300 };

/* Is the byte at `at` outside of strings? On entry, `*inside` must be true if byte `from` is inside
 * a string. On return, `*inside` is true if byte `at` is inside a string. */
static bool outside_strings(struct etc_str text, size_t from, size_t at, bool *inside)
{
	for (size_t i = from; i < at; i++) {
		if (text.ptr[i] == '\\' && *inside)
			i++;
		else if (text.ptr[i] == '"')
			*inside = !*inside;
	}
	return !*inside;
}

bool etc_json_long_number(struct etc_str text)
{
	bool inside = false;
	/* quotes were counted up to this offset: `inside` says whether a string is open here */
	size_t counted = 0;

	for (size_t at = LONGEST_INT; at < text.len; at += LONGEST_INT + 1) {
		size_t begin = at, end = at;

		if (!etc_is_digit(text.ptr[at]))
			continue;
		while (begin > counted && etc_is_digit(text.ptr[begin - 1]))
			begin--;
		while (end < text.len && etc_is_digit(text.ptr[end]))
			end++;
		/* A number with fraction or exponent is a float, which may have any length. */
		if (end - begin > LONGEST_INT &&
		    (end == text.len || !memchr(".eE", text.ptr[end], 3)) &&
		    (begin == 0 || !memchr(".eE", text.ptr[begin - 1], 3)) &&
		    (begin < 2 || !memchr("+-", text.ptr[begin - 1], 2) ||
		     !memchr("eE", text.ptr[begin - 2], 2))) {
			if (outside_strings(text, counted, begin, &inside))
				return true;
			counted = begin;
		}
		at = end - 1;
	}
	return false;
}
