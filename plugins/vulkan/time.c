/* time.c -- converts times of Vulkan's events; see time.h.
 *
 * Times of the CPU's code are ticks of the runtime's clock. A shader's times are on the GPU's
 * clock, which has another zero. The runtime computed these as the number of ticks times the length
 * of a tick in ns, rounded to an integer (backends/vulkan/runtime/vk_api/QueryPool.cpp). So if a
 * tick lasts 52.08 ns, every time of a shader is 0.15 % too short. */
#include "time.h"

#include <string.h>

enum { DEFAULT_NS_PER_TICK = 52 /* the runtime's default, which is used if rounding gives 0 */ };

void vulkan_set_period(struct vulkan *v, double period)
{
	double rounded;

	*v = (struct vulkan){ 0, 1 };
	if (!(period > 0) || !(period < 1e6))
		return;
	rounded = (double)(int64_t)(period + 0.5);
	*v = (struct vulkan){ period, rounded > 0 ? rounded : DEFAULT_NS_PER_TICK };
}

static void describe_host(const struct vulkan_id *id, struct etcore_time *t)
{
	bool contains =
		id->step.len >= 7 && memcmp(id->step.ptr + id->step.len - 7, "EXECUTE", 7) == 0;

	t->kind = contains ? ETCORE_KIND_PHASE : ETCORE_KIND_OVERHEAD;
	t->clock = ETCORE_CLOCK_HOST;
	t->parent = ETCORE_PARENT_BY_TIME;
}

static void describe_shader(const struct vulkan *v, struct etcore_time *t, int32_t parent)
{
	t->kind = ETCORE_KIND_OP;
	t->clock = ETCORE_CLOCK_FOREIGN;
	t->parent = parent;
	t->unit = v->period > 0 ? ETCORE_UNIT_TICKS : ETCORE_UNIT_NS;
	t->ns_per_unit = v->period > 0 ? v->period / v->used : 1;
}

static bool runs_shaders(const struct vulkan_id *id)
{
	static const char step[] = "COMPUTE_GRAPH_EXECUTE";

	return id->kind == VULKAN_HOST && id->step.len == sizeof step - 1 &&
	       memcmp(id->step.ptr, step, sizeof step - 1) == 0;
}

etcore_result vulkan_describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	int32_t parent = ETCORE_PARENT_CALL; /* shaders are logged after the step that ran them */

	for (uint32_t i = 0; i < call->count; i++) {
		struct vulkan_id id = vulkan_id_of(call->events[i]);

		if (id.kind == VULKAN_HOST)
			describe_host(&id, times[i]);
		else if (id.kind != VULKAN_OTHER)
			describe_shader(self, times[i], parent);
		if (runs_shaders(&id))
			parent = (int32_t)i;
	}
	return ETCORE_OK;
}

static double ns_per(uint32_t unit)
{
	static const double ns[] = {
		[ETCORE_UNIT_NS] = 1,
		[ETCORE_UNIT_US] = 1e3,
		[ETCORE_UNIT_MS] = 1e6,
		[ETCORE_UNIT_S] = 1e9,
	};

	return unit < sizeof ns / sizeof *ns ? ns[unit] : 0;
}

etcore_result vulkan_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out)
{
	const struct vulkan *v = self;
	struct vulkan_id id = vulkan_id_of(call->events[index]);
	double divisor = ns_per(scales->target);

	if (!(v->period > 0) || divisor <= 0 ||
	    (id.kind != VULKAN_SHADER && id.kind != VULKAN_LEGACY))
		return ETCORE_DECLINE;
	for (uint64_t i = 0; i < count; i++) {
		double ns = (double)raw[i] * v->period / v->used;
		etcore_result r = out->f64(out->handle, ns / divisor);

		if (r != ETCORE_OK)
			return r;
	}
	return ETCORE_OK;
}
