/* plugin.c -- the nxp plugin: explains the events of an NXP eIQ Neutron delegate.
 *
 * NeutronBackend logs what the NPU wrote into a profile: one event per kernel, with the ids 0, 1,
 * 2, … The metadata of an event is one byte, the function code of its kernel. Start and end are
 * read from the NPU's counter, which has 32 bits; the length of its ticks is not documented. The
 * last event, with function code 0, is the writing of the profile itself. The backend adds ticks of
 * the CPU to the end of this event, so that its end minus its start is not a duration
 * (backends/nxp/runtime/NeutronBackend.cpp). */
#include <etcore/plugin.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const backends[] = { "NeutronBackend", NULL };

static const struct etcore_option ticks_option =
	ETCORE_OPTION(ETCORE_TYPE_I64, "ticks_per_second", "0",
                      "frequency of the Neutron counter, in 1/s; 0: unknown, its times are ticks");
static const struct etcore_option *const options[] = { &ticks_option, NULL };

static const struct etcore_column code_column =
	ETCORE_COLUMN(ETCORE_TYPE_I64, "neutron_function_code", NULL,
                      "which kernel of the Neutron firmware ran; 0: the writing of the profile",
                      ETCORE_ROLLUP_SET);
static const struct etcore_column *const columns[] = { &code_column, NULL };

enum { PROFILING_DUMP = 0, NO_CODE = -1 };

struct nxp {
	/* frequency of the NPU's counter, from the option of this name; 0: unknown */
	double ticks_per_second;
};

/* Parses a whole number such as "800000000". The host has checked that the text is one. */
static double number_of(struct etcore_text t)
{
	double v = 0;

	for (uint64_t i = 0; i < t.len && t.ptr[i] >= '0' && t.ptr[i] <= '9'; i++)
		v = v * 10 + (t.ptr[i] - '0');
	return v;
}

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct nxp *n = calloc(1, sizeof *n);
	size_t len = strlen(ticks_option.name);

	(void)host;
	if (!n)
		return ETCORE_NOMEM;
	for (uint32_t i = 0; i < count; i++)
		if (settings[i]->name.len == len &&
		    memcmp(settings[i]->name.ptr, ticks_option.name, len) == 0)
			n->ticks_per_second = number_of(settings[i]->value);
	*self = n;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	free(self);
}

/* Returns the function code of an event. NO_CODE: no sample has metadata, or the metadata of the
 * samples are not all the same byte. */
static int code_of(const struct etcore_event *event)
{
	int code = NO_CODE;

	if (!(event->flags & ETCORE_EVENT_DELEGATE) || event->delegate_id < 0 || !event->metadata)
		return NO_CODE;
	for (uint64_t i = 0; i < event->samples; i++) {
		struct etcore_bytes blob = event->metadata[i];

		if (blob.len == 0)
			continue;
		if (blob.len > 1 || (code != NO_CODE && code != blob.ptr[0]))
			return NO_CODE;
		code = blob.ptr[0];
	}
	return code;
}

/* Returns the share of the call's delegate events that look like Neutron's, as a score. The id of
 * such an event is its index, counted from 0, and its metadata is one byte. The score is 0 unless
 * this is true of more than half of the events. */
static int32_t probe(void *self, const struct etcore_call *call)
{
	uint64_t asked = 0, hits = 0;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		const struct etcore_event *event = call->events[i];

		if (!(event->flags & ETCORE_EVENT_DELEGATE))
			continue;
		hits += event->delegate_id == (int64_t)asked && code_of(event) != NO_CODE;
		asked++;
	}
	return hits * 2 > asked ? (int32_t)(hits * 60 / asked) : 0;
}

/* Passes one text per sample, as the parser in examples/nxp/analyzing_with_inspector.py does. */
static etcore_result put_texts(const struct etcore_event *event, const struct etcore_sink *out)
{
	etcore_result r = out->begin_list(out->handle);

	for (uint64_t i = 0; event->metadata && i < event->samples && r == ETCORE_OK; i++) {
		struct etcore_bytes blob = event->metadata[i];
		char text[40];
		int len;

		if (blob.len != 1)
			len = snprintf(text, sizeof text, "Invalid metadata size");
		else if (blob.ptr[0] == PROFILING_DUMP)
			len = snprintf(text, sizeof text, "Profiling dump");
		else
			len = snprintf(text, sizeof text, "Neutron kernel %u", blob.ptr[0]);
		r = out->str(out->handle, (struct etcore_text){ "", 0 },
		             (struct etcore_text){ text, (uint64_t)len });
	}
	return r;
}

