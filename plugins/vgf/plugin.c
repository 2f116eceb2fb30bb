/* plugin.c -- the vgf plugin: explains the events of an Arm VGF delegate.
 *
 * Every event is a scope of the backend's code on the CPU, on the runtime's clock, so that times
 * show which scope contains which: VGF_EXECUTE contains VGF_DISPATCH_AND_WAIT, which contains
 * VGF_QUEUE_SUBMIT_AND_WAIT_FENCE. VGF_INIT_TOTAL and the scopes inside it are logged while the
 * method is loaded. The time on the device is not in the dump, and the record's delegate map is
 * null (backends/arm/runtime/VGFBackend.cpp, VGFSetup.cpp). */
#include "metadata.h"

#include <stdbool.h>
#include <string.h>

static const char *const backends[] = { "VgfBackend", NULL };

struct scope {
	const char *name;
	uint32_t kind;
	const char *category; /* NULL: the scope has no category */
};

static const struct scope scopes[] = {
	{ "VGF_COPY_INPUTS", ETCORE_KIND_OVERHEAD, "data movement" },
	{ "VGF_COPY_OUTPUTS", ETCORE_KIND_OVERHEAD, "data movement" },
	{ "VGF_NEURAL_STATISTICS", ETCORE_KIND_OVERHEAD, NULL },
	{ "VGF_TIMESTAMP_QUERY_READBACK", ETCORE_KIND_OVERHEAD, NULL },
	{ "", ETCORE_KIND_PHASE, NULL }, /* the row for all names that are not in the table */
};

/* Returns the event's row in the table of scopes; the last row is for all names that are not in the
 * table. NULL: the event is not one of VGF. */
static const struct scope *scope_of(const struct etcore_event *event)
{
	struct etcore_text id = event->delegate_name;
	size_t i;

	if (!(event->flags & ETCORE_EVENT_DELEGATE) || id.len < 5 || memcmp(id.ptr, "VGF_", 4) != 0)
		return NULL;
	for (i = 0; i + 1 < sizeof scopes / sizeof *scopes; i++)
		if (strlen(scopes[i].name) == id.len &&
		    memcmp(scopes[i].name, id.ptr, (size_t)id.len) == 0)
			break;
	return &scopes[i];
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	uint64_t asked = 0, hits = 0;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		asked += (call->events[i]->flags & ETCORE_EVENT_DELEGATE) != 0;
		hits += scope_of(call->events[i]) != NULL;
	}
	return hits * 2 > asked ? (int32_t)(hits * 90 / asked) : 0;
}

static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		const struct scope *s = scope_of(call->events[i]);

		if (!s)
			continue;
		times[i]->kind = s->kind;
		times[i]->clock = ETCORE_CLOCK_HOST;
		times[i]->parent = ETCORE_PARENT_BY_TIME;
	}
	return ETCORE_OK;
}

static etcore_result put(const struct etcore_text_sink *out, uint32_t field, const char *text)
{
	if (!text)
		return ETCORE_OK;
	return out->put(out->handle, field, (struct etcore_text){ text, strlen(text) });
}

/* Sets category and compute unit. All events measure time on the CPU; what the device does while
 * the CPU waits for it is unknown. */
static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct scope *s = scope_of(call->events[index]);
	etcore_result r;

	(void)self;
	if (!s)
		return ETCORE_DECLINE;
	r = put(out, ETCORE_CLASS_CATEGORY, s->category);
	return r == ETCORE_OK ? put(out, ETCORE_CLASS_COMPUTE_UNIT, "CPU") : r;
}

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "vgf",
	.version = "1.0.0",
	.vendor = "etcore",
	.description = "scopes of Arm's VGF backend and the statistics of its accelerator",
	.backends = backends,
	.columns = vgf_columns,
	.probe = probe,
	.parse_metadata = vgf_parse_metadata,
	.describe_time = describe_time,
	.classify = classify,
};
