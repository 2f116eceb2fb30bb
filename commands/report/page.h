/* page.h -- writes the page of `etcore report`. page.html, page.css and page.js of this folder are
 * embedded when etcore is built. */
#ifndef ETC_COMMANDS_REPORT_PAGE_H
#define ETC_COMMANDS_REPORT_PAGE_H

#include "base/text.h"

/* An embedded file of the page. commands/report/embed.cmake generates the constants. */
struct etc_page_file {
	const unsigned char *bytes;
	size_t size;
};
extern const struct etc_page_file etc_page_html, etc_page_css, etc_page_js;

/* Writes the page, which shows `data`, a JSON document. `title` is plain text. */
void etc_report_page(struct etc_str title, struct etc_str data, struct etc_text *out);

#endif
