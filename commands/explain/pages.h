/* pages.h -- the pages of `etcore explain`: docs/codes/NN.md, embedded when etcore is built. In
 * these files a heading "## W0203: title" begins the page of a code, which has its cause, a
 * block ```console with an example, and its remedy. The text is searched only when a page is
 * requested. */
#ifndef ETC_API_PAGES_H
#define ETC_API_PAGES_H

#include "base/codes.h"
#include "base/text.h"

/* Views of a page: lines as in the file, without empty lines at its start and end. */
struct etc_page {
	struct etc_str cause;   /* paragraphs */
	struct etc_str example; /* "$ command" lines and their output */
	struct etc_str remedy;  /* paragraphs */
};

/* False: the code has no page, which tests/codes.py prevents. */
bool etc_page_find(const struct etc_code_info *code, struct etc_page *out);

/* Writes paragraphs as lines of at most `width` columns, indented by `indent`. Empty lines
 * separate paragraphs; a line that starts with "- " begins a new one with a hanging indent. */
void etc_page_put_paragraphs(struct etc_text *out, struct etc_str text, unsigned indent,
                             unsigned width);

/* Writes lines unchanged, indented by `indent`. */
void etc_page_put_lines(struct etc_text *out, struct etc_str text, unsigned indent);

/* The text of all pages, made by commands/explain/pages.cmake. */
extern const unsigned char etc_pages_text[];
extern const size_t etc_pages_size;

#endif
