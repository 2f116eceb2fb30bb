/* checks.c -- the table of checks, in the order of the report. The first check opens the plugin. If
 * that fails, only the first check reports it. */
#include "commands/plugins/check/internal.h"

#define BASIC  ETC_CHECK_BASIC
#define STRICT ETC_CHECK_STRICT
#define PARITY ETC_CHECK_PARITY
#define STRESS ETC_CHECK_STRESS

const char *const etc_check_level_names[ETC_CHECK_LEVELS] = { "basic", "strict", "parity",
	                                                      "stress" };

/* clang-format off */
static const struct etc_check checks[] = {
	{ "load", "the host opens a file only if its symbols, ABI and descriptor are right", BASIC, false, false, false, etc_check_load },
	{ "ordinary", "every hook must return on events as backends log them, with a result that etcore/plugin.h names, and not fail: ETCORE_DECLINE says that it has no answer", BASIC, false, false, false, etc_check_ordinary },
	{ "numbers", "ids, times and numbers of samples come from files: any value may occur", BASIC, false, false, false, etc_check_numbers },
	{ "names", "names come from files: empty, 1 MiB, non-UTF-8, NUL, cut off; not one byte may be read behind them", BASIC, false, false, false, etc_check_names },
	{ "metadata", "metadata comes from files: empty, 1 MiB, non-UTF-8, NUL, cut off; not one byte may be read behind it", BASIC, false, false, false, etc_check_metadata },
	{ "texts", "backend, method, block and an owner's facts may hold any text as well", BASIC, false, false, false, etc_check_texts },
	{ "exceptions", "no C++ exception may leave a hook: its answer is lost", BASIC, false, false, false, etc_check_exceptions },
	{ "columns", "parse_metadata may fill declared columns only, with values of their type, of which none is nan or infinite: any other answer is dropped, or adds up to nothing; none has the name of a column of etcore", BASIC, false, false, false, etc_check_columns },
	{ "options", "every value that an option's type allows may stand in the INI file", BASIC, false, false, false, etc_check_options },
	{ "extension", "get_extension must answer NULL for an interface that it does not know", BASIC, false, false, false, etc_check_extension },
	{ "quiet", "descriptors 1 and 2 carry the answer of etcore: a plugin writes to neither", BASIC, false, true, false, etc_check_quiet },

	{ "symbols", "an exported name besides etcore_plugin_v1 may clash with those of other plugins", STRICT, true, false, false, etc_check_symbols },
	{ "linkage", "a library that the user's machine lacks makes the plugin unusable there", STRICT, true, false, false, etc_check_linkage },
	{ "declarations", "`etcore plugins info` shows people what the descriptor says", STRICT, false, false, false, etc_check_declarations },
	{ "answers", "an answer that is not UTF-8, or a description of times with an unknown code, is dropped with a warning", STRICT, false, false, false, etc_check_answers },
	{ "probe", "a probe that is 50 or more for everything takes the events of other backends", STRICT, false, false, false, etc_check_probe },
	{ "sinks", "when a sink refuses, the hook gives up and returns what the sink returned", STRICT, false, false, false, etc_check_sinks },
	{ "sizes", "structs grow in later versions: nothing behind the size that a struct names may be touched, and more fields change no answer", STRICT, false, false, false, etc_check_sizes },
	{ "older", "users have older hosts: what ABI 1.1 appended must not be needed, unless abi_least says so", STRICT, false, false, false, etc_check_older },
	{ "repeat", "the same call must have the same answer, in another process as well: files are compared with each other", STRICT, false, false, true, etc_check_repeat },
	{ "order", "an answer must not depend on which calls came before", STRICT, false, false, false, etc_check_order },
	{ "instances", "two instances in turn must answer as one alone", STRICT, false, false, false, etc_check_instances },
	{ "threads", "two instances on two threads must answer as one alone", STRICT, false, false, false, etc_check_threads },
	{ "globals", "instances are independent: hooks change no global variable of the library", STRICT, false, false, false, etc_check_globals },
	{ "convert_time", "converted times must be finite and must not fall when the time rises", STRICT, false, false, false, etc_check_convert_time },
	{ "clocks", "times of the runtime's clock lie inside their DELEGATE_CALL: others are foreign, and ranked as well where their unit is known", STRICT, false, false, false, etc_check_clocks },
	{ "locale", "where numbers have a comma, the answers must be the same", STRICT, false, false, false, etc_check_locale },
	{ "environment", "variables, locale, signals, descriptors, threads, arithmetic, limits and folder of the process are the host's, also while the library is loaded", STRICT, false, false, false, etc_check_environment },
	{ "isolation", "where plugins are isolated, as in `etcore check`, hooks that open a file, a socket or a process end the plugin", STRICT, false, false, false, etc_check_isolation },
	{ "growth", "100000 times open and close must not need more and more memory", STRICT, false, false, false, etc_check_growth },
	{ "hook_growth", "hooks that are called many times must not need more and more memory, also where they decline, fail or are refused", STRICT, false, false, false, etc_check_hook_growth },
	{ "speed", "no hook may take a second on 1 MiB: a file of many events would never end", STRICT, false, false, false, etc_check_speed },

	{ "parity", "`etcore inspector` must print what the Inspector prints with the parser and converter in Python", PARITY, false, false, false, etc_check_parity },
	{ "stress", "thousands of random events must be answered without a fault, and by two instances alike", STRESS, false, false, false, etc_check_stress },
};
/* clang-format on */
enum { CHECKS = sizeof checks / sizeof checks[0] };

const struct etc_check *etc_check_list(unsigned *count)
{
	*count = CHECKS;
	return checks;
}

const struct etc_check *etc_check_find(const char *name)
{
	for (unsigned i = 0; i < CHECKS; i++)
		if (strcmp(checks[i].name, name) == 0)
			return &checks[i];
	return NULL;
}
