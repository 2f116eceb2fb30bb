/* adds.c -- an annotator of the events of good.c. It returns the operator that the owner named as
 * the reason, and an instruction set if the owner's unit is µs, so that tests see which facts it
 * got. Also returns a category, which must not replace the owner's. */
#include <etcore/plugin.h>

#define TEXT(s) ((struct etcore_text){ (s), sizeof(s) - 1 })

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct etcore_facts *facts = call->events[index]->facts;

	(void)self;
	if (!facts)
		return ETCORE_FAILED;
	out->put(out->handle, ETCORE_CLASS_LIBRARY_WHY, facts->operator_name);
	out->put(out->handle, ETCORE_CLASS_CATEGORY, TEXT("must not replace the owner's"));
	if (ETCORE_HAS(facts, struct etcore_facts, time) && facts->time->unit == ETCORE_UNIT_US)
		out->put(out->handle, ETCORE_CLASS_ISA, TEXT("of microseconds"));
	out->put_number(out->handle, ETCORE_CLASS_IS_MATRIX, 1);
	return out->put_number(out->handle, ETCORE_CLASS_LIBRARY_RAN, ETCORE_RAN_YES);
}

static const char *const backends[] = { "GoodBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.role = ETCORE_ROLE_ANNOTATOR,
	.name = "adds",
	.version = "1.0",
	.backends = backends,
	.classify = classify,
};
