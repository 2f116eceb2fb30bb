/* builtin_name.c -- recognises the names that the backends of model/builtin.h give their operators:
 * "Fully Connected (NC, F32) GEMM #3", "Invalid Unary Op #1". Only the form of a name is checked;
 * the plugin interprets it. */
#include "join/builtin_name.h"

/* Returns the position of " #<digits>" at the end of the name, or SIZE_MAX. A line feed after the
 * digits is accepted, as by '$' in a Python regular expression. */
static size_t ordinal_at(struct etc_str name)
{
	size_t end = name.len, at;

	if (end && name.ptr[end - 1] == '\n')
		end--;
	at = end;
	while (at > 0 && name.ptr[at - 1] >= '0' && name.ptr[at - 1] <= '9')
		at--;
	if (at == end || at < 2 || name.ptr[at - 1] != '#' || name.ptr[at - 2] != ' ')
		return SIZE_MAX;
	return at - 2;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || (unsigned char)c >= 0x80;
}

/* Does a tensor layout start at `at`, as a whole word? */
static bool layout_at(const struct etc_builtin *b, struct etc_str s, size_t at)
{
	for (const struct etc_str *word = b->layouts; word->len; word++)
		if (etc_str_starts(etc_str_sub(s, at, s.len), *word) &&
		    (at + word->len == s.len || !is_word(s.ptr[at + word->len])))
			return true;
	return false;
}

/* Does the name have the form "<operator> (<layout>...)", optionally followed by a blank
 * and a kernel in capitals? */
static bool has_layout(const struct etc_builtin *b, struct etc_str s)
{
	size_t open = etc_str_find(s, ETC_STR(" ("), 0);

	while (open != SIZE_MAX && !layout_at(b, s, open + 2))
		open = etc_str_find(s, ETC_STR(" ("), open + 1);
	if (open == SIZE_MAX)
		return false;
	for (size_t i = open + 3; i < s.len; i++) {
		if (s.ptr[i] != ')')
			continue;
		if (i + 1 == s.len)
			return true;
		if (i + 2 < s.len && s.ptr[i + 1] == ' ' && s.ptr[i + 2] >= 'A' &&
		    s.ptr[i + 2] <= 'Z')
			return true;
	}
	return false;
}

static bool has_name(const struct etc_builtin *b, struct etc_str s)
{
	for (const struct etc_str *bare = b->nameless; bare->len; bare++)
		if (etc_str_eq(s, *bare))
			return true;
	return has_layout(b, s);
}

const struct etc_builtin *etc_builtin_named(struct etc_str name)
{
	size_t at = ordinal_at(name);

	if (at == SIZE_MAX)
		return NULL;
	for (const struct etc_builtin *b = etc_builtins(); b->id.len; b++)
		if (has_name(b, etc_str_sub(name, 0, at)))
			return b;
	return NULL;
}

bool etc_name_has_ordinal(struct etc_str name)
{
	return ordinal_at(name) != SIZE_MAX;
}

struct etc_str etc_name_without_ordinal(struct etc_str name, struct etc_arena *arena)
{
	size_t at = ordinal_at(name);

	if (at == SIZE_MAX)
		return name;
	if (name.ptr[name.len - 1] == '\n')
		return etc_arena_printf(arena, "%.*s\n", (int)at, name.ptr);
	return etc_str_sub(name, 0, at);
}
