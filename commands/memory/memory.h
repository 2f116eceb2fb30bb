/* memory.h -- the options of `etcore memory`, and the function that runs it. */
#ifndef ETC_COMMANDS_MEMORY_MEMORY_H
#define ETC_COMMANDS_MEMORY_MEMORY_H

#include "context/session.h"

struct etc_memory_options {
	/* operands: a .pte or .bpte, an ETDump, or both; "-": standard input. If no program is
	 * given, the program next to the dump is used */
	struct etc_common_options common;
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */
	bool no_siblings;
	/* `method` NULL: all methods. `top` NULL: 24 lifetimes, and 10 rows of each other list */
	const char *method, *top;
};

/* Reports how the program's memory is planned (sizes, peaks, lifetimes), and what the dump's runs
 * allocated, according to its allocation events. E0430 to E0434. E0501: two files of one kind.
 * E0508: no such method. Also returns the errors of reading an ETDump. */
etc_session_fn etc_memory ETC_MUST_CHECK;

#endif
