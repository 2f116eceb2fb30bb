/* plugin.c -- the kleidiai plugin */
#include <etcore/plugin.h>

static const char *const backends[] = { NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.name = "kleidiai",
	.version = "0.1.0",
	.vendor = "etcore",
	.description = "",
	.backends = backends,
};
