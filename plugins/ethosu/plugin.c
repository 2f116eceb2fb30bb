/* plugin.c -- the ethosu plugin: explains the scopes that an Arm Ethos-U delegate logs.
 *
 * EthosUBackend does not use the functions of the event tracer for delegates. So its events have a
 * name, "EthosUBackend::execute()", or, for a scope inside it, "+EthosUBackend::execute()NPU", but
 * no delegate id. The events of init() are logged while the method is loaded, outside of delegate
 * calls. All events are on the runtime's clock. They have no metadata, and no entry in the record's
 * delegate map. */
#include <etcore/plugin.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const backends[] = { "EthosUBackend", NULL };

struct scope {
	const char *name; /* the scope's name after "EthosUBackend::" */
	uint32_t kind;
	const char *category, *unit; /* category and compute unit; NULL: unknown */
};

/* The scopes that backends/arm/runtime/EthosUBackend.cpp logs. The last row, with an empty name, is
 * for all other scopes. */
static const struct scope scopes[] = {
	{ "execute()", ETCORE_KIND_PHASE, NULL, "CPU" },
	{ "execute()handles.input.memcpy()", ETCORE_KIND_OVERHEAD, "data movement", "CPU" },
	{ "execute()NPU", ETCORE_KIND_OP, NULL, "NPU" },
	{ "init()processed_data", ETCORE_KIND_PHASE, NULL, "CPU" },
	{ "init()vela_bin_read()", ETCORE_KIND_PHASE, NULL, "CPU" },
	{ "", ETCORE_KIND_PHASE, NULL, NULL },
};

struct ethosu {
	const struct etcore_host *host;
	bool noted;
};

/* Returns the row of the table for the event's scope; NULL: it is not a scope of EthosUBackend. */
static const struct scope *scope_of(const struct etcore_event *event)
{
	static const char prefix[] = "EthosUBackend::";
	const char *p = event->name.ptr;
	uint64_t len = event->name.len, skip = sizeof prefix - 1, i;

	if (event->flags & (ETCORE_EVENT_DELEGATE | ETCORE_EVENT_DELEGATE_CALL))
		return NULL;
	if (len > 0 && *p == '+') {
		p++;
		len--;
	}
	if (len < skip || memcmp(p, prefix, (size_t)skip) != 0)
		return NULL;
	for (i = skip; i < len; i++)
		if (p[i] < ' ' || p[i] > '~')
			/* names of the backend's scopes have only printable ASCII characters */
			return NULL;
	for (i = 0; i + 1 < sizeof scopes / sizeof *scopes; i++)
		if (strlen(scopes[i].name) == len - skip &&
		    memcmp(p + skip, scopes[i].name, (size_t)(len - skip)) == 0)
			break;
	return &scopes[i];
}

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct ethosu *e = calloc(1, sizeof *e);

	(void)settings;
	(void)count;
	if (!e)
		return ETCORE_NOMEM;
	e->host = host;
	*self = e;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	free(self);
}

/* Returns the probe's score. It is 0 if the call has no scope of EthosUBackend, and high if it has
 * one, because the names of these scopes are unambiguous. If the call also has events of another
 * delegate, the score is low, so that the owner of that delegate owns the call. */
static int32_t probe(void *self, const struct etcore_call *call)
{
	bool mine = false, others = false;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		mine = mine || scope_of(call->events[i]);
		others = others || call->events[i]->flags & ETCORE_EVENT_DELEGATE;
	}
	return !mine ? 0 : others ? 10 : 90;
}

/* Reports, once per instance, that the unit of times is unknown. */
static void note(struct ethosu *e)
{
	static const char text[] =
		"times of Ethos-U are ticks of the runtime's clock: cycles of the CPU on a "
		"Cortex-M (--source-time-scale cycles), nanoseconds on Linux";

	if (e->noted || !e->host->diagnose)
		return;
	e->noted = true;
	e->host->diagnose(e->host->handle, ETCORE_SEVERITY_NOTE,
	                  (struct etcore_text){ text, sizeof text - 1 });
}

static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	for (uint32_t i = 0; i < call->count; i++) {
		const struct scope *s = scope_of(call->events[i]);

		if (!s)
			continue;
		note(self);
		times[i]->kind = s->kind;
		times[i]->clock = ETCORE_CLOCK_HOST;
		times[i]->parent = ETCORE_PARENT_BY_TIME;
	}
	return ETCORE_OK;
}

/* Passes the name of the scope as it was logged, so that each scope has a row. */
static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	(void)self;
	if (!scope_of(call->events[index]))
		return ETCORE_DECLINE;
	return out->put(out->handle, ETCORE_NAME_DISPLAY, call->events[index]->name);
}

static etcore_result put(const struct etcore_text_sink *out, uint32_t field, const char *text)
{
	if (!text)
		return ETCORE_OK;
	return out->put(out->handle, field, (struct etcore_text){ text, strlen(text) });
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct scope *s = scope_of(call->events[index]);
	etcore_result r;

	(void)self;
	if (!s)
		return ETCORE_DECLINE;
	r = put(out, ETCORE_CLASS_CATEGORY, s->category);
	return r == ETCORE_OK ? put(out, ETCORE_CLASS_COMPUTE_UNIT, s->unit) : r;
}

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE | ETCORE_SEES_FRAMEWORK,
	.name = "ethosu",
	.version = "1.0.0",
	.vendor = "etcore",
	.description = "scopes of Arm Ethos-U, which are no delegate events",
	.backends = backends,
	.open = open_instance,
	.close = close_instance,
	.probe = probe,
	.describe_time = describe_time,
	.name_event = name_event,
	.classify = classify,
};
