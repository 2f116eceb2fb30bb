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

/* Shows progress on standard error, if that is a terminal and the command does not show progress
 * itself. */
void etc_screen_progress(const char *question);

/* Returns the variable COLUMNS if it is set, else the width of the terminal on standard output; 0:
 * neither exists. */
unsigned etc_screen_width(void);

/* Prints a text such as help or a diagnostic, wrapped if `to` (stdout, stderr) is a terminal. Needs
 * no memory if it is not. Returns errno or 0. */
int etc_screen_print(const struct etc_text *text, FILE *to);

/* Filters output for a terminal, since it contains texts from files unchanged: control
 * characters that move the cursor or reverse text are escaped; colours pass. A piece may end
 * inside a character, whose first bytes are kept in `tail`. */
struct etc_screen_tail {
	char bytes[4];
	size_t len;
};
void etc_screen_clean(struct etc_text *out, struct etc_str piece, struct etc_screen_tail *tail);

/* Is standard output a terminal? */
bool etc_screen_is(void);

#endif
