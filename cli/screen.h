/* screen.h -- what the terminal on standard output is like. */
#ifndef ETC_CLI_SCREEN_H
#define ETC_CLI_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "etcore/etcore.h"

/* Tells a query that writes for a screen how it looks, and one that shows progress
 * where: on a terminal, or wherever standard error goes when it shall be `verbose`. A
 * status of the library. */
int etc_screen_set(struct etcore_query *q, const char *question, bool verbose,
                   struct etcore_diagnostic *err);

/* Columns of the terminal; 0: standard output is none. */
unsigned etc_screen_width(void);

/* Prints text of the program's own, folded for the terminal. errno, or 0. */
int etc_screen_print(const struct etc_text *text, FILE *to);

/* Filters an output for a terminal, since texts of files are in it unchanged: control
 * characters that would move the cursor or reverse text are escaped; colours pass. A
 * piece may end within a character, whose first bytes `tail` keeps. */
struct etc_screen_tail {
	char bytes[4];
	size_t len;
};
void etc_screen_clean(struct etc_text *out, struct etc_str piece, struct etc_screen_tail *tail);

/* Is standard output a terminal? */
bool etc_screen_is(void);

#endif
