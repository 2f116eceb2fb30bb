/* numeric.h -- the options of `etcore numeric`, and the functions that run its subcommands. An
 * option that was not given is NULL or 0. */
#ifndef ETC_COMMANDS_NUMERIC_NUMERIC_H
#define ETC_COMMANDS_NUMERIC_NUMERIC_H

#include "commands/numeric/sheet.h"

struct etc_numeric_options {
	struct etc_common_options common; /* operands: the subcommand and the dump */
	struct etc_opt_list output;       /* values of -o (context/output.h explains them) */
	struct etc_opt_list where;
	const char *top, *sort, *columns, *method;
	struct etc_input_paths paths; /* the dump, and the files that belong to it */

	/* options of the subcommand `values`: */
	const char *contents; /* --contents N: number of elements to show */
	bool sha256;

	/* options of the subcommand `outputs`: */
	const char *bundled;   /* --bundled FILE.bpte: its references replace those of the record */
	const char *test_case; /* --case N */
	const char *atol, *rtol;

	/* options of the subcommand `gap`: */
	const char *reference; /* another dump of the model, or a file of record_references.py */
	const char *reference_buffer, *reference_etrecord;
};

/* Lists every value that the runs logged. */
etc_session_fn etc_numeric_values;

/* Compares outputs with their references. E1177: an output differs; the table has been written to
 * `out` even then. */
etc_session_fn etc_numeric_outputs;

/* Compares intermediate values with their references, and finds where an error starts. */
etc_session_fn etc_numeric_gap;

#endif
