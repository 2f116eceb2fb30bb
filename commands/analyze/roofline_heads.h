/* roofline_heads.h -- the headings of the columns of --roofline, of rows and of events. */
#ifndef ETC_ANALYZE_ROOFLINE_HEADS_H
#define ETC_ANALYZE_ROOFLINE_HEADS_H

#include "table/table.h"

/* Sets title, `optional` and style of a column of --roofline by its name; others stay. */
void etc_roofline_head(struct etc_column *c);

#endif
