/* own_columns.h -- reserved names: the columns of etcore's own tables, which a plugin should not
 * use. */
#ifndef ETC_MODEL_OWN_COLUMNS_H
#define ETC_MODEL_OWN_COLUMNS_H

#include "base/span.h"

/* Returns the column of etcore's own tables with a name like `name`. These are the tables of rows
 * (with any key of --by), of events and of runs. The comparison ignores case, blanks and
 * underscores, because databases may treat names that differ only in these as equal. {NULL}: there
 * is no such column. */
struct etc_str etc_column_own(struct etc_str name);

/* Are the names equal if case, blanks and underscores are ignored? */
bool etc_column_alike(struct etc_str a, struct etc_str b);

#endif
