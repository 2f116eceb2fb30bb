/* baseline_write.h -- writes a baseline as "etcore.baseline/1" (docs/baseline.schema.json).
 *
 * Times of runs are stored as [step, around, text]: time i is around + step * d[i], where the
 * differences d are encoded in `text` (base/vlq.h). `around` is the median of the times, so that
 * the differences are small and the text is short. If dumps have equal events, the event is listed
 * once. */
#ifndef ETC_COMMANDS_COMPARE_BASELINE_WRITE_H
#define ETC_COMMANDS_COMPARE_BASELINE_WRITE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "model/baseline.h"

/* Writes the baseline; equal baselines give equal bytes. E0904. */
enum etc_status etc_write_baseline(const struct etc_baseline *baseline, struct etc_arena *arena,
                                   struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
