/* pyrepr.c -- see pyrepr.h */
#include "inspector/pyrepr.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/number.h"
#include "model/limits.h"

static void escape(struct etc_text *t, int32_t cp)
{
	if (cp == '\n' || cp == '\r' || cp == '\t' || cp == '\\')
		etc_text_printf(t, "\\%c",
		                cp == '\n'   ? 'n'
		                : cp == '\r' ? 'r'
		                : cp == '\t' ? 't'
		                             : '\\');
	else if (cp < 0x100)
		etc_text_printf(t, "\\x%02x", (unsigned)cp);
	else if (cp < 0x10000)
		etc_text_printf(t, "\\u%04x", (unsigned)cp);
	else
		etc_text_printf(t, "\\U%08x", (unsigned)cp);
}

static char quote_of(struct etc_str s)
{
	return memchr(s.len ? s.ptr : "", '\'', s.len) && !memchr(s.ptr, '"', s.len) ? '"' : '\'';
}

void etc_py_str(struct etc_text *t, struct etc_str s)
{
	char quote = quote_of(s);
	size_t from = 0, at = 0;

	etc_text_char(t, quote);
	while (at < s.len) {
		size_t here = at;
		int32_t cp = etc_utf8_next(s, &at);

		if (cp != '\\' && cp != quote && etc_utf8_printable(cp))
			continue;
		etc_text_put(t, etc_str_sub(s, from, here));
		from = at;
		if (cp == quote)
			etc_text_printf(t, "\\%c", quote);
		else
			escape(t, cp);
	}
	etc_text_put(t, etc_str_sub(s, from, s.len));
	etc_text_char(t, quote);
}

void etc_py_bytes(struct etc_text *t, struct etc_span s)
{
	struct etc_str view = { (const char *)s.ptr, s.len };
	char quote = quote_of(view);

	etc_text_char(t, 'b');
	etc_text_char(t, quote);
	for (size_t i = 0; i < s.len; i++) {
		uint8_t c = s.ptr[i];

		if (c == (uint8_t)quote)
			etc_text_printf(t, "\\%c", quote);
		else if (c == '\\' || c < 0x20 || c >= 0x7f)
			escape(t, c);
		else
			etc_text_char(t, (char)c);
	}
	etc_text_char(t, quote);
}

void etc_py_float(struct etc_text *t, double v)
{
	char text[ETC_NUMBER_MAX];

	etc_text_put(t, (struct etc_str){ text, etc_number_repr(text, v) });
}

/* ---- JSON ------------------------------------------------------------------------ */

struct json {
	struct etc_str s;
	size_t at;
	unsigned depth;
	bool bytes; /* the quoted form b"<base64>" is accepted as a value */
};

static void blanks(struct json *j)
{
	while (j->at < j->s.len && memchr(" \t\n\r", j->s.ptr[j->at], 4))
		j->at++;
}

static bool take(struct json *j, const char *word)
{
	size_t n = strlen(word);

	if (!etc_fits(j->s.len, j->at, n) || memcmp(j->s.ptr + j->at, word, n) != 0)
		return false;
	j->at += n;
	return true;
}

static bool hex4(struct json *j, uint32_t *out)
{
	char digits[5] = { 0 }, *end;

	if (!etc_fits(j->s.len, j->at, 4))
		return false;
	memcpy(digits, j->s.ptr + j->at, 4);
	*out = (uint32_t)strtoul(digits, &end, 16);
	j->at += 4;
	return *end == '\0';
}

static void put_utf8(struct etc_text *t, uint32_t cp)
{
	char b[4];
	size_t n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;

	for (size_t i = n - 1; i > 0; i--, cp >>= 6)
		b[i] = (char)(0x80 | (cp & 63));
	b[0] = (char)(n == 1 ? cp : (0xf00u >> n & 0xff) | cp);
	etc_text_put(t, (struct etc_str){ b, n });
}

/* Appends the contents of a JSON string to `t`, with its escapes resolved. */
static bool string(struct json *j, struct etc_text *t)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

	if (!take(j, "\""))
		return false;
	while (j->at < j->s.len && j->s.ptr[j->at] != '"') {
		char c = j->s.ptr[j->at++];
		uint32_t cp, low;
		const char *hit;

		if (c != '\\') {
			etc_text_char(t, c);
			continue;
		}
		if (j->at >= j->s.len)
			return false;
		c = j->s.ptr[j->at++];
		hit = c ? strchr(from, c) : NULL;
		if (hit) {
			etc_text_char(t, to[hit - from]);
			continue;
		}
		if (c != 'u' || !hex4(j, &cp))
			return false;
		if (cp >= 0xd800 && cp < 0xdc00 && take(j, "\\u")) {
			if (!hex4(j, &low))
				return false;
			cp = 0x10000 + ((cp & 1023) << 10) + (low & 1023);
		}
		put_utf8(t, cp);
	}
	return take(j, "\"");
}

