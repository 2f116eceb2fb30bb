/* config.h -- the options of `etcore config`, and the function that runs it. */
#ifndef ETC_COMMANDS_CONFIG_H
#define ETC_COMMANDS_CONFIG_H

#include "context/session.h"

struct etc_config_options {
	struct etc_common_options common;
	struct etc_opt_list output; /* -o, as in context/output.h */
};
etc_session_fn etc_config ETC_MUST_CHECK;

/* One key of the configuration, for manuals; texts are constants. */
struct etc_key {
	const char *section; /* "etcore"; "plugin" and "backend" take a name */
	const char *key, *built_in, *unit, *help, *expected;
	const char *environment; /* or NULL */
};

/* The keys in the order of conf/etcore.ini; false after the last one. */
bool etc_key_at(uint32_t i, struct etc_key *out);

#endif
