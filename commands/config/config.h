/* config.h -- lists the keys of the configuration. */
#ifndef ETC_COMMANDS_CONFIG_CONFIG_H
#define ETC_COMMANDS_CONFIG_CONFIG_H

#include "context/session.h"

/* One key of the configuration, as shown in manuals. The texts are constants. */
struct etc_key {
	/* name of the section, such as "etcore". For "plugin" and "backend", the section in a file
	 * has another name after it: [backend.NAME] */
	const char *section;
	const char *key, *built_in, *unit, *help, *expected;
	const char *environment; /* environment variable that sets the key; NULL: none */
};

/* Sets *out to key `i`, in the order of conf/etcore.ini. Returns false if there is no key `i`. */
bool etc_key_at(uint32_t i, struct etc_key *out);

#endif
