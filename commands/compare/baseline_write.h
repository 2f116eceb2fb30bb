/* baseline_write.h -- writes a baseline as "etcore.baseline/1"; form: docs/baseline.schema.json.
 *
 * Times of runs are [step, around, text]: each is around + step * d, where the numbers d
 * stand in `text` one behind the other (base/vlq.h); `around` is the median, so that
 * noise takes few letters. Events of all dumps are listed once. */
#ifndef ETC_WRITE_BASELINE_H
#define ETC_WRITE_BASELINE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "model/baseline.h"

/* The same baseline gives the same bytes. E0904. */
enum etc_status etc_write_baseline(const struct etc_baseline *baseline, struct etc_arena *arena,
                                   struct etc_text *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
