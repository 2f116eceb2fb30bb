/* timed.c -- an owner that describes the times of an event as the event's id asks: "conv in=0
 * ns=5/6 unit=cycles". If an id leaves out a key, the clock is foreign (a device's), the duration
 * measured, and the rest unknown.
 *
 *   in=N           the event is a part of event N of its call
 *   ns=A, ns=A/B   the length of a tick in ns
 *   unit=WORD      ns us ms s cycles ticks bytes
 *   clock=WORD     host foreign none unknown
 *   wraps=N        the value at which the device's counter starts again at 0
 *   dur=WORD       measured estimated threads parallel
 *   sync=D/H       the device's clock D and the runtime's clock H, read at the same moment */
#include <etcore/plugin.h>

#include <stdlib.h>
#include <string.h>

enum { VALUE = 48 };

/* Copies the value of ` KEY=VALUE` in the event's id to `value`, an empty text if there is no such
 * key. */
static void value_of(const struct etcore_event *e, const char *key, char value[VALUE])
{
	const struct etcore_text *id = &e->delegate_name;
	size_t len = strlen(key), n = 0;

	value[0] = '\0';
	for (size_t i = 0; i + len + 2 <= id->len; i++) {
		if (id->ptr[i] != ' ' || memcmp(id->ptr + i + 1, key, len) != 0 ||
		    id->ptr[i + 1 + len] != '=')
			continue;
		for (i += len + 2; i < id->len && id->ptr[i] != ' ' && n + 1 < VALUE; i++)
			value[n++] = id->ptr[i];
		value[n] = '\0';
		return;
	}
}

static uint32_t word(const char *text, const char *const *words, uint32_t otherwise)
{
	for (uint32_t i = 0; words[i]; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	return otherwise;
}

static double length(const char *text)
{
	char *end;
	double ns = strtod(text, &end);

	return *end == '/' ? ns / strtod(end + 1, NULL) : ns;
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	char value[VALUE];

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		value_of(call->events[i], "unit", value);
		if (value[0])
			return 90;
	}
	return 0;
}

static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	static const char *const units[] = { "unknown", "ns",    "us",    "ms", "s",
		                             "cycles",  "ticks", "bytes", NULL };
	static const char *const durations[] = { "measured", "estimated", "threads", "parallel",
		                                 NULL };
	static const char *const clocks[] = { "unknown", "host", "foreign", "none", NULL };
	char value[VALUE], *end;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		const struct etcore_event *e = call->events[i];

		if (!(e->flags & ETCORE_EVENT_DELEGATE))
			continue;
		value_of(e, "unit", value);
		times[i]->unit = word(value, units, ETCORE_UNIT_UNKNOWN);
		value_of(e, "clock", value);
		times[i]->clock = word(value, clocks, ETCORE_CLOCK_FOREIGN);
		value_of(e, "ns", value);
		times[i]->ns_per_unit = length(value);
		value_of(e, "wraps", value);
		times[i]->wraps_at = strtoull(value, NULL, 10);
		value_of(e, "dur", value);
		times[i]->duration = word(value, durations, ETCORE_DURATION_MEASURED);
		value_of(e, "sync", value);
		if (value[0] && ETCORE_HAS(times[i], struct etcore_time, sync_host)) {
			times[i]->sync_device = strtoull(value, &end, 10);
			times[i]->sync_host = strtoull(*end ? end + 1 : end, NULL, 10);
		}
		value_of(e, "in", value);
		if (value[0])
			times[i]->parent = (int32_t)strtol(value, NULL, 10);
	}
	return ETCORE_OK;
}

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	const struct etcore_text *id = &call->events[index]->delegate_name;
	size_t len = 0;

	(void)self;
	while (len < id->len && id->ptr[len] != ' ')
		len++;
	if (len == 0)
		return ETCORE_DECLINE;
	return out->put(out->handle, ETCORE_NAME_DISPLAY, (struct etcore_text){ id->ptr, len });
}

/* Passes the sum of the numbers that the samples have as metadata, 8 bytes each, and the number of
 * samples. */
static etcore_result parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	const struct etcore_event *e = call->events[index];
	int64_t sum = 0, number;
	etcore_result r;

	(void)self;
	for (uint64_t i = 0; e->metadata && i < e->samples; i++) {
		if (e->metadata[i].len != sizeof number)
			return ETCORE_DECLINE;
		memcpy(&number, e->metadata[i].ptr, sizeof number);
		sum = (int64_t)((uint64_t)sum + (uint64_t)number);
	}
	if (!e->metadata)
		return ETCORE_DECLINE;
	r = out->i64(out->handle, (struct etcore_text){ "timed_sum", 9 }, sum);
	return r ? r
	         : out->i64(out->handle, (struct etcore_text){ "timed_samples", 13 },
	                    (int64_t)e->samples);
}

#ifdef EXPANDS
#include "expands.inc"
#endif

static const struct etcore_column sum = { .size = sizeof sum,
	                                  .type = ETCORE_TYPE_I64,
	                                  .name = "timed_sum",
	                                  .help = "sum of the samples' numbers",
	                                  .rollup = ETCORE_ROLLUP_SUM };
static const struct etcore_column samples = { .size = sizeof samples,
	                                      .type = ETCORE_TYPE_I64,
	                                      .name = "timed_samples",
	                                      .help = "samples that were asked about",
	                                      .rollup = ETCORE_ROLLUP_FIRST };
static const struct etcore_column *const columns[] = { &sum, &samples, NULL };
static const char *const backends[] = { "TimedBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
#ifdef EXPANDS
	.name = "expands",
#else
	.name = "timed",
#endif
	.version = "1.0",
	.description = "events that say themselves what their numbers are",
	.backends = backends,
	.columns = columns,
	.probe = probe,
	.parse_metadata = parse_metadata,
	.describe_time = describe_time,
	.name_event = name_event,
#ifdef EXPANDS
	.open = open_it,
	.close = free,
	.expand_event = expand_event,
#endif
};
