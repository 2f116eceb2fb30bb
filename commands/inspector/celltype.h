/* celltype.h -- reproduces how tabulate 0.10 classifies a cell: its type, the number of digits
 * after the point, its width without colour codes. */
#ifndef ETC_COMMANDS_INSPECTOR_CELLTYPE_H
#define ETC_COMMANDS_INSPECTOR_CELLTYPE_H

#include "base/text.h"

/* Types of cells, from the most specific to the most generic. */
enum etc_tab_type { ETC_TAB_NONE, ETC_TAB_BOOL, ETC_TAB_INT, ETC_TAB_FLOAT, ETC_TAB_STR };

/* Returns the result of tabulate's _type() for a text. */
enum etc_tab_type etc_tab_type(struct etc_str s);

/* Returns the result of tabulate's _afterpoint(): the number of digits after the decimal point or
 * the e; -1 if the text has neither or is not a number. */
int etc_tab_afterpoint(struct etc_str s);

/* Does the text contain a control sequence or hyperlink? */
bool etc_tab_has_ansi(struct etc_str s);

/* Appends `s` without control sequences and hyperlinks (_strip_ansi). */
void etc_tab_strip_ansi(struct etc_str s, struct etc_text *t);

#endif
