/* clock.h -- what Core ML's times are.
 *
 * The runtime logs nanoseconds of the machine's uptime (mach_absolute_time),
 * not of the ExecuTorch clock, and what it logs is an estimate: the measured
 * time of the whole model, split by the compute plan's expected costs and laid
 * end to end (ETCoreMLModelProfiler.mm). */
#ifndef PLUGINS_COREML_CLOCK_H
#define PLUGINS_COREML_CLOCK_H

#include <etcore/plugin.h>

/* The hook: ExecuTorch's convert_coreml_delegate_time, input_time / (1000 * 1000)
 * whatever the scales of the session are. */
etcore_result coreml_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out);

/* The hook: estimated nanoseconds on a foreign clock. */
etcore_result coreml_describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times);

#endif
