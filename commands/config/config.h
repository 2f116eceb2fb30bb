/* config.h -- the keys of the configuration. */
#ifndef ETC_COMMANDS_CONFIG_H
#define ETC_COMMANDS_CONFIG_H

#include "context/session.h"

/* One key of the configuration, for manuals; texts are constants. */
struct etc_key {
	const char *section; /* "etcore"; "plugin" and "backend" take a name */
	const char *key, *built_in, *unit, *help, *expected;
	const char *environment; /* or NULL */
};

/* The keys in the order of conf/etcore.ini; false after the last one. */
bool etc_key_at(uint32_t i, struct etc_key *out);

#endif
