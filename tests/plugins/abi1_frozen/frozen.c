/* frozen.c -- a plugin of ABI 1.0: every hook, every function of every sink and
 * every field of what the host hands over, once. Needs nothing, not even libc.
 *
 * Built with the header beside it, which is etcore/plugin.h as it was when the
 * ABI was frozen. Neither this file nor that header is ever changed: README.md.
 * With FROZEN_NOTES it is the annotator that goes with it. */
#include "plugin.h"

#define TEXT(s) ((struct etcore_text){ (s), sizeof(s) - 1 })

static int starts(struct etcore_text t, const char *with)
{
	uint64_t i = 0;

	for (; with[i]; i++)
		if (i >= t.len || t.ptr[i] != with[i])
			return 0;
	return 1;
}

static int ends(struct etcore_text t, const char *with, uint64_t len)
{
	return t.len >= len && starts((struct etcore_text){ t.ptr + (t.len - len), len }, with);
}

/* "ios17.conv" of {"operatorName":"ios17.conv",...}: up to the next quote. */
static struct etcore_text behind(struct etcore_bytes b, const char *key, uint64_t len)
{
	struct etcore_text t = { (const char *)b.ptr, b.len };

	for (; t.len > len; t.ptr++, t.len--)
		if (starts(t, key)) {
			uint64_t n = 0;

			t.ptr += len;
			t.len -= len;
			while (n < t.len && t.ptr[n] != '"')
				n++;
			return (struct etcore_text){ t.ptr, n };
		}
	return (struct etcore_text){ "", 0 };
}

#define BEHIND(b, key) behind(b, key, sizeof(key) - 1)

#ifndef FROZEN_NOTES

/* ---- an instance: the options, in the pointer itself --------------------------------- */

enum { LOUD = 1, SET = 2 }; /* and the factor above */

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	uintptr_t state = SET;

	if (!ETCORE_HAS(host, struct etcore_host, diagnose) || !host->diagnose)
		return ETCORE_FAILED;
	for (uint32_t i = 0; i < count; i++) {
		struct etcore_text name = settings[i]->name, value = settings[i]->value;

		if (settings[i]->size < sizeof *settings[i])
			return ETCORE_FAILED;
		if (starts(name, "loud"))
			state |= starts(value, "yes") ? LOUD : 0;
		if (starts(name, "factor") && value.len && value.ptr[0] >= '0' &&
		    value.ptr[0] <= '9')
			state |= (uintptr_t)(value.ptr[0] - '0') << 2;
	}
	*self = (void *)state;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	(void)self;
}

static unsigned factor(void *self)
{
	return (unsigned)((uintptr_t)self >> 2);
}

/* ---- hooks -------------------------------------------------------------------------------- */

static int32_t probe(void *self, const struct etcore_call *call)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++)
		if (starts(call->events[i]->delegate_name, "frozen:"))
			return 100;
	return 0;
}

/* The first byte of each run, and columns besides. */
static etcore_result parse_list(const struct etcore_event *e, const struct etcore_sink *out)
{
	void *h = out->handle;
	etcore_result r = out->begin_list(h);

	for (uint64_t i = 0; i < e->samples && r == ETCORE_OK; i++)
		r = e->metadata && e->metadata[i].len ? out->i64(h, TEXT(""), e->metadata[i].ptr[0])
		                                      : out->null(h, TEXT(""));
	r = r ? r : out->json_bytes(h, TEXT(""), TEXT("{\"raw\": b\"AQID\"}"));
	r = r ? r : out->begin_columns(h);
	return r ? r : out->i64(h, TEXT("frozen_length"), (int64_t)e->samples);
}

static etcore_result parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	const struct etcore_event *e = call->events[index];
	void *h = out->handle;
	struct etcore_text name;
	etcore_result r;

	if (e->size < sizeof *e || call->size < sizeof *call || out->size < sizeof *out)
		return ETCORE_FAILED;
	if (e->delegate_id != -1)
		return parse_list(e, out);
	if (!e->metadata)
		return ETCORE_DECLINE;
	if (e->metadata[0].len && e->metadata[0].ptr[0] == '!')
		return ETCORE_CORRUPT;
	name = BEHIND(e->metadata[0], "\"operatorName\":\"");
	if (name.len == 0)
		return ETCORE_DECLINE;
	for (uint64_t i = 0; i < name.len; i++)
		if (name.ptr[i] < ' ' || name.ptr[i] > '~' || name.ptr[i] == '\\')
			return ETCORE_DECLINE;
	r = out->str(h, TEXT("frozen_operator"), name);
	r = r ? r : out->i64(h, TEXT("frozen_length"), (int64_t)name.len * factor(self));
	r = r ? r : out->f64(h, TEXT("frozen_half"), (double)name.len / 2);
	r = r ? r : out->boolean(h, TEXT("frozen_conv"), ends(name, "conv", 4));
	r = r ? r : out->null(h, TEXT("frozen.nothing"));
	r = r ? r : out->json(h, TEXT("frozen.json"), TEXT("[1, {\"a\": null}]"));
	return r ? r : out->json_bytes(h, TEXT("frozen.bytes"), TEXT("b\"/wAh\""));
}

