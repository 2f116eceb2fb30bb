/* plugin.c -- the xnnpack plugin: explains the events of an XNNPACK delegate.
 *
 * After the call, ExecuTorch's XNNProfiler logs one event per operator, with its name (names.h).
 * Only durations were measured, truncated to whole microseconds; the first event starts with the
 * call, and each other event starts where the one before it ends. There is no metadata, and the
 * times are on the runtime's clock, so the hooks parse_metadata and convert_time are NULL. The node
 * of an event is found with the delegate's blob (align.h). */
#include "known.h"
#include "nodes.h"

#include <stdlib.h>

static const char *const backends[] = { "XnnpackBackend", NULL };

struct xnnpack {
	struct xnnpack_nodes nodes;
	struct xnnpack_known known;
};

static const struct xnnpack_known_name *parse(struct xnnpack *x, const struct etcore_event *event)
{
	if (!(event->flags & ETCORE_EVENT_DELEGATE) || event->delegate_id != -1)
		return NULL;
	return xnnpack_known_find(&x->known, event->delegate_name);
}

/* Returns the share of the call's delegate events whose name has the form of XNNPACK's names, as a
 * score. The score is 0 unless more than half of the events have such a name. */
static int32_t probe(void *self, const struct etcore_call *call)
{
	uint64_t asked = 0, hits = 0;

	for (uint32_t i = 0; i < call->count; i++) {
		const struct xnnpack_known_name *k;

		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
			continue;
		asked++;
		k = parse(self, call->events[i]);
		hits += k && k->is_typical;
	}
	return hits * 2 > asked ? (int32_t)(hits * 90 / asked) : 0;
}

static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		struct etcore_time *t = times[i];

		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
			continue;
		t->unit = ETCORE_UNIT_NS;
		t->ns_per_unit = 1.0;
		t->clock = ETCORE_CLOCK_HOST;
		t->start = ETCORE_START_SYNTHETIC;
		t->duration = ETCORE_DURATION_MEASURED;
		t->rounding = ETCORE_ROUNDING_TRUNCATED;
		t->resolution = 1000;
		t->parent = ETCORE_PARENT_CALL;
	}
	return ETCORE_OK;
}

static etcore_result put(const struct etcore_text_sink *out, uint32_t field,
                         struct etcore_text value)
{
	return value.len ? out->put(out->handle, field, value) : ETCORE_OK;
}

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	const struct xnnpack_known_name *k = parse(self, call->events[index]);
	etcore_result r;

	if (!k)
		return ETCORE_DECLINE;
	r = put(out, ETCORE_NAME_DISPLAY, k->name.display);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_NAME_OPERATOR, k->name.operator_name);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_NAME_LAYOUT, k->name.layout);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_NAME_TYPES, k->name.types);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_NAME_KERNEL, k->name.kernel);
	if (r == ETCORE_OK)
		r = out->put_number(out->handle, ETCORE_NAME_ORDINAL, k->name.ordinal);
	return r;
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct xnnpack_known_name *k = parse(self, call->events[index]);
	etcore_result r;

	if (!k)
		return ETCORE_DECLINE;
	r = put(out, ETCORE_CLASS_COMPUTE_UNIT, (struct etcore_text){ "CPU", 3 });
	if (r == ETCORE_OK)
		r = put(out, ETCORE_CLASS_CATEGORY, k->category);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_CLASS_PRECISION, k->precision);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_CLASS_VARIANT, k->variant);
	if (r == ETCORE_OK)
		r = out->put_number(out->handle, ETCORE_CLASS_IS_MATRIX, k->class.is_matrix);
	return r;
}

/* ---- map_event ---------------------------------------------------------------- */

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	(void)host;
	(void)settings;
	(void)count;
	*self = calloc(1, sizeof(struct xnnpack));
	return *self ? ETCORE_OK : ETCORE_NOMEM;
}

static void close_instance(void *self)
{
	struct xnnpack *x = self;

	xnnpack_nodes_release(&x->nodes);
	xnnpack_known_release(&x->known);
	free(x);
}

static etcore_result map_event(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_map_sink *out)
{
	struct xnnpack_nodes *nodes = &((struct xnnpack *)self)->nodes;

	if (!call->processed.len)
		return ETCORE_DECLINE;
	if (!xnnpack_nodes_find(nodes, call, index))
		return ETCORE_NOMEM;
	if (!nodes->v[index].handle)
		return ETCORE_DECLINE;
	return out->debug_handle(out->handle, nodes->v[index].handle);
}

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "xnnpack",
	.version = "1.0.0",
	.vendor = "etcore",
	.description = "operator, types, micro-kernel and time bounds of XNNPACK events",
	.backends = backends,
	.probe = probe,
	.describe_time = describe_time,
	.name_event = name_event,
	.classify = classify,
	.map_event = map_event,
	.open = open_instance,
	.close = close_instance,
};
