/* celltype.h -- how tabulate 0.10 sees a cell: its type, its places behind the
 * point, its width without colour codes. */
#ifndef ETC_INSPECTOR_CELLTYPE_H
#define ETC_INSPECTOR_CELLTYPE_H

#include "base/text.h"

/* From the least to the most generic. */
enum etc_tab_type { ETC_TAB_NONE, ETC_TAB_BOOL, ETC_TAB_INT, ETC_TAB_FLOAT, ETC_TAB_STR };

/* _type of a text. */
enum etc_tab_type etc_tab_type(struct etc_str s);

/* _afterpoint: digits behind the point or the e, -1 without, or no number. */
int etc_tab_afterpoint(struct etc_str s);

/* Is there a control sequence or hyperlink? */
bool etc_tab_has_ansi(struct etc_str s);

/* Appends `s` without them (_strip_ansi). */
void etc_tab_strip_ansi(struct etc_str s, struct etc_text *t);

#endif
