/* own_columns.h -- names that a plugin's column should not have: those of the columns of
 * etcore's own tables of an analysis. */
#ifndef ETC_MODEL_OWN_COLUMNS_H
#define ETC_MODEL_OWN_COLUMNS_H

#include "base/span.h"

/* Is it the name of a column of rows (under any --by), of events or of runs? */
bool etc_column_is_own(struct etc_str name);

#endif