static etcore_result parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	static const char name[] = "neutron_function_code";
	const struct etcore_event *event = call->events[index];
	etcore_result r = put_texts(event, out);
	int code = code_of(event);

	(void)self;
	if (r != ETCORE_OK || code == NO_CODE ||
	    !ETCORE_HAS(out, struct etcore_sink, begin_columns))
		return r;
	r = out->begin_columns(out->handle);
	if (r == ETCORE_OK)
		r = out->i64(out->handle, (struct etcore_text){ name, sizeof name - 1 }, code);
	return r;
}

/* Returns the number of ticks of a time scale (ETCORE_UNIT_*) in one second; 0: the scale is not a
 * time. */
static double per_second(uint32_t unit)
{
	static const double rates[] = { [ETCORE_UNIT_NS] = 1e9,
		                        [ETCORE_UNIT_US] = 1e6,
		                        [ETCORE_UNIT_MS] = 1e3,
		                        [ETCORE_UNIT_S] = 1 };

	return unit < sizeof rates / sizeof *rates ? rates[unit] : 0;
}

/* Converts ticks if the frequency is configured. Otherwise the plugin declines, because NXP's
 * example for the Inspector has no converter, either. */
static etcore_result convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out)
{
	const struct nxp *n = self;
	double rate = per_second(scales->target);
	etcore_result r = ETCORE_OK;

	(void)call;
	(void)index;
	if (n->ticks_per_second <= 0 || rate <= 0)
		return ETCORE_DECLINE;
	for (uint64_t i = 0; i < count && r == ETCORE_OK; i++)
		r = out->f64(out->handle, (double)raw[i] / (n->ticks_per_second / rate));
	return r;
}

static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	const struct nxp *n = self;

	for (uint32_t i = 0; i < call->count; i++) {
		const struct etcore_event *event = call->events[i];
		struct etcore_time *t = times[i];

		if (!(event->flags & ETCORE_EVENT_DELEGATE))
			continue;
		t->unit = ETCORE_UNIT_TICKS;
		t->clock = ETCORE_CLOCK_FOREIGN;
		t->wraps_at = 1ull << 32;
		if (n->ticks_per_second > 0)
			t->ns_per_unit = 1e9 / n->ticks_per_second;
		if (code_of(event) == PROFILING_DUMP)
			t->kind = ETCORE_KIND_INVALID;
	}
	return ETCORE_OK;
}

/* Passes the name of the event's kernel, so that there is one row per kernel. An event without a
 * function code keeps its number as its name. */
static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	const struct etcore_event *event = call->events[index];
	int code = code_of(event), len;
	char text[48];

	(void)self;
	if (!(event->flags & ETCORE_EVENT_DELEGATE) || event->delegate_id < 0)
		return ETCORE_DECLINE;
	if (code == PROFILING_DUMP)
		len = snprintf(text, sizeof text, "Profiling dump");
	else if (code == NO_CODE)
		len = snprintf(text, sizeof text, "Neutron event %lld",
		               (long long)event->delegate_id);
	else
		len = snprintf(text, sizeof text, "Neutron kernel %d", code);
	return out->put(out->handle, ETCORE_NAME_DISPLAY,
	                (struct etcore_text){ text, (uint64_t)len });
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct etcore_event *event = call->events[index];

	(void)self;
	if (!(event->flags & ETCORE_EVENT_DELEGATE) || event->delegate_id < 0 ||
	    code_of(event) == PROFILING_DUMP)
		return ETCORE_DECLINE;
	return out->put(out->handle, ETCORE_CLASS_COMPUTE_UNIT, (struct etcore_text){ "NPU", 3 });
}

/* There is no map_event, because the keys of the record's delegate map are the events' own ids. */
ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "nxp",
	.version = "1.0.0",
	.vendor = "etcore",
	.description = "kernels and the counter of NXP eIQ Neutron",
	.backends = backends,
	.options = options,
	.columns = columns,
	.open = open_instance,
	.close = close_instance,
	.probe = probe,
	.parse_metadata = parse_metadata,
	.convert_time = convert_time,
	.describe_time = describe_time,
	.name_event = name_event,
	.classify = classify,
};
