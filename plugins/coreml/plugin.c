/* plugin.c -- the coreml plugin: explains the events of a Core ML delegate.
 *
 * Every event is one operator of the compiled model. Its metadata is a JSON object (metadata.h).
 * Its time is an estimate, on another clock than the runtime's (clock.h). Its id is a debug symbol
 * "output:operator", which is a key in the record's delegate map. */
#include "clock.h"
#include "metadata.h"
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const backends[] = { "CoreMLBackend", NULL };

/* An instance. It caches the summary of the last call, because this is computed from all events of
 * the call, and needed for each of them. `call`, `events` and `first` are addresses by which the
 * call is recognised; they are never dereferenced. */
struct coreml {
	const struct etcore_host *host;
	const void *call, *events, *first;
	uint32_t count;
	struct coreml_summary summary;
	bool noted;
};

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct coreml *c = calloc(1, sizeof *c);

	(void)settings;
	(void)count;
	if (!c)
		return ETCORE_NOMEM;
	c->host = host;
	*self = c;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	free(self);
}

static void look_at(struct coreml *c, const struct etcore_call *call)
{
	c->call = call;
	c->events = call->events;
	c->first = call->count ? call->events[0]->delegate_name.ptr : NULL;
	c->count = call->count;
	coreml_summarize(call, &c->summary);
}

static enum coreml_unit main_unit(struct coreml *c, const struct etcore_call *call)
{
	if (c->call != call || c->events != call->events || c->count != call->count ||
	    c->first != call->events[0]->delegate_name.ptr)
		look_at(c, call);
	return c->summary.main;
}

/* Returns a score in proportion to the share of the call's delegate events that have the form of
 * Core ML's events. An event has this form if its id contains a colon ("output:operator"), if it
 * names an operator, and if its metadata is a JSON object with a compute unit or a cost. The score
 * is 0 unless more than half of the events have this form. */
static int32_t probe(void *self, const struct etcore_call *call)
{
	uint64_t asked = 0, hits = 0;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		const struct etcore_event *event = call->events[i];
		struct coreml_plan plan;

		if (!(event->flags & ETCORE_EVENT_DELEGATE))
			continue;
		asked++;
		hits += event->metadata && event->delegate_name.len > 0 &&
		        memchr(event->delegate_name.ptr, ':', (size_t)event->delegate_name.len) &&
		        coreml_plan_read(event, &plan) && plan.operator_name[0] &&
		        (plan.preferred || plan.lists_units || plan.has_cost);
	}
	return hits * 2 > asked ? (int32_t)(hits * 90 / asked) : 0;
}

/* Reports, once per instance, that times are estimates, and for how many operators another unit
 * than the main unit is preferred. */
static void note(struct coreml *c)
{
	const struct coreml_summary *s = &c->summary;
	const char *unit = coreml_unit_word(s->main);
	char text[320];
	int len;

	if (c->noted || !c->host->diagnose || s->operators == 0)
		return;
	c->noted = true;
	len = snprintf(text, sizeof text,
	               "times are estimates: the model's measured time, split by the compute "
	               "plan's expected costs; it prefers %s for most, another unit for %u of %u "
	               "operators (%u cannot run on %s)",
	               unit, s->leave, s->operators, s->cannot, unit);
	c->host->diagnose(c->host->handle, ETCORE_SEVERITY_NOTE,
	                  (struct etcore_text){ text, (uint64_t)len });
}

static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	if (call->count > 0)
		look_at(self, call);
	note(self);
	return coreml_describe_time(self, call, times);
}

static etcore_result put(const struct etcore_text_sink *out, uint32_t field, const char *text)
{
	if (!text || !*text)
		return ETCORE_OK;
	return out->put(out->handle, field, (struct etcore_text){ text, strlen(text) });
}

/* Passes the operator's name. If another compute unit than the main one is preferred for an
 * operator, the operator gets a row of its own: "conv on GPU (NE could)". */
static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	const struct etcore_event *event = call->events[index];
	enum coreml_unit main;
	struct coreml_plan plan;
	char unit[32], display[sizeof plan.operator_name + sizeof unit + 4];
	etcore_result r;

	if (!(event->flags & ETCORE_EVENT_DELEGATE) || !coreml_plan_read(event, &plan) ||
	    !plan.operator_name[0])
		return ETCORE_DECLINE;
	main = main_unit(self, call);
	coreml_unit_text(&plan, main, unit, sizeof unit);
	if (plan.preferred && plan.preferred != main)
		snprintf(display, sizeof display, "%s on %s", plan.operator_name, unit);
	else
		snprintf(display, sizeof display, "%s", plan.operator_name);
	r = put(out, ETCORE_NAME_DISPLAY, display);
	return r == ETCORE_OK ? put(out, ETCORE_NAME_OPERATOR, plan.operator_name) : r;
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct etcore_event *event = call->events[index];
	struct coreml_plan plan;
	char unit[32];
	etcore_result r;

	if (!(event->flags & ETCORE_EVENT_DELEGATE) || !coreml_plan_read(event, &plan))
		return ETCORE_DECLINE;
	coreml_unit_text(&plan, main_unit(self, call), unit, sizeof unit);
	r = put(out, ETCORE_CLASS_COMPUTE_UNIT, unit);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_CLASS_CATEGORY, coreml_category(plan.operator_name));
	return r;
}

/* Passes the event's debug symbol as key of the record's delegate map. */
static etcore_result map_event(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_map_sink *out)
{
	const struct etcore_event *event = call->events[index];

	(void)self;
	if (!(event->flags & ETCORE_EVENT_DELEGATE) || event->delegate_id != -1 ||
	    event->delegate_name.len == 0)
		return ETCORE_DECLINE;
	for (uint64_t i = 0; i < event->delegate_name.len; i++)
		if (event->delegate_name.ptr[i] <= ' ' || event->delegate_name.ptr[i] > '~')
			/* a symbol of a Core ML program has no such character */
			return ETCORE_DECLINE;
	return out->key(out->handle, event->delegate_name);
}

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "coreml",
	.version = "1.0.0",
	.vendor = "etcore",
	.description = "operators, estimated times and compute units of Core ML events",
	.backends = backends,
	.columns = coreml_columns,
	.open = open_instance,
	.close = close_instance,
	.probe = probe,
	.parse_metadata = coreml_parse_metadata,
	.convert_time = coreml_convert_time,
	.describe_time = describe_time,
	.name_event = name_event,
	.classify = classify,
	.map_event = map_event,
};
