/* recode.c -- converts bytes to UTF-8; see recode.h */
#include "recode.h"

#include <stdlib.h>
#include <string.h>

struct encoding {
	unsigned width; /* bytes per code unit: 1, 2 or 4 */
	bool big;
	unsigned mark; /* length of the byte order mark to skip */
};

struct mark {
	const char *bytes;
	struct encoding encoding;
};

/* Implements json.detect_encoding(). UTF-32 is tested before UTF-16, because its little-endian mark
 * begins with that of UTF-16. */
static struct encoding detect(struct etcore_bytes b)
{
	static const struct mark marks[] = {
		{ "\x00\x00\xfe\xff", { 4, true, 4 } }, { "\xff\xfe\x00\x00", { 4, false, 4 } },
		{ "\xfe\xff", { 2, true, 2 } },         { "\xff\xfe", { 2, false, 2 } },
		{ "\xef\xbb\xbf", { 1, false, 3 } },
	};
	const uint8_t *p = b.ptr;

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (b.len >= marks[i].encoding.mark &&
		    memcmp(p, marks[i].bytes, marks[i].encoding.mark) == 0)
			return marks[i].encoding;
	if (b.len >= 4 && !p[0])
		return (struct encoding){ p[1] ? 2 : 4, true, 0 };
	if (b.len >= 4 && !p[1])
		return (struct encoding){ p[2] || p[3] ? 2 : 4, false, 0 };
	if (b.len == 2 && !p[0])
		return (struct encoding){ 2, true, 0 };
	if (b.len == 2 && !p[1])
		return (struct encoding){ 2, false, 0 };
	return (struct encoding){ 1, false, 0 };
}

size_t recode_put(uint32_t c, char *to)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* Returns the length of the UTF-8 sequence at `p`, which may encode a surrogate; 0: it is
 * malformed. */
static size_t utf8_sequence(const uint8_t *p, const uint8_t *end)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : *p >= 0xc0 ? 2 : 0;
	uint32_t c = n > 1 ? *p & (0x7fu >> n) : *p;

	if (n == 0 || *p > 0xf4 || (size_t)(end - p) < n)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	return c >= least[n] && c <= 0x10ffff ? n : 0;
}

static bool is_utf8(const uint8_t *p, const uint8_t *end)
{
	while (p < end) {
		size_t n = utf8_sequence(p, end);

		if (n == 0)
			return false;
		p += n;
	}
	return true;
}

static uint32_t unit(const uint8_t *p, struct encoding e)
{
	uint32_t c = 0;

	for (unsigned i = 0; i < e.width; i++)
		c = c << 8 | p[e.big ? i : e.width - 1 - i];
	return c;
}

/* Converts UTF-16 or UTF-32 to UTF-8. Each code unit of two bytes becomes at most three bytes; a
 * surrogate pair and a code unit of four bytes become at most four. */
static enum pyjson_status widen(const uint8_t *p, const uint8_t *end, struct encoding e,
                                struct etcore_text *text, char **owned)
{
	size_t len = (size_t)(end - p);
	char *to;

	if (len % e.width != 0)
		return PYJSON_VALUE_ERROR;
	if (len > SIZE_MAX / 4)
		return PYJSON_NOMEM;
	to = *owned = malloc(len * 2 + 1);
	if (!to)
		return PYJSON_NOMEM;
	while (p < end) {
		uint32_t c = unit(p, e);

		p += e.width;
		if (e.width == 2 && c >= 0xd800 && c < 0xdc00 && p < end) {
			uint32_t low = unit(p, e);

			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				p += 2;
			}
		}
		if (c > 0x10ffff) {
			free(*owned);
			*owned = NULL;
			return PYJSON_VALUE_ERROR;
		}
		to += recode_put(c, to);
	}
	*text = (struct etcore_text){ *owned, (uint64_t)(to - *owned) };
	return PYJSON_OK;
}

enum pyjson_status recode_to_utf8(struct etcore_bytes bytes, struct etcore_text *text, char **owned)
{
	struct encoding e;
	const uint8_t *p, *end;

	*owned = NULL;
	if (bytes.len == 0)
		return PYJSON_VALUE_ERROR; /* an empty text is not a JSON value */
	e = detect(bytes);
	p = bytes.ptr + e.mark;
	end = bytes.ptr + bytes.len;
	if (e.width > 1)
		return widen(p, end, e, text, owned);
	if (!is_utf8(p, end))
		return PYJSON_VALUE_ERROR;
	*text = (struct etcore_text){ (const char *)p, (uint64_t)(end - p) };
	return PYJSON_OK;
}
