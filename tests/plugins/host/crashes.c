/* crashes.c -- a plugin whose hooks end the process. parse_metadata does it as the event's
 * delegate_name says: by abort(), SIGFPE, exit(), stack overflow, or else by dereferencing NULL.
 * classify always dereferences NULL. */
#include <etcore/plugin.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../unchecked.h"

UNCHECKED static etcore_result through_null(void)
{
	volatile int *volatile nowhere = NULL;

	return *nowhere;
}

/* Recurses without end. The signal's handler then needs a stack of its own. */
UNCHECKED static int deeper(volatile char *above)
{
	volatile char frame[4096];

	frame[0] = above ? above[0] : 1;
	return deeper(frame) + frame[0];
}

static etcore_result parse(void *self, const struct etcore_call *call, uint32_t index,
                           const struct etcore_sink *out)
{
	const struct etcore_text n = call->events[index]->delegate_name;

	(void)self, (void)out;
	if (n.len == 5 && memcmp(n.ptr, "abort", 5) == 0)
		abort();
	if (n.len == 3 && memcmp(n.ptr, "fpe", 3) == 0)
		raise(SIGFPE);
	if (n.len == 4 && memcmp(n.ptr, "exit", 4) == 0)
		exit(0);
	if (n.len == 5 && memcmp(n.ptr, "stack", 5) == 0)
		return deeper(NULL);
	return through_null();
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	(void)self, (void)call, (void)index, (void)out;
	return through_null();
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	(void)self, (void)call;
	return 50;
}

static const char *const backends[] = { "XnnpackBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.role = ETCORE_ROLE_OWNER,
	.name = "crashes",
	.version = "1.0",
	.backends = backends,
	.sees = ETCORE_SEES_DELEGATE,
	.probe = probe,
	.parse_metadata = parse,
	.classify = classify,
};
