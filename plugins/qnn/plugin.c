/* plugin.c -- the qnn plugin: explains the events of a Qualcomm QNN delegate.
 *
 * Every event is a number without a position in time (nest.h). Its unit is in its id (events.h).
 * There is no hook parse_metadata, because the metadata is empty, and no hook map_event, because
 * the keys of the record's delegate map are names of tensors, not of events. */
#include "../aten/aten.h"
#include "convert.h"
#include "nest.h"

#include <string.h>

static const char *const backends[] = { "QnnBackend", NULL };

/* Returns a score in proportion to the share of the call's delegate events that have the form of
 * QNN's events. An event has this form if it starts at time 0, and if its id has a unit or a node
 * as QNN writes it.
 * Events of other backends do not have the start time 0; in addition, ids of XNNPACK end with
 * " #7". The score is 0 unless more than half of the events have the form. */
static int32_t probe(void *self, const struct etcore_call *call)
{
	uint64_t asked = 0, hits = 0;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		struct qnn_event e = qnn_event_of(call->events[i]);

		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
			continue;
		asked++;
		hits += e.mine && (e.suffixed || e.node) && qnn_starts_at_zero(call->events[i]);
	}
	return hits * 2 > asked ? (int32_t)(hits * 90 / asked) : 0;
}

static etcore_result put(const struct etcore_text_sink *out, uint32_t field, const char *text)
{
	if (!text)
		return ETCORE_OK;
	return out->put(out->handle, field, (struct etcore_text){ text, strlen(text) });
}

/* Passes the name of the operator of a node, and no display name: rows keep QNN's own identifiers,
 * which are unique within the graph, and which QNN's tools print, too. */
static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	struct qnn_event e = qnn_event_of(call->events[index]);
	struct etcore_text op;

	(void)self;
	if (!e.node)
		return ETCORE_DECLINE;
	op = aten_node_operator(e.name);
	for (uint64_t i = 0; i < op.len; i++)
		if (op.ptr[i] <= ' ' || op.ptr[i] > '~')
			return ETCORE_DECLINE; /* characters that no name of a node has */
	return out->put(out->handle, ETCORE_NAME_OPERATOR, op);
}

static bool is(struct etcore_text t, const char *word)
{
	return t.len == strlen(word) && memcmp(t.ptr, word, (size_t)t.len) == 0;
}

/* Sets category and compute unit of a node. An ETDump does not contain the processor that QNN used.
 * The processor is known to be the NPU only if there are events in cycles. */
static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	struct qnn_event e = qnn_event_of(call->events[index]);
	const char *category = NULL;
	etcore_result r;

	(void)self;
	if (!e.node)
		return ETCORE_DECLINE;
	category = is(e.name, "Input") || is(e.name, "Output") ? "data movement"
	                                                       : aten_category(e.name);
	r = put(out, ETCORE_CLASS_CATEGORY, category);
	if (r == ETCORE_OK && (e.unit == ETCORE_UNIT_CYCLES || qnn_counts_cycles(call)))
		r = put(out, ETCORE_CLASS_COMPUTE_UNIT, "NPU");
	return r;
}

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "qnn",
	.version = "1.0.0",
	.vendor = "etcore",
	.description = "units, steps and nodes of Qualcomm QNN's profiling events",
	.backends = backends,
	.probe = probe,
	.convert_time = qnn_convert_time,
	.describe_time = qnn_describe_time,
	.name_event = name_event,
	.classify = classify,
};
