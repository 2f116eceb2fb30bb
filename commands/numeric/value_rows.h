/* value_rows.h -- makes a row of `etcore numeric values`: description and contents of a logged
 * value. */
#ifndef ETC_API_VALUE_ROWS_H
#define ETC_API_VALUE_ROWS_H

#include "commands/numeric/logged.h"
#include "commands/numeric/values_table.h"

struct etc_value_maker {
	struct etc_arena *arena; /* memory for the texts */
	uint64_t contents;       /* number of elements to show */
	bool sha256;
	uint64_t bytes_left; /* number of bytes that may still be read */
	size_t unread;       /* number of values that were not read because of that limit */
};

/* Reads the value's elements once. E0904. */
enum etc_status etc_value_row_make(struct etc_value_maker *m, const struct etc_logged *g,
                                   struct etc_value_row *row, struct etc_error *err) ETC_MUST_CHECK;

#endif
