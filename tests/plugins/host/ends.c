/* ends.c -- a plugin that crashes when the program ends. The build selects how: its destructor
 * dereferences NULL, its destructor calls abort(), or an exit handler dereferences NULL. */
#include <etcore/plugin.h>

#include <stdlib.h>

#include "../unchecked.h"

#ifndef ENDS_aborts
static int *volatile nowhere;
#endif

#if defined ENDS_destructor
__attribute__((destructor)) UNCHECKED static void at_end(void)
{
	*nowhere = 1;
}
#elif defined ENDS_aborts
__attribute__((destructor)) static void at_end(void)
{
	abort();
}
#elif defined ENDS_handler
UNCHECKED static void at_end(void)
{
	*nowhere = 1;
}

__attribute__((constructor)) static void at_begin(void)
{
	atexit(at_end);
}
#endif

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	(void)self, (void)call, (void)index, (void)out;
	return ETCORE_DECLINE;
}

static const char *const backends[] = { "XnnpackBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.role = ETCORE_ROLE_OWNER,
	.name = "ends",
	.version = "1.0",
	.backends = backends,
	.sees = ETCORE_SEES_DELEGATE,
	.name_event = name_event,
};
