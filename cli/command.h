/* command.h -- a command of the program etcore: a question of libetcore with its options, or
 * `help`, which only the program has.
 *
 * The parser of arguments, --help, manual pages and completion use the data of etcore_question()
 * and etcore_option(), so a new question of the library is a new command without further code. */
#ifndef ETC_CLI_COMMAND_H
#define ETC_CLI_COMMAND_H

#include "base/error.h"
#include "base/text.h"
#include "etcore/etcore.h"

enum { ETC_OPTIONS_MAX = 64 };

struct etc_command {
	const char *name, *summary, *usage, *examples;
	/* true: "--" is an operand that separates groups of inputs; false: it ends the options */
	bool groups;
	/* the command is left out of `etcore --help`, manual pages, completion, and proposals for
	 * misspelt names */
	bool hidden;
	/* the options that the command has on the command line: the first option_count elements */
	struct etcore_option_info options[ETC_OPTIONS_MAX];
	unsigned option_count;
};

/* Fills `out` with command number `i`, counted from 0, in the order of `etcore --help`. Returns
 * false after the last command. */
bool etc_command_at(unsigned i, struct etc_command *out);

/* Finds the command called `name`. E0504 if there is none; the error proposes the nearest name. */
enum etc_status etc_command_find(const char *name, struct etc_command *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Is it the option -o, whose value is a format, a path, or FORMAT=PATH? */
bool etc_option_is_output(const struct etcore_option_info *o);

/* Returns the values that the option's help lists, separated by '|'. NULL: the help lists none. */
const char *etc_option_choices(const struct etcore_option_info *o);

bool etc_option_takes_value(const struct etcore_option_info *o);

/* A function that receives the words of a command line one by one. `option`: full name of an
 * option; NULL: the word is an operand. `value`: the option's value, or the operand; NULL: none. */
struct etc_taker {
	enum etc_status (*take)(void *arg, const char *option, const char *value,
	                        struct etc_error *err);
	void *arg;
};

/* Passes argv[1..argc) to `taker`, in order. In long names of options, '-' and '_' are equal, and a
 * unique prefix is enough, as in argparse and GNU tools. Both "--name=value" and "--name value" are
 * accepted. Options and operands may be mixed; "--" ends the options. If --help was given, sets
 * `*help` and passes nothing. E0501 ... E0505, and the errors of `taker`. */
enum etc_status etc_words_parse(const struct etc_command *cmd, int argc, char **argv,
                                const struct etc_taker *taker, bool *help,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Writes the text of `etcore COMMAND --help` for a terminal of `width` columns; 0: for no
 * terminal. */
void etc_command_help(const struct etc_command *cmd, size_t width, struct etc_text *out);

#endif
