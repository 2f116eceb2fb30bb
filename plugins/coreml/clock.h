/* clock.h -- the unit and clock of Core ML's times.
 *
 * The runtime logs nanoseconds of the machine's uptime (mach_absolute_time), not of ExecuTorch's
 * clock. The times are estimates: the measured time of the whole model is divided among the
 * operators, in proportion to the costs that the compute plan expects, and each operator starts
 * where the one before it ends (ETCoreMLModelProfiler.mm). */
#ifndef PLUGINS_COREML_CLOCK_H
#define PLUGINS_COREML_CLOCK_H

#include <etcore/plugin.h>

/* The hook convert_time: computes the same as ExecuTorch's convert_coreml_delegate_time, which
 * returns input_time / (1000 * 1000), whatever the scales of the session are. */
etcore_result coreml_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out);

/* The hook describe_time: describes all times as estimated, in nanoseconds, on another clock than
 * the runtime's. */
etcore_result coreml_describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times);

#endif
