/* roofline_heads.h -- the headings of the columns of --roofline, in tables of rows and of events
 * and in the report. */
#ifndef ETC_PROFILE_ROOFLINE_HEADS_H
#define ETC_PROFILE_ROOFLINE_HEADS_H

#include "table/table.h"

/* Sets title, `optional` and style of a --roofline column by its name; other columns are not
 * changed. */
void etc_roofline_head(struct etc_column *c);

/* Title of the i-th column, with its name; NULL after the last one. */
const char *etc_roofline_title(unsigned i, const char **name);

#endif
