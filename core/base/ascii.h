/* ascii.h -- letters and digits of ASCII, whatever the locale. */
#ifndef ETC_BASE_ASCII_H
#define ETC_BASE_ASCII_H

#include <stdbool.h>
#include <string.h>

#include "base/span.h"

static inline char etc_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static inline bool etc_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool etc_is_alphanumeric(char c)
{
	return etc_is_digit(c) || (etc_lower(c) >= 'a' && etc_lower(c) <= 'z');
}

/* Is `c` a letter, a digit or an underscore? */
static inline bool etc_is_word(char c)
{
	return etc_is_alphanumeric(c) || c == '_';
}

/* Is `c` a blank: space, tab, line feed, vertical tab, form feed or carriage return? */
static inline bool etc_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Returns the value of a hexadecimal digit, in which letters must be lower case; -1: `c` is not
 * such a digit. */
static inline int etc_hex_digit(char c)
{
	return etc_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Returns the value of a Base64 digit (RFC 4648, section 4); -1: `c` is not such a digit. */
static inline int etc_base64_digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Replaces '_' by '-', and returns other characters unchanged: names of options may be written with
 * either. */
static inline char etc_dash(char c)
{
	return c == '_' ? '-' : c;
}

/* Does `s` begin with `word`, ignoring the case of `s`? `word` must be in lower case. */
static inline bool etc_starts_word(struct etc_str s, const char *word)
{
	size_t n = strlen(word), i = 0;

	while (i < n && i < s.len && etc_lower(s.ptr[i]) == word[i])
		i++;
	return i == n;
}

/* Returns the position of the first `word` in `s`, ignoring the case of `s`; SIZE_MAX: none. `word`
 * must be in lower case. */
static inline size_t etc_find_word(struct etc_str s, const char *word)
{
	size_t n = strlen(word);

	for (size_t at = 0; at + n <= s.len; at++)
		if (etc_starts_word(etc_str_sub(s, at, s.len), word))
			return at;
	return SIZE_MAX;
}

#endif
