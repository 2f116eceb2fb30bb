/* json_pointer.c -- see json_pointer.h. */
#include "host/rules/json_pointer.h"

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_blanks(struct etc_str s, size_t at)
{
	while (at < s.len && blank(s.ptr[at]))
		at++;
	return at;
}

/* Returns the position after the string that starts at `at`. */
static size_t skip_string(struct etc_str s, size_t at)
{
	for (at++; at < s.len && s.ptr[at] != '"'; at++)
		if (s.ptr[at] == '\\')
			at++;
	return at < s.len ? at + 1 : s.len;
}

/* Returns the position after the value that starts at `at`. */
static size_t skip_value(struct etc_str s, size_t at)
{
	size_t depth = 0;

	while (at < s.len) {
		char c = s.ptr[at];

		if (c == '"') {
			at = skip_string(s, at);
		} else if (c == '{' || c == '[') {
			depth++;
			at++;
		} else if (c == '}' || c == ']') {
			if (depth == 0)
				return at;
			depth--;
			at++;
		} else if (depth == 0) {
			while (at < s.len && !blank(s.ptr[at]) && !memchr(",]}", s.ptr[at], 3))
				at++;
		} else {
			at++;
			continue;
		}
		if (depth == 0)
			return at;
	}
	return s.len;
}

static unsigned hex4(const char *p)
{
	unsigned v = 0;

	for (int i = 0; i < 4; i++) {
		char c = p[i];

		v = v * 16 + (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
	}
	return v;
}

static size_t put_utf8(char *to, unsigned c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 63));
		to[2] = (char)(0x80 | (c & 63));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 63));
	to[2] = (char)(0x80 | (c >> 6 & 63));
	to[3] = (char)(0x80 | (c & 63));
	return 4;
}

/* Decodes the \u escape at `at` and moves `at` past it. The two escapes of a surrogate pair give
 * one code point. */
static unsigned take_u(struct etc_str s, size_t *at)
{
	unsigned c = hex4(s.ptr + *at + 2), low;

	*at += 6;
	if (c < 0xd800 || c > 0xdfff)
		return c;
	if (c < 0xdc00 && etc_fits(s.len, *at, 6) && s.ptr[*at] == '\\' && s.ptr[*at + 1] == 'u') {
		low = hex4(s.ptr + *at + 2);
		if (low >= 0xdc00 && low <= 0xdfff) {
			*at += 6;
			return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	return 0xfffd;
}

bool etc_json_string(struct etc_str token, struct etc_arena *arena, struct etc_str *out)
{
	static const char letters[] = "bfnrt", means[] = "\b\f\n\r\t";
	struct etc_str s = etc_str_sub(token, 1, token.len ? token.len - 1 : 0);
	size_t n = 0;
	char *to;

	*out = s;
	if (s.len == 0 || !memchr(s.ptr, '\\', s.len))
		return true;
	to = etc_arena_alloc(arena, s.len, 1, 1);
	if (!to)
		return false;
	for (size_t at = 0; at < s.len;) {
		const char *letter;

		if (s.ptr[at] != '\\' || at + 1 == s.len) {
			to[n++] = s.ptr[at++];
			continue;
		}
		if (s.ptr[at + 1] == 'u' && etc_fits(s.len, at, 6)) {
			n += put_utf8(to + n, take_u(s, &at));
			continue;
		}
		letter = memchr(letters, s.ptr[at + 1], sizeof letters - 1);
		to[n++] = letter ? means[letter - letters] : s.ptr[at + 1];
		at += 2;
	}
	*out = (struct etc_str){ to, n };
	return true;
}

/* Does the key, a JSON string with its quotes, equal `token`, a part of a JSON pointer? In `token`,
 * "~1" stands for '/' and "~0" for '~'. */
static bool is_key(struct etc_str key, struct etc_str token, struct etc_arena *arena)
{
	size_t at = 0;

	if (!etc_json_string(key, arena, &key))
		return false;
	for (size_t i = 0; i < token.len; i++) {
		char c = token.ptr[i];

		if (c == '~' && i + 1 < token.len)
			c = token.ptr[++i] == '1' ? '/' : '~';
		if (at == key.len || key.ptr[at++] != c)
			return false;
	}
	return at == key.len;
}

/* Returns the position of the value of the member called `token` in the object at `at`; SIZE_MAX:
 * none. */
static size_t member(struct etc_str s, size_t at, struct etc_str token, struct etc_arena *arena)
{
	size_t found = SIZE_MAX;

	at = skip_blanks(s, at + 1);
	while (at < s.len && s.ptr[at] == '"') {
		size_t end = skip_string(s, at);
		bool mine = is_key(etc_str_sub(s, at, end), token, arena);

		at = skip_blanks(s, skip_blanks(s, end) + 1); /* the colon */
		if (mine)
			found = at;
		at = skip_blanks(s, skip_value(s, at));
		if (at < s.len && s.ptr[at] == ',')
			at = skip_blanks(s, at + 1);
	}
	return found;
}

/* Parses an array index: "0", or digits without leading zero. */
static bool index_of(struct etc_str token, size_t *out)
{
	size_t v = 0;

	if (token.len == 0 || token.len > 9 || (token.len > 1 && token.ptr[0] == '0'))
		return false;
	for (size_t i = 0; i < token.len; i++) {
		if (token.ptr[i] < '0' || token.ptr[i] > '9')
			return false;
		v = v * 10 + (size_t)(token.ptr[i] - '0');
	}
	*out = v;
	return true;
}

static size_t element(struct etc_str s, size_t at, struct etc_str token)
{
	size_t index;

	if (!index_of(token, &index))
		return SIZE_MAX;
	at = skip_blanks(s, at + 1);
	while (at < s.len && s.ptr[at] != ']') {
		if (index-- == 0)
			return at;
		at = skip_blanks(s, skip_value(s, at));
		if (at < s.len && s.ptr[at] == ',')
			at = skip_blanks(s, at + 1);
	}
	return SIZE_MAX;
}

bool etc_json_point(struct etc_str json, struct etc_str pointer, struct etc_arena *arena,
                    struct etc_str *out)
{
	size_t at = skip_blanks(json, 0), i = 0;

	while (i < pointer.len) {
		size_t from = ++i;
		struct etc_str token;

		while (i < pointer.len && pointer.ptr[i] != '/')
			i++;
		token = etc_str_sub(pointer, from, i);
		if (at < json.len && json.ptr[at] == '{')
			at = member(json, at, token, arena);
		else if (at < json.len && json.ptr[at] == '[')
			at = element(json, at, token);
		else
			return false;
		if (at == SIZE_MAX)
			return false;
	}
	*out = etc_str_sub(json, at, skip_value(json, at));
	return true;
}