/* Integers for events that begin with "aten_", else doubles; the others are the host's. */
static etcore_result convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out)
{
	const struct etcore_event *e = call->events[index];
	etcore_result r = ETCORE_OK;

	(void)self;
	if (scales->source == ETCORE_UNIT_CYCLES || scales->target == ETCORE_UNIT_CYCLES)
		return ETCORE_DECLINE;
	for (uint64_t i = 0; i < count && r == ETCORE_OK; i++)
		r = starts(e->delegate_name, "aten_")
		            ? out->i64(out->handle, (int64_t)(raw[i] / 1000))
		            : out->f64(out->handle, (double)raw[i] / scales->factor);
	return r;
}

static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		const struct etcore_event *e = call->events[i];

		if (times[i]->size < sizeof *times[i])
			return ETCORE_FAILED;
		if (!(e->flags & ETCORE_EVENT_DELEGATE))
			continue; /* the DELEGATE_CALL: as the host filled it in */
		times[i]->kind = ETCORE_KIND_OP;
		times[i]->unit = ETCORE_UNIT_TICKS;
		times[i]->ns_per_unit = 2;
		times[i]->clock = ETCORE_CLOCK_FOREIGN;
		times[i]->start = ETCORE_START_MEASURED;
		times[i]->duration = ETCORE_DURATION_MEASURED;
		times[i]->rounding = ETCORE_ROUNDING_TRUNCATED;
		times[i]->parent = ETCORE_PARENT_CALL;
		times[i]->resolution = 10;
		times[i]->wraps_at = 0;
	}
	return ETCORE_OK;
}

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	const struct etcore_event *e = call->events[index];
	struct etcore_text name = e->delegate_name;
	void *h = out->handle;
	etcore_result r;

	(void)self;
	if (!starts(name, "aten_"))
		return ETCORE_DECLINE;
	for (uint64_t i = 0; i < name.len; i++)
		if (name.ptr[i] < ' ' || name.ptr[i] > '~')
			return ETCORE_DECLINE;
	r = out->put(h, ETCORE_NAME_DISPLAY,
	             ends(name, "conv", 4) ? TEXT("a frozen convolution") : TEXT("frozen"));
	r = r ? r : out->put(h, ETCORE_NAME_OPERATOR, name);
	r = r ? r
	      : out->put(h, ETCORE_NAME_LAYOUT,
	                 call->flags & ETCORE_CALL_DYNAMIC_SHAPES ? TEXT("any") : TEXT("NHWC"));
	r = r ? r : out->put(h, ETCORE_NAME_TYPES, TEXT("F32, F32"));
	r = r ? r : out->put_number(h, ETCORE_NAME_ORDINAL, (int64_t)index + 1);
	return r ? r : out->put(h, ETCORE_NAME_KERNEL, TEXT("IGEMM"));
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct etcore_event *e = call->events[index];
	void *h = out->handle;
	etcore_result r;

	(void)self;
	if (!starts(e->delegate_name, "aten_"))
		return ETCORE_DECLINE;
	r = out->put(h, ETCORE_CLASS_CATEGORY,
	             ends(e->delegate_name, "conv", 4) ? TEXT("convolution") : TEXT("elementwise"));
	r = r ? r : out->put(h, ETCORE_CLASS_COMPUTE_UNIT, TEXT("NPU"));
	return r ? r : out->put(h, ETCORE_CLASS_PRECISION, TEXT("fp32"));
}

/* Convolutions have a key of the record's map, softmax handles of its own. */
static etcore_result map_event(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_map_sink *out)
{
	const struct etcore_event *e = call->events[index];
	etcore_result r;

	(void)self;
	for (uint64_t i = 0; i < e->delegate_name.len; i++)
		if (e->delegate_name.ptr[i] < ' ' || e->delegate_name.ptr[i] > '~')
			return ETCORE_DECLINE;
	if (ends(e->delegate_name, ":conv", 5))
		return out->key(out->handle, e->delegate_name);
	if (ends(e->delegate_name, ":softmax", 8)) {
		r = out->debug_handle(out->handle, 1);
		return r ? r : out->debug_handle(out->handle, 2);
	}
	if (ends(e->delegate_name, ":relu", 5))
		return out->not_edge_handles(out->handle);
	return ETCORE_DECLINE;
}

