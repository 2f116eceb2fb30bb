/* convert.h -- converts times of QNN's events. */
#ifndef PLUGINS_QNN_CONVERT_H
#define PLUGINS_QNN_CONVERT_H

#include "events.h"

/* Hook convert_time: converts the numbers whose id names microseconds to the target scale. All
 * other numbers stay as logged: bytes and counts are not times, cycles need a frequency, and a
 * number without a unit is unknown. */
etcore_result qnn_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_scales *scales, const uint64_t *raw,
                               uint64_t count, const struct etcore_number_sink *out);

#endif
