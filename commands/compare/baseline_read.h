/* baseline_read.h -- reads a stored baseline, "etcore.baseline/1" (commands/compare/baseline_write.h,
 * docs/baseline.schema.json).
 *
 * Members that it does not know are skipped, in any order they come. Memory is bounded
 * by the file: every number of a run has at least one letter of its own. */
#ifndef ETC_READ_BASELINE_H
#define ETC_READ_BASELINE_H

#include "base/arena.h"
#include "base/error.h"
#include "model/baseline.h"

/* May these bytes be a baseline: do they begin as a JSON object? */
bool etc_baseline_is(struct etc_span bytes);

/* Memory is the arena's; texts may be views of `bytes`. E0176 no baseline or a damaged
 * one, E0178 of a newer version, E0904. */
enum etc_status etc_baseline_read(struct etc_span bytes, struct etc_arena *arena,
                                  struct etc_baseline *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
