/* says.c -- an owner of the backend BACKEND that is called PLUGIN_NAME. With PROBE, its probe
 * returns that score, from 0 to 100, for every call; etcore calls the probe if no file names the
 * backend of a call. Without PROBE the plugin has no probe. */
#include <etcore/plugin.h>

#include <stdio.h>

#ifdef PROBE
static int32_t probe(void *self, const struct etcore_call *call)
{
	(void)self, (void)call;
	return PROBE;
}
#endif

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	char text[100];
	int len = snprintf(text, sizeof text, "%s of %.*s", PLUGIN_NAME, (int)call->backend.len,
	                   call->backend.ptr ? call->backend.ptr : "");

	(void)self;
	if (!(call->events[index]->flags & ETCORE_EVENT_DELEGATE))
		return ETCORE_DECLINE;
	len = len < (int)sizeof text ? len : (int)sizeof text - 1;
	return out->put(out->handle, ETCORE_NAME_DISPLAY,
	                (struct etcore_text){ text, (uint64_t)len });
}

static const char *const backends[] = { BACKEND, NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = PLUGIN_NAME,
	.version = "1",
	.backends = backends,
#ifdef PROBE
	.probe = probe,
#endif
	.name_event = name_event,
};
