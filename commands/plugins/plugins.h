/* plugins.h -- the options of `etcore plugins`, and the functions that run it. */
#ifndef ETC_COMMANDS_PLUGINS_PLUGINS_H
#define ETC_COMMANDS_PLUGINS_PLUGINS_H

#include "context/session.h"

struct etc_plugins_options {
	/* operands: the subcommand, a plugin, and for `check` the names of checks */
	struct etc_common_options common;
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */

	/* options of the subcommand `check`: */
	const char *level;  /* basic, strict, parity, stress; NULL: basic */
	const char *limit;  /* seconds per check; NULL: 20 */
	const char *sample; /* an ETDump with events of the plugin's backend; NULL: not given */
	/* recorded answers of a parser written in Python (record_parity.py), for the check
	 * "parity" */
	const char *expected;
	const char *seed; /* seed of the check "stress"; NULL: 1 */

	/* options of the subcommand `new`: */
	const char *language; /* --language: c, cpp, rust or zig; NULL: c */
	const char *backend;  /* the backend's id; NULL: derived from the name */
};

/* Runs the subcommands `list` and `info NAME|PATH`. */
etc_session_fn etc_plugins ETC_MUST_CHECK;

/* Runs the checks that the operands name; if they name none, all checks up to the level of --level.
 * Each check runs in a separate process: the program etcore with the command ETC_CHECK_COMMAND. The
 * report is written to `out`, even if a check failed (E0630). E0501. E0504: there is no such check.
 * E0505, E0601, E0633, E0634, E0806, E0901, and the errors of opening and reading the files. */
etc_session_fn etc_plugins_check ETC_MUST_CHECK;

/* The main function of the process of a check. Runs one check of the library at `path`, and writes
 * the result to the shared memory behind file descriptor 3. */
#define ETC_CHECK_COMMAND "check-one"
enum etc_status etc_plugins_check_one(const char *check, const char *path, const char *sample,
                                      const char *expected, const char *seed,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* Writes the project of a new plugin to the folder ./NAME, which must not exist yet. E0501: no name
 * was given. E0505, E0631, E0632, E0635, E0903. */
enum etc_status etc_plugins_new(const struct etc_plugins_options *o, struct etc_text *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
