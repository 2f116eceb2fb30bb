/* baseline_read.h -- reads a stored baseline, "etcore.baseline/1"
 * (commands/compare/baseline_write.h, docs/baseline.schema.json).
 *
 * Unknown members are skipped; members may be in any order. Memory is proportional to the file:
 * every number of a run takes at least one character. */
#ifndef ETC_COMMANDS_COMPARE_BASELINE_READ_H
#define ETC_COMMANDS_COMPARE_BASELINE_READ_H

#include "base/arena.h"
#include "base/error.h"
#include "model/baseline.h"

/* Can these bytes be a baseline? True if they begin like a JSON object. */
bool etc_baseline_is(struct etc_span bytes);

/* Reads a baseline. Memory is the arena's; texts may be views of `bytes`. E0176 not a baseline, or
 * damaged; E0178 a newer version; E0904. */
enum etc_status etc_baseline_read(struct etc_span bytes, struct etc_arena *arena,
                                  struct etc_baseline *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
