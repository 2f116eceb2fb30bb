/* json_check.c -- checks that a text is valid JSON: etc_json_valid() and etc_json_bytes_valid() of
 * sink.h. Builds no tree, and uses constant memory. */
#include "host/sink.h"

#include "model/limits.h"

struct scan {
	struct etc_str s;
	size_t at;
	bool bytes; /* true: b"<base64>" is accepted as a value, too */
};

static char peek(const struct scan *p)
{
	return p->at < p->s.len ? p->s.ptr[p->at] : '\0';
}

static void blanks(struct scan *p)
{
	while (p->at < p->s.len && memchr(" \t\r\n", p->s.ptr[p->at], 4))
		p->at++;
}

static bool word(struct scan *p, struct etc_str w)
{
	if (!etc_str_starts(etc_str_sub(p->s, p->at, p->s.len), w))
		return false;
	p->at += w.len;
	return true;
}

static bool hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool string(struct scan *p)
{
	if (peek(p) != '"')
		return false;
	for (p->at++; p->at < p->s.len; p->at++) {
		char c = p->s.ptr[p->at];

		if (c == '"') {
			p->at++;
			return true;
		}
		if ((unsigned char)c < 0x20)
			return false;
		if (c != '\\')
			continue;
		p->at++;
		c = peek(p);
		if (c == 'u') {
			for (int i = 0; i < 4; i++) {
				p->at++;
				if (!hex(peek(p)))
					return false;
			}
		} else if (c == '\0' || !memchr("\"\\/bfnrt", c, 8)) {
			return false;
		}
	}
	return false;
}

static bool digits(struct scan *p)
{
	size_t from = p->at;

	while (peek(p) >= '0' && peek(p) <= '9')
		p->at++;
	return p->at > from;
}

static bool number(struct scan *p)
{
	if (peek(p) == '-')
		p->at++;
	if (word(p, ETC_STR("Infinity")))
		return true;
	if (peek(p) == '0')
		p->at++;
	else if (!digits(p))
		return false;
	if (peek(p) == '.') {
		p->at++;
		if (!digits(p))
			return false;
	}
	if (peek(p) == 'e' || peek(p) == 'E') {
		p->at++;
		if (peek(p) == '+' || peek(p) == '-')
			p->at++;
		return digits(p);
	}
	return true;
}

/* Skips the quoted part of b"<base64>". False: it is invalid, because it does not consist of groups
 * of four characters with '=' only at the end. */
static bool base64(struct scan *p)
{
	size_t n = 0, pad = 0;

	if (peek(p) != '"')
		return false;
	for (p->at++; peek(p) != '"'; p->at++, n++) {
		char c = peek(p);
		bool digit = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
		             (c >= '0' && c <= '9') || c == '+' || c == '/';

		pad += c == '=';
		if (p->at >= p->s.len || (!digit && c != '=') || (digit && pad) || pad > 2)
			return false;
	}
	p->at++;
	return n % 4 == 0;
}

static bool scalar(struct scan *p)
{
	if (peek(p) == '"')
		return string(p);
	if (p->bytes && word(p, ETC_STR("b")))
		return base64(p);
	return word(p, ETC_STR("true")) || word(p, ETC_STR("false")) || word(p, ETC_STR("null")) ||
	       word(p, ETC_STR("NaN")) || number(p);
}

/* Skips the key of a member, and the colon after it. */
static bool key(struct scan *p)
{
	blanks(p);
	if (!string(p))
		return false;
	blanks(p);
	return word(p, ETC_STR(":"));
}

/* Called after a value: skips closing brackets, then a comma and, in an object, the key after it.
 * Returns true if another value must follow. False: the outermost value is complete, or `*bad` was
 * set. */
static bool next(struct scan *p, const char *open, unsigned *depth, bool *bad)
{
	for (;;) {
		blanks(p);
		if (*depth == 0)
			return false;
		if (peek(p) == ',') {
			p->at++;
			*bad = open[*depth - 1] == '}' && !key(p);
			return !*bad;
		}
		if (peek(p) != open[*depth - 1]) {
			*bad = true;
			return false;
		}
		p->at++;
		--*depth;
	}
}

/* Reads "[", or "{" and the first key. Returns true if a value must follow. False: the list or
 * object is empty, and so complete; or it is invalid, and `*bad` was set. */
static bool enter(struct scan *p, char *open, unsigned *depth, bool *bad)
{
	bool object = peek(p) == '{';

	*bad = *depth == ETC_LIMIT_JSON_DEPTH;
	if (*bad)
		return false;
	p->at++;
	blanks(p);
	if (peek(p) == (object ? '}' : ']')) {
		p->at++;
		return false;
	}
	open[(*depth)++] = object ? '}' : ']';
	*bad = object && !key(p);
	return !*bad;
}

static bool valid(struct etc_str s, bool bytes)
{
	struct scan p = { s, 0, bytes };
	char open[ETC_LIMIT_JSON_DEPTH]; /* the closing character of each open level */
	unsigned depth = 0;
	bool bad = false;

	do {
		blanks(&p);
		while (peek(&p) == '[' || peek(&p) == '{') {
			if (!enter(&p, open, &depth, &bad))
				goto complete;
			blanks(&p);
		}
		if (!scalar(&p))
			return false;
	complete:
		if (bad)
			return false;
	} while (next(&p, open, &depth, &bad));
	return !bad && p.at == s.len;
}

bool etc_json_valid(struct etc_str s)
{
	return valid(s, false);
}

bool etc_json_bytes_valid(struct etc_str s)
{
	return valid(s, true);
}
