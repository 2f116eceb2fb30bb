/* shell.c -- see shell.h */
#include "base/shell.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

struct etc_str etc_shell_word(const char *word, struct etc_arena *arena)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./=:,+@%";
	struct etc_str s = etc_str_of(word);
	char *to;
	size_t n = 0;

	/* zsh replaces =name by the path of the program `name` */
	if (s.len && word[0] != '=' && strspn(word, plain) == s.len)
		return s;
	to = etc_arena_alloc(arena, 1, 1, s.len * 4 + 3);
	if (!to)
		return (struct etc_str){ 0 };
	to[n++] = '\'';
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '\'') {
			memcpy(to + n, "'\\''", 4);
			n += 4;
		} else {
			to[n++] = s.ptr[i];
		}
	}
	to[n++] = '\'';
	return (struct etc_str){ to, n };
}

struct etc_str etc_shell_shown(const char *word, struct etc_arena *arena)
{
	struct etc_str s = etc_str_of(word);
	char *to;
	size_t n = 2;

	if (etc_utf8_all_printable(s))
		return etc_shell_word(word, arena);
	to = etc_arena_alloc(arena, 1, 1, s.len * 4 + 4);
	if (!to)
		return (struct etc_str){ 0 };
	memcpy(to, "$'", n);
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		if (c < ' ' || c > '~' || c == '\'' || c == '\\')
			n += (size_t)snprintf(to + n, 5, "\\%03o", c);
		else
			to[n++] = (char)c;
	}
	to[n++] = '\'';
	return (struct etc_str){ to, n };
}
