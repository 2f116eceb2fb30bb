/* names.h -- the members' names of a table in JSON, ready to be copied. */
#ifndef ETC_WRITE_NAMES_H
#define ETC_WRITE_NAMES_H

#include "table/table.h"

/* With their quotes, and what is before and after them: ', "self_ns": '. */
struct etc_names {
	struct {
		char bytes[44];
		uint32_t len; /* 0: too long, or the first of an object */
	} of[ETC_TABLE_MADE];
};

void etc_names_make(const struct etc_table *t, struct etc_names *names);

#endif
