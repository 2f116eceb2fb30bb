/* check.c -- checks a JSON text as Python's json.loads does; see check.h.
 *
 * pyjson_check() walks the text once, without recursion. Its stack has one byte for each open
 * bracket: the character that closes the bracket. */
#include "check.h"

#include <string.h>

/* Python's recursion limit, 1000, minus 50 for the frames that are in use */
#define MAX_DEPTH 950
/* most digits of an integer: Python's sys.int_info.default_max_str_digits */
#define MAX_INT_DIGITS 4300

void pyjson_skip_space(struct pyjson_scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
		s->p++;
}

static bool take(struct pyjson_scan *s, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(s->end - s->p) < len || memcmp(s->p, word, len) != 0)
		return false;
	s->p += len;
	return true;
}

static bool is_digit(const struct pyjson_scan *s)
{
	return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

static size_t digits(struct pyjson_scan *s)
{
	const char *from = s->p;

	while (is_digit(s))
		s->p++;
	return (size_t)(s->p - from);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int32_t pyjson_hex4(const char *p, const char *end)
{
	int32_t value = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int d = hex_digit(p[i]);

		if (d < 0)
			return -1;
		value = value * 16 + d;
	}
	return value;
}

static bool check_string(struct pyjson_scan *s)
{
	if (!take(s, "\""))
		return false;
	while (s->p < s->end) {
		unsigned char c = (unsigned char)*s->p++;

		if (c == '"')
			return true;
		if (c < 0x20)
			return false;
		if (c != '\\')
			continue;
		if (s->p == s->end)
			return false;
		c = (unsigned char)*s->p++;
		if (c == 'u') {
			if (pyjson_hex4(s->p, s->end) < 0)
				return false;
			s->p += 4;
		} else if (c == '\0' || !strchr("\"\\/bfnrt", c)) {
			return false;
		}
	}
	return false;
}

static bool check_number(struct pyjson_scan *s)
{
	size_t whole;
	bool integer = true;

	(void)take(s, "-");
	if (take(s, "Infinity"))
		return true;
	if (take(s, "0"))
		whole = 1;
	else
		whole = digits(s);
	if (whole == 0)
		return false;
	if (take(s, ".")) {
		integer = false;
		if (digits(s) == 0)
			return false;
	}
	if (take(s, "e") || take(s, "E")) {
		integer = false;
		if (!take(s, "+"))
			(void)take(s, "-");
		if (digits(s) == 0)
			return false;
	}
	return !integer || whole <= MAX_INT_DIGITS;
}

static bool check_scalar(struct pyjson_scan *s)
{
	if (s->p == s->end)
		return false;
	if (*s->p == '"')
		return check_string(s);
	if (take(s, "null") || take(s, "true") || take(s, "false") || take(s, "NaN"))
		return true;
	return check_number(s);
}

/* Checks a key of an object and the colon after it. */
static bool check_key(struct pyjson_scan *s)
{
	pyjson_skip_space(s);
	if (!check_string(s))
		return false;
	pyjson_skip_space(s);
	return take(s, ":");
}

/* Called after a value: skips the closing brackets that follow, then a comma and, in an object, the
 * next key with its colon. Sets `*more` to true if another value must follow, to false if the
 * document is complete. False: the text is invalid. */
static bool check_after(struct pyjson_scan *s, char *closers, size_t *depth, bool *more)
{
	while (*depth > 0) {
		char closer = closers[*depth - 1];

		pyjson_skip_space(s);
		if (take(s, ",")) {
			*more = true;
			return closer == ']' || check_key(s);
		}
		if (s->p == s->end || *s->p != closer)
			return false;
		s->p++;
		--*depth;
	}
	*more = false;
	return true;
}

enum pyjson_status pyjson_check(struct pyjson_scan *s)
{
	char closers[MAX_DEPTH];
	size_t depth = 0;
	bool more = true;

	while (more) {
		bool array, opened;

		pyjson_skip_space(s);
		array = take(s, "[");
		opened = array || take(s, "{");
		if (opened) {
			if (depth == MAX_DEPTH)
				return PYJSON_TOO_DEEP;
			closers[depth++] = array ? ']' : '}';
			pyjson_skip_space(s);
			if (s->p == s->end || *s->p != closers[depth - 1]) {
				if (!array && !check_key(s))
					return PYJSON_VALUE_ERROR;
				continue;
			}
		} else if (!check_scalar(s)) {
			return PYJSON_VALUE_ERROR;
		}
		if (!check_after(s, closers, &depth, &more))
			return PYJSON_VALUE_ERROR;
	}
	pyjson_skip_space(s);
	return s->p == s->end ? PYJSON_OK : PYJSON_VALUE_ERROR;
}
