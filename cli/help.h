/* help.h -- `etcore help`: the one command that is no question of the library. */
#ifndef ETC_CLI_HELP_H
#define ETC_CLI_HELP_H

#include "cli/command.h"

extern const struct etc_command etc_help_command;

/* Answers the words behind `etcore help` on standard output. E0501 … E0505, E0903. */
/* Prints text of the program's own. E0903, E0904. */
enum etc_status etc_help_print(const struct etc_text *text, struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_help_run(int argc, char **argv, struct etc_error *err) ETC_MUST_CHECK;

#endif
