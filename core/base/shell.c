/* shell.c -- see shell.h */
#include "base/shell.h"

#include <string.h>

struct etc_str etc_shell_word(const char *word, struct etc_arena *arena)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./=:,+@%";
	struct etc_str s = etc_str_of(word);
	char *to;
	size_t n = 0;

	if (s.len && strspn(word, plain) == s.len)
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
