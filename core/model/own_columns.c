/* own_columns.c -- see own_columns.h */
#include "model/own_columns.h"

#include "base/ascii.h"

static const char *const names[] = {
#define X(name) name,
#include "model/own_columns.def"
#undef X
};

static bool is_skipped(char c)
{
	return c == '_' || c == ' ';
}

bool etc_column_alike(struct etc_str a, struct etc_str b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a.len && is_skipped(a.ptr[i]))
			i++;
		while (k < b.len && is_skipped(b.ptr[k]))
			k++;
		if (i == a.len || k == b.len)
			return i == a.len && k == b.len;
		if (etc_lower(a.ptr[i++]) != etc_lower(b.ptr[k++]))
			return false;
	}
}

struct etc_str etc_column_own(struct etc_str name)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (etc_column_alike(name, etc_str_of(names[i])))
			return etc_str_of(names[i]);
	return ETC_STR_NONE;
}
