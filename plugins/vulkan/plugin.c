/* plugin.c -- the vulkan plugin: explains the events of a Vulkan delegate.
 *
 * It gets names and columns (metadata.h) from the ids of events (id.h), which have the operator,
 * the shader and the node of the delegate. Times are on two clocks (time.h). */
#include "../aten/aten.h"
#include "metadata.h"
#include "time.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 400

static const char *const backends[] = { "VulkanBackend", NULL };

static const struct etcore_option timestamp_period = ETCORE_OPTION(
	ETCORE_TYPE_F64, "timestamp_period", "0",
	"true length of a tick of the GPU's clock in ns (timestampPeriod); the runtime took it "
	"rounded; 0: unknown");
static const struct etcore_option *const options[] = { &timestamp_period, NULL };

static bool is(struct etcore_text t, const char *word)
{
	return t.len == strlen(word) && memcmp(t.ptr, word, (size_t)t.len) == 0;
}

/* Parses a number. The text comes from the INI file, with a decimal point, but strtod() expects the
 * one of the process's locale, which may be a comma. */
static double number_of(struct etcore_text value)
{
	const char *point = localeconv()->decimal_point;
	char text[80];
	size_t len = 0;

	for (uint64_t i = 0; i < value.len; i++) {
		const char *from = value.ptr[i] == '.' ? point : value.ptr + i;
		size_t n = value.ptr[i] == '.' ? strlen(point) : 1;

		if (n >= sizeof text - len)
			return 0;
		memcpy(text + len, from, n);
		len += n;
	}
	text[len] = '\0';
	return strtod(text, NULL);
}

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct vulkan *v = calloc(1, sizeof *v);

	(void)host;
	if (!v)
		return ETCORE_NOMEM;
	vulkan_set_period(v, 0);
	for (uint32_t i = 0; i < count; i++)
		if (is(settings[i]->name, timestamp_period.name))
			vulkan_set_period(v, number_of(settings[i]->value));
	*self = v;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	free(self);
}

/* Is the event on another clock than its call? This is assumed if, in the first sample, the event
 * starts after the end of the call. */
static bool far_off(const struct etcore_event *event, const struct etcore_event *call)
{
	return call && call->samples > 0 && event->samples > 0 && event->start && call->end &&
	       event->start[0] > call->end[0];
}

/* Returns a score that grows with the share of delegate events with ids of this backend. Ids of the
 * older form are not specific to Vulkan: an event with such an id counts only if it is not on the
 * runtime's clock, and the score is then 40 or 0. */
static int32_t probe(void *self, const struct etcore_call *call)
{
	const struct etcore_event *around = NULL;
	uint64_t asked = 0, hits = 0, legacy = 0;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++)
		if (call->events[i]->flags & ETCORE_EVENT_DELEGATE_CALL)
			around = call->events[i];
	for (uint32_t i = 0; i < call->count; i++) {
		const struct etcore_event *e = call->events[i];
		struct vulkan_id id = vulkan_id_of(e);

		if (!(e->flags & ETCORE_EVENT_DELEGATE))
			continue;
		asked++;
		hits += id.kind == VULKAN_HOST || id.kind == VULKAN_SHADER;
		legacy += id.kind == VULKAN_LEGACY && far_off(e, around);
	}
	if (hits * 2 > asked)
		return (int32_t)(hits * 95 / asked);
	return (hits + legacy) * 10 > asked * 9 ? 40 : 0;
}

static etcore_result put(const struct etcore_text_sink *out, uint32_t field, const char *text)
{
	if (!text || !*text)
		return ETCORE_OK;
	return out->put(out->handle, field, (struct etcore_text){ text, strlen(text) });
}

static etcore_result put_text(const struct etcore_text_sink *out, uint32_t field,
                              struct etcore_text text)
{
	return text.len ? out->put(out->handle, field, text) : ETCORE_OK;
}

/* Passes the display name "operator (shader)", so that all dispatches of an operator's shader are
 * in one row. */
