/* markdown.h -- writes parts of a page in GitHub's Markdown, for commands that write the page
 * themselves. */
#ifndef ETC_TABLE_MARKDOWN_H
#define ETC_TABLE_MARKDOWN_H

#include "table/report.h"

/* Writes a table with its header and the rows [from, to) of `t`; nothing if there are no rows.
 * `unit_ns` is the unit of times; 0: a suitable unit. If `most` is not 0, writes at most `most`
 * rows, with truncated texts, and then "N more rows" if some are left out. */
void etc_markdown_rows(struct etc_text *out, const struct etc_table *t, uint32_t from, uint32_t to,
                       double unit_ns, uint32_t most);

/* Writes the notes as a list. If `most` is not 0, writes at most `most` notes, and then "N more
 * notes" if some are left out. */
void etc_markdown_notes(struct etc_text *out, const struct etc_report *report, uint32_t most);

/* Writes `s`, truncated to ETC_MARKDOWN_TEXT bytes if `most` is not 0. */
enum { ETC_MARKDOWN_TEXT = 300 };
void etc_markdown_cut(struct etc_text *out, struct etc_str s, uint32_t most);

/* Writes text such as "5 more rows: -o json has all"; nothing if `left` is 0. */
void etc_markdown_left(struct etc_text *out, uint32_t left, const char *what);

/* Begins a collapsed part of a page with the heading `summary`; the caller ends it with
 * "</details>". */
void etc_markdown_details(struct etc_text *out, const char *summary);

/* Writes the link "[report](<URL>)"; nothing if `url` is empty. */
void etc_markdown_link(struct etc_text *out, struct etc_str url);

/* etc_markdown_page() writes the page that `put` makes of `what`, so that it fits into one GitHub
 * comment, which must be shorter than 65,536 characters. It calls `put` with `most` 0, for a
 * complete page. If this page is too long, it calls `put` with smaller and smaller numbers `most`
 * of rows per table and items per list, until the page fits. */
typedef void etc_markdown_page_fn(const void *what, uint32_t most, struct etc_text *out);
void etc_markdown_page(struct etc_text *out, etc_markdown_page_fn *put, const void *what);

#endif
