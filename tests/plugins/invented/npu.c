/* npu.c -- the plugin of an invented NPU at 1.2 GHz. Its runtime logs layers, parts of layers, and
 * tiles of parts, with times in cycles of the NPU's clock. An event's id says where it belongs:
 *
 *     conv1:conv2d    conv1:conv2d/mac    conv1:conv2d/mac/tile#3
 *
 * Its metadata says what was counted: "engine=mac busy=4711 stall=12 permille=830". */
#include "text.h"

#include <stdlib.h>

struct instance {
	double ns_per_cycle;
};

static const struct etcore_option rate = {
	.size = sizeof rate,
	.type = ETCORE_TYPE_I64,
	.name = "cycles_per_second",
	.default_value = "1200000000",
	.help = "rate of the NPU's clock, in Hz",
	.unit = "Hz",
	.least = 1000000,
	.most = 10e9,
};
static const struct etcore_option *const options[] = { &rate, NULL };

static const struct etcore_column cycles =
	ETCORE_COLUMN(ETCORE_TYPE_I64, "cycles", "cycles",
                      "cycles in which the engine was busy, mean of the runs", ETCORE_ROLLUP_SUM);
static const struct etcore_column stall_cycles =
	ETCORE_COLUMN(ETCORE_TYPE_I64, "stall_cycles", "cycles",
                      "cycles in which it waited, mean of the runs", ETCORE_ROLLUP_SUM);
static const struct etcore_column utilization = {
	.size = sizeof utilization,
	.type = ETCORE_TYPE_F64,
	.name = "utilization",
	.help = "share of its time in which the engine computed, mean of the runs",
	.rollup = ETCORE_ROLLUP_NONE,
	.rollup_1_1 = ETCORE_ROLLUP_TIME_MEAN,
};
static const struct etcore_column engine = ETCORE_COLUMN(
	ETCORE_TYPE_STR, "engine", NULL, "part of the NPU that worked", ETCORE_ROLLUP_SET);
static const struct etcore_column layer = ETCORE_COLUMN(
	ETCORE_TYPE_STR, "layer", NULL, "layer of the NPU's graph", ETCORE_ROLLUP_SET);
static const struct etcore_column *const columns[] = { &cycles, &stall_cycles, &utilization,
	                                               &engine, &layer,        NULL };

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct instance *a = calloc(1, sizeof *a);
	uint64_t hz = 0;

	(void)host;
	if (!a)
		return ETCORE_NOMEM;
	for (uint32_t i = 0; i < count; i++)
		if (same(settings[i]->name, text_of(rate.name)))
			number_of(settings[i]->value, &hz);
	a->ns_per_cycle = hz ? 1e9 / (double)hz : 0;
	*self = a;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	free(self);
}

/* Splits an event's id into the layer `of` before the colon, and the rest `what`. Returns 0 if it
 * is not an id of this backend. */
static int read_id(const struct etcore_event *e, struct etcore_text *of, struct etcore_text *what)
{
	struct etcore_text id = e->delegate_name;
	const char *colon = id.len ? memchr(id.ptr, ':', (size_t)id.len) : NULL;

	if (!colon || colon == id.ptr || colon + 1 == id.ptr + id.len || !is_printable(id))
		return 0;
	*of = (struct etcore_text){ id.ptr, (uint64_t)(colon - id.ptr) };
	*what = (struct etcore_text){ colon + 1, id.len - of->len - 1 };
	return 1;
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	struct etcore_text of, what;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		const struct etcore_event *e = call->events[i];

		if (read_id(e, &of, &what) && e->metadata && e->samples &&
		    value_of(e->metadata[0], TEXT("engine")).len)
			return 90;
	}
	return 0;
}

static etcore_result put_mean(const struct etcore_sink *out, const struct etcore_event *e,
                              struct etcore_text key, const char *column)
{
	int64_t v;

	return mean_of(e, key, &v) ? out->i64(out->handle, text_of(column), v) : ETCORE_OK;
}

static etcore_result parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	const struct etcore_event *e = call->events[index];
	struct etcore_text of, what, value;
	etcore_result r = ETCORE_OK;
	int64_t permille;

	(void)self;
	if (!read_id(e, &of, &what))
		return ETCORE_DECLINE;
	r = put_mean(out, e, TEXT("busy"), cycles.name);
	r = r ? r : put_mean(out, e, TEXT("stall"), stall_cycles.name);
	if (!r && mean_of(e, TEXT("permille"), &permille))
		r = out->f64(out->handle, text_of(utilization.name), (double)permille / 1000);
	value = e->metadata && e->samples ? value_of(e->metadata[0], TEXT("engine"))
	                                  : (struct etcore_text){ NULL, 0 };
	if (!r && value.len && is_printable(value))
		r = out->str(out->handle, text_of(engine.name), value);
	return r ? r : out->str(out->handle, text_of(layer.name), of);
}

