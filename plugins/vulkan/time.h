/* time.h -- the two clocks of a Vulkan delegate's events. */
#ifndef VULKAN_TIME_H
#define VULKAN_TIME_H

#include "id.h"

/* An instance. The runtime multiplied the GPU's ticks by their length rounded to a
 * whole number of ns. */
struct vulkan {
	double period; /* their true length; 0: unknown, times are as they were logged */
	double used;   /* what the runtime took for it */
};

/* Sets both; a period that is no length of a tick is unknown. */
void vulkan_set_period(struct vulkan *v, double period);

etcore_result vulkan_describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times);

/* Shaders are logged in ns whatever the scales are. DECLINE without a period. */
etcore_result vulkan_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out);

#endif