static bool repr_string(struct json *j, struct etc_text *t)
{
	struct etc_text inside = { 0 };
	bool ok = string(j, &inside);

	if (ok)
		etc_py_str(t, etc_text_str(&inside));
	t->failed = t->failed || inside.failed;
	etc_text_release(&inside);
	return ok;
}

static bool repr_number(struct json *j, struct etc_text *t)
{
	size_t from = j->at;
	struct etc_str n;
	bool real = false;
	double v;

	while (j->at < j->s.len && memchr("+-0123456789.eE", j->s.ptr[j->at], 15)) {
		real = real || memchr(".eE", j->s.ptr[j->at], 3);
		j->at++;
	}
	n = etc_str_sub(j->s, from, j->at);
	if (!n.len)
		return false;
	if (!real) {
		etc_text_put(t, etc_str_eq(n, ETC_STR("-0")) ? ETC_STR("0") : n);
		return true;
	}
	if (!etc_number_parse(n, &v))
		return false;
	etc_py_float(t, v);
	return true;
}

/* Decodes the quoted part of b"<base64>", and appends the bytes as Python's repr(bytes). The base64
 * was validated earlier. */
static bool repr_bytes(struct json *j, struct etc_text *t)
{
	struct etc_text raw = { 0 };
	uint32_t bits = 0, have = 0;
	bool ok;

	if (!take(j, "\""))
		return false;
	for (; j->at < j->s.len && j->s.ptr[j->at] != '"'; j->at++) {
		if (j->s.ptr[j->at] == '=')
			continue;
		bits = (bits << 6 | (uint32_t)etc_base64_digit(j->s.ptr[j->at])) & 0xffff;
		have += 6;
		if (have >= 8) {
			have -= 8;
			etc_text_char(&raw, (char)(uint8_t)(bits >> have));
		}
	}
	ok = take(j, "\"") && !raw.failed;
	if (ok)
		etc_py_bytes(t,
		             (struct etc_span){ (const uint8_t *)etc_text_str(&raw).ptr, raw.len });
	etc_text_release(&raw);
	return ok;
}

static bool repr_value(struct json *j, struct etc_text *t);

static bool repr_items(struct json *j, struct etc_text *t, char close)
{
	bool first = true;

	for (;;) {
		blanks(j);
		if (j->at < j->s.len && j->s.ptr[j->at] == close && first)
			break;
		if (!first)
			etc_text_cstr(t, ", ");
		first = false;
		if (close == '}') {
			if (!repr_string(j, t))
				return false;
			blanks(j);
			if (!take(j, ":"))
				return false;
			etc_text_cstr(t, ": ");
		}
		if (!repr_value(j, t))
			return false;
		blanks(j);
		if (!take(j, ","))
			break;
	}
	if (j->at >= j->s.len || j->s.ptr[j->at] != close)
		return false;
	j->at++;
	etc_text_char(t, close);
	return true;
}

static bool repr_value(struct json *j, struct etc_text *t)
{
	/* clang-format off */
	static const struct { const char *json, *python; } words[] = {
		{ "null", "None" }, { "true", "True" }, { "false", "False" }, { "NaN", "nan" },
		{ "Infinity", "inf" }, { "-Infinity", "-inf" },
	};
	/* clang-format on */
	bool ok;

	blanks(j);
	if (j->at >= j->s.len || j->depth >= ETC_LIMIT_JSON_DEPTH)
		return false;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (take(j, words[i].json)) {
			etc_text_cstr(t, words[i].python);
			return true;
		}
	if (j->s.ptr[j->at] == '"')
		return repr_string(j, t);
	if (j->bytes && take(j, "b"))
		return repr_bytes(j, t);
	if (j->s.ptr[j->at] != '[' && j->s.ptr[j->at] != '{')
		return repr_number(j, t);
	etc_text_char(t, j->s.ptr[j->at]);
	j->depth++;
	ok = repr_items(j, t, j->s.ptr[j->at++] == '[' ? ']' : '}');
	j->depth--;
	return ok;
}

static bool repr_json(struct etc_text *t, struct etc_str json, bool bytes)
{
	struct json j = { .s = json, .bytes = bytes };

	if (!repr_value(&j, t))
		return false;
	blanks(&j);
	return j.at == json.len;
}

void etc_py_datum(struct etc_text *t, const struct etc_datum *d)
{
	switch (d->kind) {
	case ETC_DATUM_NULL:
		etc_text_cstr(t, "None");
		break;
	case ETC_DATUM_BOOL:
		etc_text_cstr(t, d->i ? "True" : "False");
		break;
	case ETC_DATUM_I64:
		etc_text_i64(t, d->i);
		break;
	case ETC_DATUM_F64:
		etc_py_float(t, d->f);
		break;
	case ETC_DATUM_STR:
		etc_py_str(t, d->text);
		break;
	default:
		if (!repr_json(t, d->text, d->has_bytes))
			etc_text_put(t, d->text);
	}
}

