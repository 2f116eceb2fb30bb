/* plugin.c -- a plugin of one parser and one converter of hooks.h.
 *
 * Compiled once per pair. The build defines ORACLE_NAME, ORACLE_PARSER and ORACLE_CONVERTER; NULL:
 * the plugin has no such hook. */
#include "hooks.h"

static const char *const backends[] = { NULL };

/* Declares columns of any name, because the JSON parsers take their names from the data. */
static const struct etcore_column any = {
	.size = sizeof any,
	.type = ETCORE_TYPE_JSON,
	.name = "*",
	.help = "whatever the parser answers",
	.rollup = ETCORE_ROLLUP_FIRST,
};

static const struct etcore_column *const columns[] = { &any, NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = ORACLE_NAME,
	.version = "1.0.0",
	.vendor = "etcore tests",
	.description = "a recorded Inspector session's metadata parser and time converter",
	.backends = backends,
	.columns = columns,
	.parse_metadata = ORACLE_PARSER,
	.convert_time = ORACLE_CONVERTER,
};
