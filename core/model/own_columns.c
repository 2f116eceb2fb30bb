/* own_columns.c -- see own_columns.h */
#include "model/own_columns.h"

static const char *const names[] = {
#define X(name) name,
#include "model/own_columns.def"
#undef X
};

bool etc_column_is_own(struct etc_str name)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (etc_str_eq(name, etc_str_of(names[i])))
			return true;
	return false;
}
