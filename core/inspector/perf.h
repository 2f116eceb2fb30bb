/* perf.h -- computes times and statistics of events as the Inspector does. Used by perf.c and
 * convert.c only. */
#ifndef ETC_INSPECTOR_PERF_H
#define ETC_INSPECTOR_PERF_H

#include "inspector/inspector.h"

#define ETC_INSP_MAX_U32 ((uint64_t)UINT32_MAX)

/* Returns the divisor that converts a value in `unit` to the Inspector's target scale. `rate` is
 * the number of ticks per second; 0: unknown. Returns 0 if the divisor is unknown. */
double etc_insp_divisor(const struct etc_inspector *in, uint8_t unit, double rate);

/* Fails with E0805: the event ends before it starts, and one of the two times exceeds 32 bits. (If
 * neither does, the Inspector assumes that a 32-bit counter wrapped around.) */
enum etc_status etc_insp_wraps(struct etc_error *err, const struct etc_insp_event *e, double start,
                               double end);

/* Sets `*out` to the result of the Inspector's _calculate_elapsed_time() for converted times.
 * False: that function would raise an exception. */
bool etc_insp_elapsed(double start, double end, double *out);

/* Computes the statistics of an event (the properties of PerfData) from its values `v`, one per
 * run, and stores them in b->stats. `keys` is scratch memory for one number per run. */
void etc_insp_statistics(const struct etc_insp_block *b, uint32_t event, const double *v,
                         uint64_t *keys);

/* Converts the times of delegated events with plugins: sets extra->converted and the statistics.
 * Fails with E0805, E0904, or an error of a plugin. */
enum etc_status etc_insp_convert(struct etc_inspector *in, struct etc_insp_block *b,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
