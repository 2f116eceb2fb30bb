/* library.c -- an annotator of XNNPACK's events that is about one library. The build defines
 * PLUGIN_NAME and TITLE, which is the library's name; NULL: that is the plugin's name. With
 * SAYS_RAN the plugin reports that the library ran for each delegate event. Without SAYS_RAN it
 * reports only a compute unit. */
#include <etcore/plugin.h>

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	etcore_result r;

	(void)self;
	if (!(call->events[index]->flags & ETCORE_EVENT_DELEGATE))
		return ETCORE_DECLINE;
#ifdef SAYS_RAN
	r = out->put_number(out->handle, ETCORE_CLASS_LIBRARY_RAN, ETCORE_RAN_YES);
	if (r == ETCORE_OK)
		r = out->put_number(out->handle, ETCORE_CLASS_IS_MATRIX, 1);
#else
	r = out->put(out->handle, ETCORE_CLASS_COMPUTE_UNIT, (struct etcore_text){ "DSP", 3 });
#endif
	return r;
}

static const char *const backends[] = { "XnnpackBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_ANNOTATOR,
	.sees = ETCORE_SEES_DELEGATE,
	.name = PLUGIN_NAME,
	.version = "1",
	.backends = backends,
	.classify = classify,
	.title = TITLE,
};
