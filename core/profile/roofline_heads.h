/* roofline_heads.h -- the headings of the columns of --roofline, in tables of rows and of events
 * and in the report. */
#ifndef ETC_PROFILE_ROOFLINE_HEADS_H
#define ETC_PROFILE_ROOFLINE_HEADS_H

#include "table/table.h"

/* Sets title, `optional` and style of the column `c` if its name is that of a --roofline column.
 * Leaves other columns as they are. */
void etc_roofline_head(struct etc_column *c);

/* Returns the title of column number `i`, and sets `*name` to its name. NULL: there are no more
 * columns. */
const char *etc_roofline_title(unsigned i, const char **name);

#endif
