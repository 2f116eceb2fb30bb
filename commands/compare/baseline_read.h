/* baseline_read.h -- reads a stored baseline, "etcore.baseline/1"
 * (commands/compare/baseline_write.h, docs/baseline.schema.json).
 *
 * Unknown members are skipped, and members may be in any order. The memory that is needed is
 * proportional to the size of the file, since every number of a run takes at least one
 * character. */
#ifndef ETC_COMMANDS_COMPARE_BASELINE_READ_H
#define ETC_COMMANDS_COMPARE_BASELINE_READ_H

#include "base/arena.h"
#include "base/error.h"
#include "model/baseline.h"

/* Can these bytes be a baseline? Only the beginning is tested: it must be that of a JSON object. */
bool etc_baseline_is(struct etc_span bytes);

/* Reads a baseline. The result is in the arena; its texts may be views of `bytes`. E0176: the bytes
 * are not a baseline, or the baseline is damaged. E0178: the baseline has a newer version.
 * E0904. */
enum etc_status etc_baseline_read(struct etc_span bytes, struct etc_arena *arena,
                                  struct etc_baseline *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
