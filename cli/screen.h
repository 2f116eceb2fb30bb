/* screen.h -- properties of the terminal on standard output and error. */
#ifndef ETC_CLI_SCREEN_H
#define ETC_CLI_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "etcore/etcore.h"

/* Passes width, colours and character set of the terminal to a query as options. If the command has
 * the option `progress`, sets it when standard error is a terminal or `verbose` is set. Returns a
 * status of the library. */
int etc_screen_set(struct etcore_query *q, const char *question, bool verbose,
                   struct etcore_diagnostic *err);

/* Shows progress on standard error, if standard error is a terminal. Does nothing if the command
 * shows progress itself. */
void etc_screen_progress(const char *question);

/* Returns the value of the environment variable COLUMNS; if it is not set, the width of the
 * terminal on standard output. 0: there is no terminal, either. */
unsigned etc_screen_width(void);

/* Prints a text such as help or a diagnostic on `to`, which is stdout or stderr. If `to` is a
 * terminal, wraps the lines; otherwise allocates no memory. Returns errno or 0. */
int etc_screen_print(const struct etc_text *text, FILE *to);

/* Appends `piece` to `out` with control characters escaped, except those of colours. This is needed
 * for output to a terminal, because names in input files may contain characters that move the
 * cursor or reverse text. A piece may end in the middle of a character; the first bytes of the
 * character are then kept in `tail` for the next piece. */
struct etc_screen_tail {
	char bytes[4];
	size_t len;
};
void etc_screen_clean(struct etc_text *out, struct etc_str piece, struct etc_screen_tail *tail);

/* Is standard output a terminal? */
bool etc_screen_is(void);

#endif
