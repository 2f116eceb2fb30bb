/* names.h -- the names of a table's members in JSON, prepared for copying. */
#ifndef ETC_WRITE_NAMES_H
#define ETC_WRITE_NAMES_H

#include "table/table.h"

/* Each name in quotes, with the separator before it and the colon after it: ', "self_ns": '. */
struct etc_names {
	struct {
		char bytes[44];
		/* 0: the name is not prepared, because this is the first column, which has no
		 * separator, or because the name is too long or needs escapes */
		uint32_t len;
	} of[ETC_TABLE_MADE];
};

void etc_names_make(const struct etc_table *t, struct etc_names *names);

#endif
