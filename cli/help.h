/* help.h -- `etcore help`: the only command that the library does not have. */
#ifndef ETC_CLI_HELP_H
#define ETC_CLI_HELP_H

#include "cli/command.h"

extern const struct etc_command etc_help_command;

/* Prints a page of help on standard output; if this is a terminal, wraps the lines. E0903,
 * E0904. */
enum etc_status etc_help_print(const struct etc_text *text, struct etc_error *err) ETC_MUST_CHECK;

/* Runs `etcore help` with the words after it; writes to standard output. E0501 … E0505, E0903. */
enum etc_status etc_help_run(int argc, char **argv, struct etc_error *err) ETC_MUST_CHECK;

#endif
