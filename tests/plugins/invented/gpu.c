/* gpu.c -- the plugin of an invented GPU whose queues work in parallel. The runtime logs its own
 * steps by the host's clock. Then it logs by the GPU's clock, at 19.2 MHz: what was uploaded before
 * the queues began, how long each queue was busy, and what ran in it. These are examples of ids:
 *
 *     host:submit     metadata "sync=DEVICE/HOST": both clocks, read at one moment
 *     gpu:upload      queue:0      queue:0/gemm_tiled
 *
 * Metadata of the GPU's events: "queue=0 dispatch=3 read=4096 permille=750". */
#include "text.h"

#include <stdlib.h>

struct instance {
	double ns_per_tick;
	uint32_t parallel; /* ETCORE_DURATION_* of queues; a host of ABI 1.0 has no CONCURRENT */
};

static const struct etcore_option period = {
	.size = sizeof period,
	.type = ETCORE_TYPE_I64,
	.name = "ticks_per_second",
	.default_value = "19200000",
	.help = "rate of the GPU's timestamps, in Hz",
	.unit = "Hz",
	.least = 1000,
	.most = 10e9,
};
static const struct etcore_option *const options[] = { &period, NULL };

static const struct etcore_column queue =
	ETCORE_COLUMN(ETCORE_TYPE_I64, "queue", NULL, "queue, from 0", ETCORE_ROLLUP_SET);
static const struct etcore_column dispatch = ETCORE_COLUMN(
	ETCORE_TYPE_I64, "dispatch", NULL, "place among the dispatches", ETCORE_ROLLUP_SET);
static const struct etcore_column dram_read =
	ETCORE_COLUMN(ETCORE_TYPE_I64, "dram_read_bytes", "bytes",
                      "read from memory, mean of the runs", ETCORE_ROLLUP_SUM);
static const struct etcore_column utilization = {
	.size = sizeof utilization,
	.type = ETCORE_TYPE_F64,
	.name = "utilization",
	.help = "share of its time in which it computed, mean of the runs",
	.rollup = ETCORE_ROLLUP_NONE,
	.rollup_1_1 = ETCORE_ROLLUP_TIME_MEAN,
};
static const struct etcore_column *const columns[] = { &queue, &dispatch, &dram_read, &utilization,
	                                               NULL };

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct instance *a = calloc(1, sizeof *a);
	uint64_t hz = 0;

	if (!a)
		return ETCORE_NOMEM;
	for (uint32_t i = 0; i < count; i++)
		if (same(settings[i]->name, text_of(period.name)))
			number_of(settings[i]->value, &hz);
	a->ns_per_tick = hz ? 1e9 / (double)hz : 0;
	a->parallel = host->abi_minor >= 1 ? ETCORE_DURATION_CONCURRENT
	                                   : ETCORE_DURATION_SUM_OVER_THREADS;
	*self = a;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	free(self);
}

static int begins(struct etcore_text t, struct etcore_text with)
{
	return t.len > with.len && memcmp(t.ptr, with.ptr, (size_t)with.len) == 0;
}

static struct etcore_text from(struct etcore_text t, uint64_t at)
{
	return (struct etcore_text){ t.ptr + at, t.len - at };
}

enum kind { NOT_OURS, HOST, ALONE, QUEUE, IN_QUEUE };

/* Returns the kind of an event; `name` gets its display name, which is a part of its id. */
static enum kind kind_of(const struct etcore_event *e, struct etcore_text *name)
{
	struct etcore_text id = e->delegate_name;
	const char *slash = id.len ? memchr(id.ptr, '/', (size_t)id.len) : NULL;

	if (!is_printable(id))
		return NOT_OURS;
	*name = id;
	if (begins(id, TEXT("queue:"))) {
		if (slash && slash + 1 < id.ptr + id.len)
			*name = from(id, (uint64_t)(slash - id.ptr) + 1);
		return slash ? IN_QUEUE : QUEUE;
	}
	if (begins(id, TEXT("host:")) || begins(id, TEXT("gpu:"))) {
		*name = from(id, id.ptr[0] == 'h' ? 5 : 4);
		return id.ptr[0] == 'h' ? HOST : ALONE;
	}
	return NOT_OURS;
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	uint32_t known = 0, delegate = 0;
	struct etcore_text name;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		delegate += (call->events[i]->flags & ETCORE_EVENT_DELEGATE) != 0;
		known += kind_of(call->events[i], &name) != NOT_OURS;
	}
	return known > delegate / 2 ? 90 : 0;
}

