/* fold.h -- lines of text for people, made to fit a terminal: no wider than it, and
 * only ASCII where it has no other characters. */
#ifndef ETC_BASE_FOLD_H
#define ETC_BASE_FOLD_H

#include "base/text.h"

struct etc_fold {
	uint32_t width;       /* columns; 0: any */
	size_t hang;          /* of what follows of a broken line; 0: by the line, see below */
	bool ascii;           /* signs of etcore's own become ASCII, what is left of others '?' */
	struct etc_text line; /* the begun one */
};

/* Appends `s` to `out`, line by line; a line that has not ended waits for the next
 * piece. A line that is too wide breaks at blanks; what follows is indented to the text
 * behind its first wide gap ("N0301  text"), else by two more than the line itself. A word
 * wider than the terminal stays whole. Sequences of colours have no width. */
void etc_fold_put(struct etc_fold *f, struct etc_str s, struct etc_text *out);

/* Appends what waits, releases. */
void etc_fold_end(struct etc_fold *f, struct etc_text *out);

#endif
