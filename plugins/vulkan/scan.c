/* scan.c -- finds keys and values in the ids of events; see scan.h */
#include "scan.h"

#include <string.h>

static void skip_space(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
		s->p++;
}

/* Skips a string with its quotes. False: there is no complete string. */
static bool take_string(struct scan *s)
{
	if (s->p == s->end || *s->p != '"')
		return false;
	for (s->p++; s->p < s->end; s->p++) {
		if (*s->p == '"') {
			s->p++;
			return true;
		}
		if (*s->p == '\\' && ++s->p == s->end)
			return false;
	}
	return false;
}

/* Skips the text from an opening bracket to the closing bracket that matches it. */
static bool take_brackets(struct scan *s)
{
	uint64_t open = 0;

	while (s->p < s->end) {
		char c = *s->p;

		if (c == '"') {
			if (!take_string(s))
				return false;
			continue;
		}
		s->p++;
		if (c == '{' || c == '[')
			open++;
		else if ((c == '}' || c == ']') && --open == 0)
			return true;
	}
	return false;
}

static bool take_value(struct scan *s, struct etcore_text *value)
{
	const char *from = s->p;
	bool ok;

	if (s->p == s->end)
		return false;
	if (*s->p == '"') {
		ok = take_string(s);
	} else if (*s->p == '{' || *s->p == '[') {
		ok = take_brackets(s);
	} else {
		while (s->p < s->end && *s->p != '\0' && !strchr(" \t\r\n,:\"[]{}", *s->p))
			s->p++;
		ok = s->p > from;
	}
	*value = (struct etcore_text){ from, (uint64_t)(s->p - from) };
	return ok;
}

bool scan_is_object(struct etcore_text text)
{
	struct scan s = { text.ptr, text.ptr + text.len };

	return text.len >= 2 && *text.ptr == '{' && take_brackets(&s) && s.p == s.end &&
	       s.end[-1] == '}';
}

struct scan scan_inside(struct etcore_text value)
{
	if (value.len < 2 || (*value.ptr != '{' && *value.ptr != '['))
		return (struct scan){ NULL, NULL };
	return (struct scan){ value.ptr + 1, value.ptr + value.len - 1 };
}

/* Called before a value is read: skips the comma after the previous value. False: there is no
 * further value. */
static bool at_entry(struct scan *s)
{
	skip_space(s);
	if (s->p < s->end && *s->p == ',') {
		s->p++;
		skip_space(s);
	}
	return s->p < s->end;
}

bool scan_member(struct scan *s, struct etcore_text *key, struct etcore_text *value)
{
	const char *from;

	if (!at_entry(s))
		return false;
	from = s->p + 1;
	if (!take_string(s))
		return false;
	*key = (struct etcore_text){ from, (uint64_t)(s->p - 1 - from) };
	skip_space(s);
	if (s->p == s->end || *s->p != ':')
		return false;
	s->p++;
	skip_space(s);
	return take_value(s, value);
}

bool scan_element(struct scan *s, struct etcore_text *value)
{
	return at_entry(s) && take_value(s, value);
}

struct etcore_text scan_word(struct etcore_text value)
{
	const struct etcore_text none = { NULL, 0 };

	if (value.len < 2 || *value.ptr != '"')
		return none;
	for (uint64_t i = 1; i + 1 < value.len; i++)
		if (value.ptr[i] < ' ' || value.ptr[i] > '~' || value.ptr[i] == '\\')
			return none;
	return (struct etcore_text){ value.ptr + 1, value.len - 2 };
}

int64_t scan_number(struct etcore_text value)
{
	int64_t n = 0;

	for (uint64_t i = 0; i < value.len; i++) {
		int digit = value.ptr[i] - '0';

		if (digit < 0 || digit > 9 || n > (INT64_MAX - digit) / 10)
			return -1;
		n = n * 10 + digit;
	}
	return value.len ? n : -1;
}
