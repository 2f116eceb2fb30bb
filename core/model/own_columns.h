/* own_columns.h -- reserved names: the columns of etcore's own tables, which a plugin should not
 * use. */
#ifndef ETC_MODEL_OWN_COLUMNS_H
#define ETC_MODEL_OWN_COLUMNS_H

#include "base/span.h"

/* The column of rows (under any --by), of events or of runs that is spelled like `name`, but for
 * capitals, blanks and underscores: databases take both for the same. {NULL}: none. */
struct etc_str etc_column_own(struct etc_str name);

/* Is `a` spelled like `b`, but for capitals, blanks and underscores? */
bool etc_column_alike(struct etc_str a, struct etc_str b);

#endif
