/* options.h -- a command's options as data.
 *
 * One array of rows per command drives parsing and --help. '-' and '_' are the
 * same in long names, "--name=value" and "--name value" both work, a unique
 * prefix is enough (as in argparse and GNU tools), options and operands may be
 * mixed, "--" ends the options. */
#ifndef ETC_CLI_OPTIONS_H
#define ETC_CLI_OPTIONS_H

#include "base/error.h"

enum etc_opt_kind {
	ETC_OPT_FLAG,   /* bool */
	ETC_OPT_COUNT,  /* uint8_t: how often it was given */
	ETC_OPT_TEXT,   /* const char *: the last one counts */
	ETC_OPT_LIST,   /* struct etc_opt_list: all, in order */
	ETC_OPT_CHOICE, /* const char *: one of `choices` */
	/* const char *: as TEXT, but without an argument "". The argument is what
	 * follows '=', or the next word unless it begins with '-'. */
	ETC_OPT_OPTIONAL
};

struct etc_opt_list {
	const char **v;
	uint32_t count;
};

struct etc_opt {
	char letter;      /* 'r' for -r, or 0 */
	const char *name; /* "etrecord" for --etrecord */
	enum etc_opt_kind kind;
	size_t target;        /* offsetof(struct of the command, member) */
	const char *argument; /* "FILE", for --help */
	const char *choices;  /* "ns|us|ms|s|cycles" */
	const char *help;
};

struct etc_command {
	const char *name;
	const char *summary;  /* one line for `etcore --help` */
	const char *usage;    /* "FILE… [options]" */
	const char *examples; /* three lines */
	bool hidden;          /* not in `etcore --help`, manual and completion, not proposed */
	const struct etc_opt *options;
	unsigned option_count;
	size_t size;     /* of the command's struct; zeroed before parsing */
	size_t operands; /* offsetof its struct etc_opt_list of operands */
	enum etc_status (*run)(void *args, struct etc_error *err);
};

/* Does the option take an argument, or may it (ETC_OPT_OPTIONAL)? */
bool etc_opt_takes_value(const struct etc_opt *o);

/* Fills `args` from argv[1..argc). *help is set when --help was given: nothing
 * else is then checked. E0501 ... E0505. Lists are malloc'ed: etc_opt_release. */
enum etc_status etc_opt_parse(const struct etc_command *cmd, int argc, char **argv, void *args,
                              bool *help, struct etc_error *err) ETC_MUST_CHECK;
void etc_opt_release(const struct etc_command *cmd, void *args);

/* The text of `etcore COMMAND --help`. */
void etc_opt_help(const struct etc_command *cmd);

#endif