static etcore_result parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	const struct etcore_event *e = call->events[index];
	etcore_result r = ETCORE_OK;
	struct etcore_text name;
	int64_t v;

	(void)self;
	if (kind_of(e, &name) == NOT_OURS)
		return ETCORE_DECLINE;
	if (mean_of(e, TEXT("queue"), &v))
		r = out->i64(out->handle, text_of(queue.name), v);
	if (!r && mean_of(e, TEXT("dispatch"), &v))
		r = out->i64(out->handle, text_of(dispatch.name), v);
	if (!r && mean_of(e, TEXT("read"), &v))
		r = out->i64(out->handle, text_of(dram_read.name), v);
	if (!r && mean_of(e, TEXT("permille"), &v))
		r = out->f64(out->handle, text_of(utilization.name), (double)v / 1000);
	return r;
}

/* Gets the readings of both clocks from the first event with "sync=DEVICE/HOST" in its first
 * sample; 0 and 0 if there is none. */
static void read_sync(const struct etcore_call *call, uint64_t *device, uint64_t *host)
{
	for (uint32_t i = 0; i < call->count; i++) {
		const struct etcore_event *e = call->events[i];
		struct etcore_text pair = { NULL, 0 };
		const char *slash;

		if (e->metadata && e->samples)
			pair = value_of(e->metadata[0], TEXT("sync"));
		slash = pair.len ? memchr(pair.ptr, '/', (size_t)pair.len) : NULL;
		if (slash &&
		    number_of((struct etcore_text){ pair.ptr, (uint64_t)(slash - pair.ptr) },
		              device) &&
		    number_of(from(pair, (uint64_t)(slash - pair.ptr) + 1), host))
			return;
	}
	*device = *host = 0;
}

/* Returns the index of the queue in which the event `id` ran: the event whose id is the part of
 * `id` before '/'. Returns ETCORE_PARENT_CALL if there is none. */
static int32_t queue_of(const struct etcore_call *call, struct etcore_text id)
{
	struct etcore_text of = {
		id.ptr, (uint64_t)((const char *)memchr(id.ptr, '/', (size_t)id.len) - id.ptr)
	};

	for (uint32_t i = 0; i < call->count; i++)
		if (same(call->events[i]->delegate_name, of))
			return (int32_t)i;
	return ETCORE_PARENT_CALL;
}

static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	const struct instance *a = self;
	uint64_t device, host;
	struct etcore_text name;

	read_sync(call, &device, &host);
	for (uint32_t i = 0; i < call->count; i++) {
		enum kind kind = kind_of(call->events[i], &name);

		if (kind == NOT_OURS)
			continue;
		if (kind == HOST) {
			times[i]->clock = ETCORE_CLOCK_HOST;
			times[i]->kind = ETCORE_KIND_OVERHEAD;
			continue;
		}
		times[i]->unit = ETCORE_UNIT_TICKS;
		times[i]->clock = ETCORE_CLOCK_FOREIGN;
		times[i]->ns_per_unit = a->ns_per_tick;
		if (kind == QUEUE)
			times[i]->duration = a->parallel;
		if (kind == IN_QUEUE)
			times[i]->parent = queue_of(call, call->events[i]->delegate_name);
		if (ETCORE_HAS(times[i], struct etcore_time, sync_host)) {
			times[i]->sync_device = device;
			times[i]->sync_host = host;
		}
	}
	return ETCORE_OK;
}

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	struct etcore_text name;

	(void)self;
	if (kind_of(call->events[index], &name) == NOT_OURS)
		return ETCORE_DECLINE;
	return out->put(out->handle, ETCORE_NAME_DISPLAY, name);
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	struct etcore_text name;
	enum kind kind = kind_of(call->events[index], &name);
	etcore_result r = ETCORE_OK;

	(void)self;
	if (kind == NOT_OURS)
		return ETCORE_DECLINE;
	if (begins(name, TEXT("gemm")))
		r = out->put(out->handle, ETCORE_CLASS_CATEGORY, TEXT("gemm"));
	else if (kind == ALONE)
		r = out->put(out->handle, ETCORE_CLASS_CATEGORY, TEXT("data movement"));
	return r ? r
	         : out->put(out->handle, ETCORE_CLASS_COMPUTE_UNIT,
	                    kind == HOST ? TEXT("CPU") : TEXT("GPU"));
}

static const char *const backends[] = { "GpuBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "gpu",
	.version = "1.0",
	.vendor = "tests",
	.description = "a GPU with queues beside each other",
	.backends = backends,
	.options = options,
	.columns = columns,
	.open = open_instance,
	.close = close_instance,
	.probe = probe,
	.parse_metadata = parse_metadata,
	.describe_time = describe_time,
	.name_event = name_event,
	.classify = classify,
};
