/* dsp.c -- the plugin of an invented DSP at 800 MHz, whose events have numbers for ids, and a
 * packed struct for metadata:
 *
 * struct { uint16_t kernel, level; uint32_t tiles; uint64_t macs; float utilization; };
 *
 * Steps of a kernel are separate events, of level 2. conf/examples/dsp.ini describes the same
 * backend without code. */
#include "text.h"

enum { SIZE = 20, KERNEL_STEPS = 2 };

struct record {
	uint64_t kernel, level, tiles, macs;
	float utilization;
};

static const struct etcore_column tiles = ETCORE_COLUMN(
	ETCORE_TYPE_I64, "tiles", "count", "tiles that the kernel was cut into", ETCORE_ROLLUP_SUM);
static const struct etcore_column macs = ETCORE_COLUMN(
	ETCORE_TYPE_I64, "macs", "count", "multiply-accumulate operations", ETCORE_ROLLUP_SUM);
static const struct etcore_column utilization = {
	.size = sizeof utilization,
	.type = ETCORE_TYPE_F64,
	.name = "utilization",
	.help = "share of its time in which the unit computed",
	.rollup = ETCORE_ROLLUP_NONE,
	.rollup_1_1 = ETCORE_ROLLUP_TIME_MEAN,
};
static const struct etcore_column *const columns[] = { &tiles, &macs, &utilization, NULL };

static uint64_t little(const uint8_t *at, size_t size)
{
	uint64_t v = 0;

	while (size--)
		v = v << 8 | at[size];
	return v;
}

/* Reads the record in the first sample that has SIZE bytes of metadata or more. Returns 0 if no
 * sample has. */
static int read_record(const struct etcore_event *e, struct record *out)
{
	uint64_t i = 0;
	const uint8_t *at;
	uint32_t bits;

	if (!(e->flags & ETCORE_EVENT_DELEGATE) || !e->metadata)
		return 0;
	while (i < e->samples && e->metadata[i].len < SIZE)
		i++;
	if (i == e->samples)
		return 0;
	at = e->metadata[i].ptr;
	*out = (struct record){ little(at, 2), little(at + 2, 2), little(at + 4, 4),
		                little(at + 8, 8), 0 };
	bits = (uint32_t)little(at + 16, 4);
	memcpy(&out->utilization, &bits, sizeof bits);
	return 1;
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	uint32_t known = 0, delegate = 0;
	struct record r;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		const struct etcore_event *e = call->events[i];

		delegate += (e->flags & ETCORE_EVENT_DELEGATE) != 0;
		known += e->delegate_id >= 0 && read_record(e, &r) && r.level >= 1 &&
		         r.level <= KERNEL_STEPS;
	}
	return known > delegate / 2 ? 80 : 0;
}

static etcore_result parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	struct record of;
	etcore_result r;

	(void)self;
	if (!read_record(call->events[index], &of))
		return ETCORE_DECLINE;
	r = out->i64(out->handle, text_of(tiles.name), (int64_t)of.tiles);
	if (!r && of.macs <= INT64_MAX)
		r = out->i64(out->handle, text_of(macs.name), (int64_t)of.macs);
	if (!r && of.utilization >= 0 && of.utilization <= 1)
		r = out->f64(out->handle, text_of(utilization.name), (double)of.utilization);
	return r;
}

static etcore_result convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out)
{
	static const double per_second[] = { [ETCORE_UNIT_NS] = 1e9,
		                             [ETCORE_UNIT_US] = 1e6,
		                             [ETCORE_UNIT_MS] = 1e3,
		                             [ETCORE_UNIT_S] = 1 };
	etcore_result r = ETCORE_OK;

	(void)self;
	if (!(call->events[index]->flags & ETCORE_EVENT_DELEGATE) ||
	    scales->target < ETCORE_UNIT_NS || scales->target > ETCORE_UNIT_S)
		return ETCORE_DECLINE;
	for (uint64_t i = 0; i < count && !r; i++)
		r = out->f64(out->handle, (double)raw[i] / (8e8 / per_second[scales->target]));
	return r;
}

/* A step belongs to the kernel before it; the steps at the start of a call belong to its first
 * kernel. */
static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	int32_t kernel = ETCORE_PARENT_CALL;
	struct record of;

	(void)self;
	for (uint32_t i = call->count; i-- > 0;)
		if (read_record(call->events[i], &of) && of.level == 1)
			kernel = (int32_t)i;
	for (uint32_t i = 0; i < call->count; i++) {
		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
			continue;
		times[i]->unit = ETCORE_UNIT_CYCLES;
		times[i]->clock = ETCORE_CLOCK_FOREIGN;
		times[i]->ns_per_unit = 1.25;
		if (!read_record(call->events[i], &of))
			continue;
		if (of.level == KERNEL_STEPS)
			times[i]->parent = kernel;
		else if (of.level == 1)
			kernel = (int32_t)i;
	}
	return ETCORE_OK;
}

static const struct {
	uint64_t kernel;
	const char *name, *category;
} kernels[] = { { 1, "conv", "convolution" },
	        { 2, "gemm", "gemm" },
	        { 3, "pool", "pooling" },
	        { 11, "mac array", NULL },
	        { 12, "store", "data movement" } };

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	struct record of;

	(void)self;
	if (!read_record(call->events[index], &of))
		return ETCORE_DECLINE;
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
		if (kernels[i].kernel == of.kernel)
			return out->put(out->handle, ETCORE_NAME_DISPLAY, text_of(kernels[i].name));
	return ETCORE_DECLINE;
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	struct record of;

	(void)self;
	if (!read_record(call->events[index], &of))
		return ETCORE_DECLINE;
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
		if (kernels[i].kernel == of.kernel && kernels[i].category)
			return out->put(out->handle, ETCORE_CLASS_CATEGORY,
			                text_of(kernels[i].category));
	return ETCORE_DECLINE;
}

static const char *const backends[] = { "DspBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "dsp",
	.version = "1.0",
	.vendor = "tests",
	.description = "a DSP whose metadata is a packed struct",
	.backends = backends,
	.columns = columns,
	.probe = probe,
	.parse_metadata = parse_metadata,
	.convert_time = convert_time,
	.describe_time = describe_time,
	.name_event = name_event,
	.classify = classify,
};
