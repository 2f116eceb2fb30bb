/* perf.h -- time arithmetic shared by perf.c and convert.c. */
#ifndef ETC_INSPECTOR_PERF_H
#define ETC_INSPECTOR_PERF_H

#include "inspector/inspector.h"

#define ETC_INSP_MAX_U32 ((uint64_t)UINT32_MAX)

/* Returns the divisor that converts a value in `unit` to the Inspector's target scale. `rate` is
 * the number of ticks per second; 0: unknown. Returns 0 if the divisor is unknown. */
double etc_insp_divisor(const struct etc_inspector *in, uint8_t unit, double rate);

/* Fails with E0805: the event ends before it starts, and the wrap of the counter cannot be
 * undone. */
enum etc_status etc_insp_wraps(struct etc_error *err, const struct etc_insp_event *e, double start,
                               double end);

/* Computes _calculate_elapsed_time of converted values. Returns false if Python raises. */
bool etc_insp_elapsed(double start, double end, double *out);

/* Computes the properties of PerfData from an event's values, one per run. `keys` is scratch memory
 * for one number per run. */
void etc_insp_statistics(const struct etc_insp_block *b, uint32_t event, const double *v,
                         uint64_t *keys);

/* Converts the times of delegated events with plugins: sets extra->converted and the statistics.
 * Fails with E0805, errors of plugins, or E0904. */
enum etc_status etc_insp_convert(struct etc_inspector *in, struct etc_insp_block *b,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