/* ---- numbers in texts ------------------------------------------------------------- */

/* If the character that ends before index `to` (above 0) is white space, returns the index of its
 * first byte; else `to`. */
static size_t space_before(struct etc_str s, size_t to)
{
	size_t from = to, at;

	do
		from--;
	while (from > 0 && to - from < 4 && ((uint8_t)s.ptr[from] & 0xc0) == 0x80);
	at = from;
	return etc_utf8_is_space(etc_utf8_next(etc_str_sub(s, 0, to), &at)) && at == to ? from : to;
}

struct etc_str etc_py_strip(struct etc_str s)
{
	size_t from = 0, to = s.len, at = 0;

	if (s.len && s.ptr[0] > ' ' && s.ptr[0] < 0x7f && s.ptr[s.len - 1] > ' ' &&
	    s.ptr[s.len - 1] < 0x7f)
		return s;
	while (at < s.len && etc_utf8_is_space(etc_utf8_next(s, &at)))
		from = at;
	/* Looks for white space backwards from the end of the text. A search from its start would
	 * read the whole text, and a cell of start times may have 100 KB. */
	for (size_t next; to > from; to = next) {
		next = space_before(s, to);
		if (next == to)
			break;
	}
	return etc_str_sub(s, from, to);
}

/* Converts a text that Python accepts as a number to plain ASCII: removes white space at the ends,
 * replaces digits of other scripts by 0-9, and removes single underscores between digits. Returns
 * false if the text cannot be a number. */
static bool plain_number(struct etc_str s, char *to, size_t room, size_t *len)
{
	bool digit_before = false;

	s = etc_py_strip(s);
	*len = 0;
	for (size_t at = 0; at < s.len;) {
		int32_t cp = etc_utf8_next(s, &at);
		int value = etc_utf8_decimal(cp);

		if (*len + 1 >= room)
			return false;
		if (cp == '_') {
			size_t ahead = at;

			if (!digit_before || at >= s.len ||
			    etc_utf8_decimal(etc_utf8_next(s, &ahead)) < 0)
				return false;
			digit_before = false;
			continue;
		}
		digit_before = value >= 0;
		if (value < 0 && (cp <= 0x20 || cp >= 0x7f))
			return false;
		to[(*len)++] = (char)(value >= 0 ? '0' + value : cp);
	}
	to[*len] = '\0';
	return *len > 0;
}

bool etc_py_is_int(struct etc_str s)
{
	char text[4400];
	size_t n, at;

	if (!plain_number(s, text, sizeof text, &n))
		return false;
	at = text[0] == '+' || text[0] == '-';
	if (at == n || n - at > 4300)
		return false;
	for (; at < n; at++)
		if (text[at] < '0' || text[at] > '9')
			return false;
	return true;
}

static bool equals_ignoring_case(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if ((*a | 0x20) != *b)
			return false;
	return *a == *b;
}

bool etc_py_is_float(struct etc_str s, double *v)
{
	char text[4400];
	const char *p = text;
	size_t n;
	bool digits = false, negative;

	if (!plain_number(s, text, sizeof text, &n))
		return false;
	negative = *p == '-';
	p += *p == '+' || *p == '-';
	if (equals_ignoring_case(p, "inf") || equals_ignoring_case(p, "infinity")) {
		*v = negative ? -1e308 * 10 : 1e308 * 10;
		return true;
	}
	if (equals_ignoring_case(p, "nan")) {
		*v = 0;
		*v = *v / *v;
		return true;
	}
	for (const char *q = p; *q; q++) {
		bool exponent = (*q == 'e' || *q == 'E') && digits;

		if (*q >= '0' && *q <= '9')
			digits = true;
		else if (exponent) {
			q += q[1] == '+' || q[1] == '-';
			if (q[1] < '0' || q[1] > '9')
				return false;
			for (q++; *q >= '0' && *q <= '9'; q++)
				;
			if (*q)
				return false;
			break;
		} else if (*q != '.' || strchr(q + 1, '.')) {
			return false;
		}
	}
	if (!digits)
		return false;
	*v = strtod(text, NULL);
	return true;
}

bool etc_py_next_line(struct etc_str *rest, struct etc_str *line)
{
	if (!rest->len)
		return false;
	for (size_t at = 0; at < rest->len;) {
		size_t here = at;
		int32_t cp = etc_utf8_next(*rest, &at);

		if ((cp < 10 || cp > 13) && (cp < 0x1c || cp > 0x1e) && cp != 0x85 &&
		    cp != 0x2028 && cp != 0x2029)
			continue;
		if (cp == '\r' && at < rest->len && rest->ptr[at] == '\n')
			at++;
		*line = etc_str_sub(*rest, 0, here);
		*rest = etc_str_sub(*rest, at, rest->len);
		return true;
	}
	*line = *rest;
	rest->len = 0;
	return true;
}
