/* recording_order.h -- the order in which the dumps of a comparison were recorded.
 *
 * --order ABAB... gives it: a letter per group, repeated until all dumps have a position.
 * Without the option start times are used, if all of them are of one boot's clock: all in
 * nanoseconds, each dump starts a minute or more after zero (the clock of a process
 * starts at zero), and no dump starts before the previous one ended. Baselines do not
 * keep start times. */
#ifndef ETC_API_RECORDING_ORDER_H
#define ETC_API_RECORDING_ORDER_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/compare/compare.h"

/* `order` is the option's value, "none", or NULL. Fills `places` of the groups if the
 * order is known. E0505, E0904. */
enum etc_status etc_recording_order(const char *order, struct etc_diff_group *groups,
                                    uint32_t count, struct etc_arena *arena,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
