/* manual.h -- writes manual pages and shell completion from the tables of commands, options and
 * keys. The build runs `etcore help` to write the files. */
#ifndef ETC_CLI_MANUAL_H
#define ETC_CLI_MANUAL_H

#include "base/text.h"
#include "cli/command.h"

/* These functions write the manual pages etcore(1), etcore-NAME(1), etcore.ini(5) and
 * etcore-plugin(7), as roff in ASCII. */
void etc_man_program(struct etc_text *out);
void etc_man_command(struct etc_text *out, const struct etc_command *cmd);
void etc_man_config(struct etc_text *out);
void etc_man_plugin(struct etc_text *out);

/* Each of these functions writes a script for one shell, which completes commands, options, their
 * choices and file names. */
void etc_complete_bash(struct etc_text *out);
void etc_complete_zsh(struct etc_text *out);
void etc_complete_fish(struct etc_text *out);

#endif
