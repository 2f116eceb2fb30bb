/* fold.h -- wraps lines of text to the width of a terminal, and replaces characters that the
 * terminal cannot show by ASCII. */
#ifndef ETC_BASE_FOLD_H
#define ETC_BASE_FOLD_H

#include "base/text.h"

struct etc_fold {
	uint32_t width; /* columns; 0: unlimited */
	/* indentation of continuation lines in columns; 0: etc_fold_put() chooses it for each
	 * line */
	size_t hang;
	/* replace characters that the terminal cannot show: etcore's own symbols become an ASCII
	 * text; any other character becomes '?', or "??" if it is two columns wide */
	bool ascii;
	struct etc_text line; /* the unfinished line */
};

/* May the line `s` be broken at `at`? True for a blank, except between a number and its unit. */
bool etc_fold_may_break(struct etc_str s, size_t at);

/* Appends `s` to `out`, line by line; an unfinished line is kept for the next piece. A line that is
 * too wide is wrapped at blanks. Its continuation lines are aligned with the text after the line's
 * first gap of two or more blanks. If there is no such gap, they are indented by two columns more
 * than the line. A word wider than the terminal is split only behind a '|'. A number stays on one
 * line with its unit ("5 ms"). A line with a command after "next: " is not wrapped, so that the
 * command can be copied. Colour sequences have no width. */
void etc_fold_put(struct etc_fold *f, struct etc_str s, struct etc_text *out);

/* Appends the unfinished line and releases the memory of `f`. */
void etc_fold_end(struct etc_fold *f, struct etc_text *out);

#endif
