/* time.h -- describes and converts times of a Vulkan delegate's events, which are on two clocks. */
#ifndef PLUGINS_VULKAN_TIME_H
#define PLUGINS_VULKAN_TIME_H

#include "id.h"

/* An instance of the plugin. It has the length of a tick of the GPU's clock: the true length, and
 * the length rounded to an integer, by which the runtime multiplied the GPU's ticks. */
struct vulkan {
	double period; /* the true length of a tick, in ns; 0: unknown, and times stay as logged */
	double used;   /* the length of a tick, in ns, by which the runtime multiplied the ticks */
};

/* Sets v->period and v->used. If `period` is impossible, it counts as unknown. */
void vulkan_set_period(struct vulkan *v, double period);

etcore_result vulkan_describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times);

/* The hook convert_time: converts a shader's times, and corrects the length of a tick. The logged
 * times of shaders are in ns, whatever the source time scale of the session is. DECLINE: the event
 * is not a shader, or the option `period` is not set. */
etcore_result vulkan_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out);

#endif