static etcore_result convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out)
{
	static const double per[] = { [ETCORE_UNIT_NS] = 1,
		                      [ETCORE_UNIT_US] = 1e3,
		                      [ETCORE_UNIT_MS] = 1e6,
		                      [ETCORE_UNIT_S] = 1e9 };
	struct etcore_text of, what;
	etcore_result r = ETCORE_OK;

	if (!read_id(call->events[index], &of, &what) || scales->target < ETCORE_UNIT_NS ||
	    scales->target > ETCORE_UNIT_S)
		return ETCORE_DECLINE;
	for (uint64_t i = 0; i < count && !r; i++)
		r = out->f64(out->handle, (double)raw[i] * ((struct instance *)self)->ns_per_cycle /
		                                  per[scales->target]);
	return r;
}

/* Returns the index of the parent of event `index`: the event whose id is the longest prefix of its
 * id that ends before a '/'. Returns ETCORE_PARENT_CALL if there is none. */
static int32_t parent_of(const struct etcore_call *call, uint32_t index)
{
	struct etcore_text id = call->events[index]->delegate_name;

	while (id.len > 0) {
		if (id.ptr[--id.len] != '/')
			continue;
		for (uint32_t i = 0; i < call->count; i++)
			if (i != index && same(call->events[i]->delegate_name, id))
				return (int32_t)i;
	}
	return ETCORE_PARENT_CALL;
}

static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	struct etcore_text of, what;

	for (uint32_t i = 0; i < call->count; i++) {
		if (!read_id(call->events[i], &of, &what))
			continue;
		times[i]->unit = ETCORE_UNIT_CYCLES;
		times[i]->clock = ETCORE_CLOCK_FOREIGN;
		times[i]->ns_per_unit = ((struct instance *)self)->ns_per_cycle;
		/* this NPU's ids are short; no parent is searched for the long ids of hostile
		 * files */
		times[i]->parent = call->events[i]->delegate_name.len < 100 ? parent_of(call, i)
		                                                            : ETCORE_PARENT_CALL;
	}
	return ETCORE_OK;
}

/* Names all tiles of a part alike, "conv2d/mac/tile"; the tile's number becomes the event's
 * ordinal. */
static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	struct etcore_text of, what, number;
	uint64_t ordinal;
	const char *hash;
	etcore_result r;

	(void)self;
	if (!read_id(call->events[index], &of, &what))
		return ETCORE_DECLINE;
	hash = memchr(what.ptr, '#', (size_t)what.len);
	if (!hash || hash == what.ptr)
		return out->put(out->handle, ETCORE_NAME_DISPLAY, what);
	number = (struct etcore_text){ hash + 1, what.len - 1 - (uint64_t)(hash - what.ptr) };
	what.len -= number.len + 1;
	r = out->put(out->handle, ETCORE_NAME_DISPLAY, what);
	if (!r && number.len < 10 && number_of(number, &ordinal))
		r = out->put_number(out->handle, ETCORE_NAME_ORDINAL, (int64_t)ordinal + 1);
	return r;
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	static const struct {
		struct etcore_text begin, category;
	} words[] = { { { "conv2d", 6 }, { "convolution", 11 } },
		      { { "matmul", 6 }, { "gemm", 4 } },
		      { { "softmax", 7 }, { "activation", 10 } } };
	struct etcore_text of, what;
	etcore_result r = ETCORE_OK;

	(void)self;
	if (!read_id(call->events[index], &of, &what))
		return ETCORE_DECLINE;
	for (size_t i = 0; i < sizeof words / sizeof *words && !r; i++)
		if (what.len >= words[i].begin.len &&
		    memcmp(what.ptr, words[i].begin.ptr, (size_t)words[i].begin.len) == 0)
			r = out->put(out->handle, ETCORE_CLASS_CATEGORY, words[i].category);
	return r ? r : out->put(out->handle, ETCORE_CLASS_COMPUTE_UNIT, TEXT("NPU"));
}

static const char *const backends[] = { "NpuBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "npu",
	.version = "1.0",
	.vendor = "tests",
	.description = "an NPU at 1.2 GHz whose layers consist of steps and tiles",
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