static const void *get_extension(const char *id)
{
	static const char greeting[] = "frozen";

	return starts((struct etcore_text){ id, id[0] ? 8 : 0 }, "frozen/1") ? greeting : 0;
}

/* ---- the descriptor --------------------------------------------------------------------------- */

static const struct etcore_option loud = { sizeof loud, ETCORE_TYPE_BOOL, "loud", "no",
	                                   "yes or no" },
				  times = { sizeof times, ETCORE_TYPE_I64, "factor", "2",
	                                    "of frozen_length" },
				  tag = { sizeof tag, ETCORE_TYPE_STR, "tag", 0, "any text" },
				  share = { sizeof share, ETCORE_TYPE_F64, "share", "0.5",
	                                    "0 to 1" },
				  more = { sizeof more, ETCORE_TYPE_JSON, "more", "{}",
	                                   "anything" };
static const struct etcore_option *const options[] = { &loud, &times, &tag, &share, &more, 0 };

#define COLUMN(id, type, name, unit, help, rollup) \
	static const struct etcore_column id = { sizeof id, type, name, unit, help, rollup, 0 }
COLUMN(operator_, ETCORE_TYPE_STR, "frozen_operator", 0, "the operator's name",
       ETCORE_ROLLUP_FIRST);
COLUMN(length, ETCORE_TYPE_I64, "frozen_length", "bytes", "of the name", ETCORE_ROLLUP_SUM);
COLUMN(half, ETCORE_TYPE_F64, "frozen_half", "", "half of it", ETCORE_ROLLUP_SET);
COLUMN(conv, ETCORE_TYPE_BOOL, "frozen_conv", "", "a convolution", ETCORE_ROLLUP_NONE);
COLUMN(family, ETCORE_TYPE_JSON, "frozen.*", "", "a family", ETCORE_ROLLUP_FIRST);
static const struct etcore_column *const columns[] = {
	&operator_, &length, &half, &conv, &family, 0
};

static const char *const backends[] = { "CoreMLBackend", "FrozenBackend", 0 };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "frozen",
	.version = "1.0.0",
	.vendor = "etcore",
	.description = "a plugin of ABI 1.0",
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
	.map_event = map_event,
	.get_extension = get_extension,
};

#else

/* ---- the annotator -------------------------------------------------------------------------------- */

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	(void)settings, (void)count;
	*self = (void *)(uintptr_t)host;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	(void)self;
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct etcore_event *e = call->events[index];
	const struct etcore_facts *f = e->facts;
	const struct etcore_host *host = self;
	void *h = out->handle;
	etcore_result r;

	if (!f || f->size < sizeof *f || !starts(f->owner, "frozen") || f->ordinal < 1 ||
	    !starts(f->backend, "CoreMLBackend") || !starts(f->display, "a frozen convolution") ||
	    !starts(f->layout, "NHWC") || !starts(f->types, "F32, F32") ||
	    !starts(f->kernel, "IGEMM") || !starts(f->category, "convolution") ||
	    !starts(f->compute_unit, "NPU") || !starts(f->precision, "fp32"))
		return ETCORE_DECLINE;
	host->diagnose(host->handle,
	               f->ordinal == 1 ? ETCORE_SEVERITY_NOTE : ETCORE_SEVERITY_WARNING,
	               TEXT("a convolution, says the frozen annotator"));
	r = out->put(h, ETCORE_CLASS_KERNEL_LIBRARY, TEXT("frozen library"));
	r = r ? r : out->put_number(h, ETCORE_CLASS_LIBRARY_RAN, ETCORE_RAN_YES);
	r = r ? r : out->put(h, ETCORE_CLASS_LIBRARY_WHY, TEXT("F32"));
	r = r ? r : out->put(h, ETCORE_CLASS_ISA, TEXT("SME2"));
	r = r ? r : out->put(h, ETCORE_CLASS_CANONICAL, f->operator_name);
	r = r ? r : out->put(h, ETCORE_CLASS_VARIANT, TEXT("conv fp32"));
	r = r ? r : out->put_number(h, ETCORE_CLASS_IS_MATRIX, 1);
	return r ? r : out->put(h, ETCORE_CLASS_MICROKERNEL, TEXT("frozen_ukernel"));
}

static const char *const backends[] = { "CoreMLBackend", 0 };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_ANNOTATOR,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "frozen_notes",
	.version = "1.0.0",
	.vendor = "etcore",
	.description = "an annotator of ABI 1.0",
	.backends = backends,
	.open = open_instance,
	.close = close_instance,
	.classify = classify,
};

#endif
