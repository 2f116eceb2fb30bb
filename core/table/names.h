/* names.h -- for each column of a table, the bytes that come before its value in a JSON object.
 * They are made once, so that each row only copies them. */
#ifndef ETC_TABLE_NAMES_H
#define ETC_TABLE_NAMES_H

#include "table/table.h"

/* The bytes `, "self_ns": ` for each name: a separator, the name in quotes, and a colon. */
struct etc_names {
	struct {
		char bytes[44];
		/* Length of the prepared name. 0: the name was not prepared, for one of these
		 * reasons: it is too long; it needs escapes; it is that of the first column, which
		 * has no separator before it. */
		uint32_t len;
	} of[ETC_TABLE_MADE];
};

void etc_names_make(const struct etc_table *t, struct etc_names *names);

#endif
