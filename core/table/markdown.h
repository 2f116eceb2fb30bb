/* markdown.h -- parts of a page of GitHub's markdown, for answers with a page of their own. */
#ifndef ETC_TABLE_MARKDOWN_H
#define ETC_TABLE_MARKDOWN_H

#include "table/report.h"

/* Writes rows [from, to) with the table's header; nothing if there are none. Times are in
 * `unit_ns`; 0: a fitting unit. */
void etc_markdown_rows(struct etc_text *out, const struct etc_table *t, uint32_t from, uint32_t to,
                       double unit_ns);
void etc_markdown_table(struct etc_text *out, const struct etc_table *t, double unit_ns);

/* A list. */
void etc_markdown_notes(struct etc_text *out, const struct etc_report *report);

#endif
