/* fold.h -- wraps lines of text to the width of a terminal, and replaces characters that it
 * lacks by ASCII. */
#ifndef ETC_BASE_FOLD_H
#define ETC_BASE_FOLD_H

#include "base/text.h"

struct etc_fold {
	uint32_t width; /* columns; 0: any */
	size_t hang;    /* indentation of continuation lines; 0: chosen by the line, see below */
	bool ascii;     /* etcore's own symbols become ASCII, other characters '?' */
	struct etc_text line; /* the unfinished line */
};

/* Appends `s` to `out`, line by line; an unfinished line is kept for the next piece. A line that
 * is too wide breaks at blanks; continuation lines are indented to the text behind its first
 * wide gap ("N0301 text"), else by two more than the line itself. A word wider than the terminal
 * stays whole. Colour sequences have no width. */
void etc_fold_put(struct etc_fold *f, struct etc_str s, struct etc_text *out);

/* Appends the unfinished line and releases. */
void etc_fold_end(struct etc_fold *f, struct etc_text *out);

#endif
