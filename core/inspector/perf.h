/* perf.h -- the arithmetic of times: what perf.c and convert.c share. */
#ifndef ETC_INSPECTOR_PERF_H
#define ETC_INSPECTOR_PERF_H

#include "inspector/inspector.h"

#define ETC_INSP_MAX_U32 ((uint64_t)UINT32_MAX)

/* What a value of `unit` is divided by, for the Inspector's target scale; `rate`: ticks per
 * second, 0: unknown. 0: it cannot be told. */
double etc_insp_divisor(const struct etc_inspector *in, uint8_t unit, double rate);

/* E0805 of an event. */
enum etc_status etc_insp_wraps(struct etc_error *err, const struct etc_insp_event *e, double start,
                               double end);

/* _calculate_elapsed_time on converted values; false: it raises. */
bool etc_insp_elapsed(double start, double end, double *out);

/* PerfData's properties of an event's values, one for each run. `keys`: scratch for as many. */
void etc_insp_statistics(const struct etc_insp_block *b, uint32_t event, const double *v,
                         uint64_t *keys);

/* Has the plugins of delegated events convert their times: etc_insp_event.extra->converted,
 * and the statistics of it. E0805, what plugins fail with, E0904. */
enum etc_status etc_insp_convert(struct etc_inspector *in, struct etc_insp_block *b,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
