/* early.c -- a plugin that crashes in a constructor, before any of its functions is called. */
#include <etcore/plugin.h>

#include <stdlib.h>

__attribute__((constructor)) static void too_early(void)
{
	abort();
}

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.role = ETCORE_ROLE_OWNER,
	.name = "early",
	.version = "1.0",
};
