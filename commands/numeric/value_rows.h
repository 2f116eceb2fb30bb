/* value_rows.h -- what a logged value says of itself, and what is in it: a row of
 * `etcore numeric values`. */
#ifndef ETC_API_VALUE_ROWS_H
#define ETC_API_VALUE_ROWS_H

#include "commands/numeric/logged.h"
#include "commands/numeric/values_table.h"

struct etc_value_maker {
	struct etc_arena *arena; /* of the texts */
	uint64_t contents;       /* elements that are shown */
	bool sha256;
	uint64_t bytes_left; /* that may still be read */
	size_t unread;       /* values that would have been more */
};

/* Reads the value's elements once. E0904. */
enum etc_status etc_value_row_make(struct etc_value_maker *m, const struct etc_logged *g,
                                   struct etc_value_row *row, struct etc_error *err) ETC_MUST_CHECK;

#endif
