/* config.h -- the keys of the configuration. */
#ifndef ETC_COMMANDS_CONFIG_CONFIG_H
#define ETC_COMMANDS_CONFIG_CONFIG_H

#include "context/session.h"

/* One key of the configuration, for manuals; texts are constants. */
struct etc_key {
	/* the section's name, such as "etcore"; in a file a name follows "plugin" and "backend":
	 * [backend.NAME] */
	const char *section;
	const char *key, *built_in, *unit, *help, *expected;
	const char *environment; /* environment variable that sets the key; NULL: none */
};

/* Sets *out to key `i`, in the order of conf/etcore.ini; false after the last key. */
bool etc_key_at(uint32_t i, struct etc_key *out);

#endif
