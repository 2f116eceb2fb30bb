/* plugin.c -- the xnnpack plugin: what the events of an XNNPACK delegate are.
 *
 * ExecuTorch's XNNProfiler logs, after the call, one event per operator: its
 * name (names.h) and whole microseconds, cut off, laid end to end from the start
 * of the call. There is no metadata, and the times use the runtime's clock, so
 * parse_metadata and convert_time have nothing to add and stay NULL. Which node of
 * the program an event is stands in the delegate's blob (align.h). */
#include "align.h"
#include "names.h"
#include "operators.h"

#include <stdlib.h>
#include <string.h>

/* The alignment of the call that was asked about last: events are asked for one
 * by one, and all of a call are found at once. */
struct instance {
	uint64_t key; /* of the call; 0: none */
	uint32_t *handles, count;
};

static const char *const backends[] = { "XnnpackBackend", NULL };

static bool parse(const struct etcore_event *event, struct xnnpack_name *name)
{
	return event->flags & ETCORE_EVENT_DELEGATE && event->delegate_id == -1 &&
	       xnnpack_name_parse(event->delegate_name, name);
}

/* Most of the call's delegate events must have a typical name. */
static int32_t probe(void *self, const struct etcore_call *call)
{
	uint64_t asked = 0, hits = 0;
	struct xnnpack_name name;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
			continue;
		asked++;
		hits += parse(call->events[i], &name) && xnnpack_name_is_typical(&name);
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

static etcore_result put_word(const struct etcore_text_sink *out, uint32_t field, const char *word)
{
	return put(out, field, (struct etcore_text){ word, word ? strlen(word) : 0 });
}

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	struct xnnpack_name name;
	etcore_result r;

	(void)self;
	if (!parse(call->events[index], &name))
		return ETCORE_DECLINE;
	r = put(out, ETCORE_NAME_DISPLAY, name.display);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_NAME_OPERATOR, name.operator_name);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_NAME_LAYOUT, name.layout);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_NAME_TYPES, name.types);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_NAME_KERNEL, name.kernel);
	if (r == ETCORE_OK)
		r = out->put_number(out->handle, ETCORE_NAME_ORDINAL, name.ordinal);
	return r;
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	struct xnnpack_class class;
	struct xnnpack_name name;
	etcore_result r;

	(void)self;
	if (!parse(call->events[index], &name))
		return ETCORE_DECLINE;
	xnnpack_classify(&name, &class);
	r = put_word(out, ETCORE_CLASS_COMPUTE_UNIT, "CPU");
	if (r == ETCORE_OK)
		r = put_word(out, ETCORE_CLASS_CATEGORY, class.category);
	if (r == ETCORE_OK)
		r = put_word(out, ETCORE_CLASS_PRECISION, class.precision);
	if (r == ETCORE_OK)
		r = put_word(out, ETCORE_CLASS_VARIANT, class.variant);
	if (r == ETCORE_OK)
		r = out->put_number(out->handle, ETCORE_CLASS_IS_MATRIX, class.is_matrix);
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
	*self = calloc(1, sizeof(struct instance));
	return *self ? ETCORE_OK : ETCORE_NOMEM;
}

static void close_instance(void *self)
{
	struct instance *in = self;

	free(in->handles);
	free(in);
}

static uint64_t mix(uint64_t hash, const void *bytes, uint64_t len)
{
	const uint8_t *p = bytes;
	uint64_t word;

	for (; len >= sizeof word; len -= sizeof word, p += sizeof word) {
		memcpy(&word, p, sizeof word);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	for (word = len; len--; p++)
		word = word << 8 | *p;
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* What the call consists of: every name, and the head of the blob with its place. */
static uint64_t key_of(const struct etcore_call *call)
{
	uint64_t head = call->processed.len < 4096 ? call->processed.len : 4096;
	uint64_t place[] = { call->count, (uintptr_t)call->processed.ptr, call->processed.len };
	uint64_t hash = mix(1, place, sizeof place);

	hash = mix(hash, call->processed.ptr, head);
	for (uint32_t i = 0; i < call->count; i++)
		hash = mix(hash, call->events[i]->delegate_name.ptr,
		           call->events[i]->delegate_name.len);
	return hash ? hash : 1;
}

/* Aligns the call's events; what cannot be told gets no handle. */
static etcore_result align(struct instance *in, const struct etcore_call *call)
{
	struct xnnpack_name *names = calloc((size_t)call->count + 1, sizeof *names);
	uint32_t *at = calloc((size_t)call->count + 1, sizeof *at), *handles, n = 0;
	struct xnnpack_blob blob;

	free(in->handles);
	in->key = 0;
	in->count = call->count;
	in->handles = calloc((size_t)call->count + 1, sizeof *in->handles);
	handles = calloc((size_t)call->count + 1, sizeof *handles);
	if (names && at && handles && in->handles) {
		for (uint32_t i = 0; i < call->count; i++)
			if (parse(call->events[i], &names[n]))
				at[n++] = i;
		if (xnnpack_blob_read(call->processed, &blob)) {
			if (xnnpack_align(names, n, &blob, handles))
				for (uint32_t i = 0; i < n; i++)
					in->handles[at[i]] = handles[i];
			xnnpack_blob_release(&blob);
		}
		in->key = key_of(call);
	}
	free(names);
	free(at);
	free(handles);
	return in->key ? ETCORE_OK : ETCORE_NOMEM;
}

static etcore_result map_event(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_map_sink *out)
{
	struct instance *in = self;
	struct xnnpack_name name;
	etcore_result r = ETCORE_OK;

	if (!call->processed.len || !parse(call->events[index], &name))
		return ETCORE_DECLINE;
	if (in->key == 0 || in->count != call->count || in->key != key_of(call))
		r = align(in, call);
	if (r != ETCORE_OK || !in->handles[index])
		return r == ETCORE_OK ? ETCORE_DECLINE : r;
	return out->debug_handle(out->handle, in->handles[index]);
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
