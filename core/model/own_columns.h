/* own_columns.h -- reserved names: the columns of etcore's own tables, which a plugin should not
 * use. */
#ifndef ETC_MODEL_OWN_COLUMNS_H
#define ETC_MODEL_OWN_COLUMNS_H

#include "base/span.h"

/* The column of rows (under any --by), of events or of runs whose name equals `name` if
 * capitals, blanks and underscores are ignored, since databases may treat such names as
 * equal. {NULL}: none. */
struct etc_str etc_column_own(struct etc_str name);

/* Are the names equal if capitals, blanks and underscores are ignored? */
bool etc_column_alike(struct etc_str a, struct etc_str b);

#endif
