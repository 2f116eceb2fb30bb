/* commands.h -- one descriptor per subcommand, each in its file cmd_<name>.c,
 * and what the commands share. */
#ifndef ETC_CLI_COMMANDS_H
#define ETC_CLI_COMMANDS_H

#include "api/analysis.h"
#include "cli/options.h"

extern const struct etc_command etc_cmd_analyze, etc_cmd_inspector, etc_cmd_plugins, etc_cmd_config,
	etc_cmd_dump, etc_cmd_explain, etc_cmd_check_one, etc_cmd_help;

/* The commands in the order of `etcore --help`; NULL after the last one. */
const struct etc_command *etc_command_at(unsigned i);

/* Arguments that every command has; embedded as `common` in its struct. */
struct etc_common_args {
	struct etc_opt_list operands, plugins, set;
	const char *config, *diagnostics, *color;
	bool no_plugins, strict;
	uint8_t verbose;
};

/* Their rows for the option array of a command whose struct is `type`; a command
 * has those that mean something to it. */
/* clang-format off */
#define ETC_DIAGNOSTICS_ROW(type)                                                                              \
	{ 0, "diagnostics", ETC_OPT_CHOICE, offsetof(type, common.diagnostics), "FORM", "text|json",           \
	  "warnings and errors as text or as one JSON object per line" }

#define ETC_CONFIG_ROW(type)                                                                                   \
	{ 'c', "config", ETC_OPT_TEXT, offsetof(type, common.config), "INI", NULL,                             \
	  "read this configuration file" }

#define ETC_REPORT_ROWS(type)                                                                                  \
	{ 0, "set", ETC_OPT_LIST, offsetof(type, common.set), "SECTION.KEY=VALUE", NULL,                       \
	  "set a key of the configuration (repeatable)" },                                                    \
	{ 0, "strict", ETC_OPT_FLAG, offsetof(type, common.strict), NULL, NULL,                                \
	  "a warning is an error" },                                                                          \
	ETC_DIAGNOSTICS_ROW(type),                                                                             \
	{ 'v', "verbose", ETC_OPT_COUNT, offsetof(type, common.verbose), NULL, NULL,                           \
	  "say more on standard error" }

/* Of a command that asks plugins. */
#define ETC_COMMON_ROWS(type)                                                                                  \
	ETC_CONFIG_ROW(type),                                                                                  \
	{ 0, "plugin", ETC_OPT_LIST, offsetof(type, common.plugins), "NAME|PATH", NULL,                        \
	  "use this plugin (repeatable)" },                                                                   \
	{ 0, "no-plugins", ETC_OPT_FLAG, offsetof(type, common.no_plugins), NULL, NULL,                        \
	  "use no plugin at all" },                                                                           \
	ETC_REPORT_ROWS(type)
/* clang-format on */

/* The api's view of the common arguments. */
struct etc_common_options etc_common_of(const struct etc_common_args *args);

/* Prints a warning or note to stderr as `--diagnostics` asks; an etc_note_fn
 * whose `arg` is the struct etc_common_args. Notes (letter N) only with -v or
 * json: on screen they are part of the answer. */
void etc_print_note(void *arg, const struct etc_note *note);

/* A sink for struct etc_text that writes to standard output. */
bool etc_stdout_sink(void *arg, struct etc_str chunk);

/* Ends the answer of a command: writes what is left of it if all went well, and
 * releases it. Returns `st`, or E0903. */
enum etc_status etc_stdout_end(struct etc_text *out, enum etc_status st, struct etc_error *err);

#endif
