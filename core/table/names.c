/* names.c -- see names.h */
#include "table/names.h"

#include "base/text.h"

void etc_names_make(const struct etc_table *t, struct etc_names *names)
{
	for (uint32_t c = 0; c < ETC_TABLE_MADE; c++) {
		struct etc_str name =
			c < t->column_count ? etc_str_of(t->columns[c].name) : ETC_STR_NONE;
		char *to = names->of[c].bytes;

		names->of[c].len = 0;
		if (c == 0 || !name.len || name.len + 6 > sizeof names->of[c].bytes ||
		    !etc_text_is_plain(name) || memchr(name.ptr, '"', name.len) ||
		    memchr(name.ptr, '\\', name.len))
			continue;
		memcpy(to, ", \"", 3);
		memcpy(to + 3, name.ptr, name.len);
		memcpy(to + 3 + name.len, "\": ", 3);
		names->of[c].len = (uint32_t)name.len + 6;
	}
}
