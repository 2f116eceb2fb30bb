/* converters.c -- the time converters of hooks.h.
 *
 * Python divides an integer by an integer exactly and rounds the quotient once. To divide an
 * integer by a float, it rounds the integer to a float first. The Python functions do both, and the
 * results differ above 2^53 ticks. */
#include "hooks.h"

#include "divide.h"

#include <stdbool.h>
#include <string.h>

/* Returns what the Python functions get as str(delegate id). An integer id becomes an empty text
 * here, because the converters only look for prefixes and suffixes that are not digits. */
static struct etcore_text id_of(const struct etcore_event *event)
{
	if (event->delegate_id != -1)
		return (struct etcore_text){ "", 0 }; /* an integer */
	return event->delegate_name;
}

static bool ends_with(struct etcore_text text, const char *suffix)
{
	size_t len = strlen(suffix);

	return text.len >= len && memcmp(text.ptr + (text.len - len), suffix, len) == 0;
}

/* Passes an integer that Python returns unchanged. An integer above INT64_MAX is passed as a
 * double. */
static etcore_result put_integer(const struct etcore_number_sink *out, uint64_t value)
{
	if (value <= INT64_MAX)
		return out->i64(out->handle, (int64_t)value);
	return out->f64(out->handle, (double)value);
}

/* The conversion of one event's times. */
struct rule {
	enum { KEEP, HALVE, DIVIDE_INTEGER, DIVIDE_FLOAT, RESCALE_TICK } how;
	uint32_t by;
};

static etcore_result convert(struct rule rule, const uint64_t *raw, uint64_t count,
                             const struct etcore_number_sink *out)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t t = raw[i];
		etcore_result r = ETCORE_FAILED;

		switch (rule.how) {
		case KEEP:
			r = put_integer(out, t);
			break;
		case HALVE:
			r = put_integer(out, t / 2);
			break;
		case DIVIDE_INTEGER:
			r = out->f64(out->handle, python_true_divide(t, rule.by));
			break;
		case DIVIDE_FLOAT:
			r = out->f64(out->handle, (double)t / (double)rule.by);
			break;
		case RESCALE_TICK:
			r = out->f64(out->handle, (double)t * 52.08 / 52.0 / 1e6);
			break;
		}
		if (r != ETCORE_OK)
			return r;
	}
	return ETCORE_OK;
}

/* Defines a converter whose rule is `expr`; `expr` may use `id`. */
#define CONVERTER(name, expr)                                                                    \
	etcore_result convert_##name(void *self, const struct etcore_call *call, uint32_t index, \
	                             const struct etcore_scales *scales, const uint64_t *raw,    \
	                             uint64_t count, const struct etcore_number_sink *out)       \
	{                                                                                        \
		struct etcore_text id = id_of(call->events[index]);                              \
                                                                                                 \
		(void)self;                                                                      \
		(void)scales;                                                                    \
		(void)id;                                                                        \
		return convert(expr, raw, count, out);                                           \
	}

#define RULE(how, by) ((struct rule){ how, by })

static struct rule qnn_cycles(struct etcore_text id)
{
	if (ends_with(id, " (us)") || ends_with(id, " (bytes)") || ends_with(id, " (count)"))
		return RULE(KEEP, 0);
	return RULE(DIVIDE_INTEGER, 1000);
}

CONVERTER(identity, RULE(KEEP, 0))
CONVERTER(half, RULE(HALVE, 0))
CONVERTER(us_to_ms, RULE(DIVIDE_INTEGER, 1000))
CONVERTER(ns_to_ms, RULE(DIVIDE_INTEGER, 1000000))
CONVERTER(cycles_1ghz_to_ms, RULE(DIVIDE_FLOAT, 1000000))
CONVERTER(qnn_suffix_to_ms, ends_with(id, " (us)") ? RULE(DIVIDE_INTEGER, 1000) : RULE(KEEP, 0))
CONVERTER(qnn_cycles_1ghz_to_us, qnn_cycles(id))
CONVERTER(vulkan_52_08,
          id.len > 0 && *id.ptr == '{' ? RULE(RESCALE_TICK, 0) : RULE(DIVIDE_FLOAT, 1000000))
CONVERTER(neutron_ticks_to_us, RULE(DIVIDE_FLOAT, 800))
