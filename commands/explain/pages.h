/* pages.h -- the pages of `etcore explain`: docs/codes/NN.md, embedded when etcore
 * is built. In these files a heading "## W0203: title" begins the page of a code;
 * then come its cause, one block ```console with an example, its remedy. The text
 * is looked through when a page is asked for; to have it costs nothing before. */
#ifndef ETC_API_PAGES_H
#define ETC_API_PAGES_H

#include "base/codes.h"
#include "base/text.h"

/* Views of a page: lines as in the file, without empty ones at the ends. */
struct etc_page {
	struct etc_str cause;   /* paragraphs */
	struct etc_str example; /* "$ command" lines and what they print */
	struct etc_str remedy;  /* paragraphs */
};

/* False: the code has no page (tests/codes.py does not let that be). */
bool etc_page_find(const struct etc_code_info *code, struct etc_page *out);

/* Paragraphs as lines of at most `width` columns behind `indent` blanks. Empty lines
 * part paragraphs; a line that begins with "- " begins one, its rest is indented. */
void etc_page_put_paragraphs(struct etc_text *out, struct etc_str text, unsigned indent,
                             unsigned width);

/* Lines as they are, behind `indent` blanks. */
void etc_page_put_lines(struct etc_text *out, struct etc_str text, unsigned indent);

/* All pages, made by commands/explain/pages.cmake. */
extern const unsigned char etc_pages_text[];
extern const size_t etc_pages_size;

#endif
