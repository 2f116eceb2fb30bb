/* recording_order.h -- in which order the dumps of a comparison were recorded.
 *
 * --order ABAB… says it: a letter per group, repeated until all dumps have their place.
 * Without it start times do, where they are of one boot's clock: all in nanoseconds, each
 * dump begins a minute or more after zero (a process's own clock begins at zero), and none
 * begins before the one before it ended. Baselines do not keep start times. */
#ifndef ETC_API_RECORDING_ORDER_H
#define ETC_API_RECORDING_ORDER_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/compare/compare.h"

/* `order`: the option, "none", or NULL. Fills `places` of the groups where the order is known.
 * E0505, E0904. */
enum etc_status etc_recording_order(const char *order, struct etc_diff_group *groups,
                                    uint32_t count, struct etc_arena *arena,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
