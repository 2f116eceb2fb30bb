/* commands.c -- the one list of commands. */
#include "cli/commands.h"

/* A new command is one line here and one file, cmd_<name>.c. */
static const struct etc_command *const commands[] = {
	&etc_cmd_analyze, &etc_cmd_inspector, &etc_cmd_dump,      &etc_cmd_plugins,
	&etc_cmd_config,  &etc_cmd_explain,   &etc_cmd_check_one, &etc_cmd_help,
};

const struct etc_command *etc_command_at(unsigned i)
{
	return i < sizeof commands / sizeof commands[0] ? commands[i] : NULL;
}
