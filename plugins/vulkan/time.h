/* time.h -- converts the two clocks of a Vulkan delegate's events. */
#ifndef PLUGINS_VULKAN_TIME_H
#define PLUGINS_VULKAN_TIME_H

#include "id.h"

/* An instance: the length of a tick of the GPU's clock, in ns. The runtime multiplied the GPU's
 * ticks by this length rounded to an integer. */
struct vulkan {
	double period; /* the true length of a tick, in ns; 0: unknown, and times stay as logged */
	double used;   /* the length by which the runtime multiplied, in ns */
};

/* Sets `period` and `used`; an impossible period counts as unknown. */
void vulkan_set_period(struct vulkan *v, double period);

etcore_result vulkan_describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times);

/* Hook convert_time: converts a shader's times, which are in ns whatever the session's source scale
 * is, and corrects the length of a tick. DECLINE: an event that is not a shader, or no period is
 * configured. */
etcore_result vulkan_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out);

#endif
