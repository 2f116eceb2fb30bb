/* recording_order.h -- finds the order in which the dumps of a comparison were recorded.
 *
 * The option --order ABAB... gives the order: each letter is the group of the next dump. The
 * letters are repeated until all dumps have a position. Without the option, the order follows from
 * start times, if all of them were measured by one clock that starts when the device boots. That is
 * assumed if all times are in nanoseconds, each dump starts at least a minute after zero (the clock
 * of a process starts at zero), and no dump starts before the previous dump ended. Baselines do not
 * store start times. */
#ifndef ETC_COMMANDS_COMPARE_RECORDING_ORDER_H
#define ETC_COMMANDS_COMPARE_RECORDING_ORDER_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/compare/compare.h"

/* Sets `places` of each group if the order is known. `order`: the value of --order, which may be
 * "none", or NULL. E0505, E0904. */
enum etc_status etc_recording_order(const char *order, struct etc_diff_group *groups,
                                    uint32_t count, struct etc_arena *arena,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