static etcore_result put_display(const struct vulkan_id *id, const struct etcore_text_sink *out)
{
	char display[TEXT_MAX];
	int len;

	if (!id->operator_name.len || id->operator_name.len + id->kernel.len + 4 > sizeof display)
		return put_text(out, ETCORE_NAME_DISPLAY, id->kernel);
	len = snprintf(display, sizeof display, "%.*s (%.*s)", (int)id->operator_name.len,
	               id->operator_name.ptr, (int)id->kernel.len, id->kernel.ptr);
	return out->put(out->handle, ETCORE_NAME_DISPLAY,
	                (struct etcore_text){ display, (uint64_t)len });
}

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	struct vulkan_id id = vulkan_id_of(call->events[index]);
	char types[TEXT_MAX];
	etcore_result r;

	(void)self;
	if (!id.kernel.len)
		return ETCORE_DECLINE;
	r = put_display(&id, out);
	if (r == ETCORE_OK)
		r = put_text(out, ETCORE_NAME_OPERATOR, id.operator_name);
	if (r == ETCORE_OK)
		r = put_text(out, ETCORE_NAME_KERNEL, id.kernel);
	if (r == ETCORE_OK && vulkan_types(&id, types, sizeof types))
		r = put(out, ETCORE_NAME_TYPES, types);
	return r;
}

/* Returns the category of an event: that of the operator in its id; if the id has no operator, that
 * of the shader's name. The table below has the shaders that copy between tensors and images. */
static const char *category_of(const struct vulkan_id *id)
{
	static const struct {
		const char *begin, *category;
	} kernels[] = {
		{ "nchw_to_", "data movement" },
		{ "image_to_nchw", "data movement" },
		{ "buffer_to_nchw", "data movement" },
		{ "bitw8_image_to_nchw", "data movement" },
	};

	if (id->operator_name.len) {
		const char *category = aten_category(id->operator_name);

		return category ? category : aten_word_category(id->operator_name);
	}
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
		if (id->kernel.len >= strlen(kernels[i].begin) &&
		    memcmp(id->kernel.ptr, kernels[i].begin, strlen(kernels[i].begin)) == 0)
			return kernels[i].category;
	return aten_word_category(id->kernel);
}

/* Returns the precision for the type of the shader's first tensor, whose name may have any case
 * ("Float", "float"); NULL: none. */
static const char *precision_of(struct etcore_text dtype)
{
	static const struct {
		const char *dtype, *precision;
	} types[] = {
		{ "float", "fp32" },   { "half", "fp16" },   { "char", "int8" },
		{ "qint8", "int8" },   { "int8x4", "int8" }, { "byte", "uint8" },
		{ "quint8", "uint8" },
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		uint64_t n = 0;

		while (n < dtype.len && types[i].dtype[n] &&
		       (dtype.ptr[n] == types[i].dtype[n] ||
		        dtype.ptr[n] == types[i].dtype[n] - 'a' + 'A'))
			n++;
		if (n == dtype.len && !types[i].dtype[n])
			return types[i].precision;
	}
	return NULL;
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	struct vulkan_id id = vulkan_id_of(call->events[index]);
	etcore_result r;

	(void)self;
	if (id.kind == VULKAN_HOST && id.step.len > 5 && memcmp(id.step.ptr, "COPY_", 5) == 0)
		return put(out, ETCORE_CLASS_CATEGORY, "data movement");
	if (id.kind != VULKAN_SHADER && id.kind != VULKAN_LEGACY)
		return ETCORE_DECLINE;
	r = put(out, ETCORE_CLASS_CATEGORY, category_of(&id));
	if (r == ETCORE_OK)
		r = put(out, ETCORE_CLASS_COMPUTE_UNIT, "GPU");
	return r == ETCORE_OK ? put(out, ETCORE_CLASS_PRECISION, precision_of(id.first_dtype)) : r;
}

/* Passes to the sink the node number that the event's id contains. It is the event's key in the
 * record's delegate map. Also reports that the values of this map are not debug handles of the
 * exported graph, but node numbers of the delegate's own graph, because the exporter renumbered the
 * nodes. */
static etcore_result map_event(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_map_sink *out)
{
	struct vulkan_id id = vulkan_id_of(call->events[index]);
	char key[24];
	etcore_result r;
	int len;

	(void)self;
	if (id.kind == VULKAN_OTHER)
		return ETCORE_DECLINE;
	r = out->not_edge_handles(out->handle);
	if (r != ETCORE_OK || id.node < 0)
		return r;
	len = snprintf(key, sizeof key, "%lld", (long long)id.node);
	return out->key(out->handle, (struct etcore_text){ key, (uint64_t)len });
}

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "vulkan",
	.version = "1.0.0",
	.vendor = "etcore",
	.description = "operators, shaders and clocks of Vulkan events",
	.backends = backends,
	.options = options,
	.columns = vulkan_columns,
	.open = open_instance,
	.close = close_instance,
	.probe = probe,
	.parse_metadata = vulkan_parse_metadata,
	.convert_time = vulkan_convert_time,
	.describe_time = vulkan_describe_time,
	.name_event = name_event,
	.classify = classify,
	.map_event = map_event,
};
