/* convert.h -- what a time converter for QNN's events answers. */
#ifndef QNN_CONVERT_H
#define QNN_CONVERT_H

#include "events.h"

/* The hook: what the id calls microseconds, in the target scale. All other numbers stay as
 * they were logged: bytes and counts are no times, cycles none without a frequency, and
 * nobody says what a number without a unit is. */
etcore_result qnn_convert_time(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_scales *scales, const uint64_t *raw,
                               uint64_t count, const struct etcore_number_sink *out);

#endif
