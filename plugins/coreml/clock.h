/* clock.h -- the unit and clock of Core ML's times.
 *
 * The runtime logs nanoseconds of the machine's uptime (mach_absolute_time), not of ExecuTorch's
 * clock. The times are estimates: the measured time of the whole model, divided in proportion to
 * the compute plan's expected costs, and laid end to end (ETCoreMLModelProfiler.mm). */
#ifndef PLUGINS_COREML_CLOCK_H
#define PLUGINS_COREML_CLOCK_H

#include <etcore/plugin.h>

/* Hook convert_time: ExecuTorch's convert_coreml_delegate_time, which is input_time / (1000 *
 * 1000) for any scales of the session. */
etcore_result coreml_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out);

/* Hook describe_time: estimated nanoseconds on a foreign clock. */
etcore_result coreml_describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times);

#endif
