/* convert.h -- converts times of QNN's events. */
#ifndef PLUGINS_QNN_CONVERT_H
#define PLUGINS_QNN_CONVERT_H

#include "events.h"

/* The hook convert_time: converts the numbers of events whose id has the unit microseconds to the
 * target scale. All other numbers stay as logged: bytes and counts are not times, cycles could be
 * converted only with their frequency, and other ids have no unit. */
etcore_result qnn_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_scales *scales, const uint64_t *raw,
                               uint64_t count, const struct etcore_number_sink *out);

#endif
