/* grid.h -- finds the length of the clock's tick. The times in a dump are multiples of it. */
#ifndef ETC_JOIN_GRID_H
#define ETC_JOIN_GRID_H

#include "join/paths.h"

/* Returns the largest number g of raw ticks such that all distances between times of the runtime's
 * clock are multiples of g. If times are not rounded, the clock's tick is not longer than g. The
 * times examined are the starts and ends of the `count` runs `run` of a path, and those of the
 * events in the first 16 of these runs. Delegate events are ignored, since they may be on another
 * clock. Returns 0 if all distances are 0.
 *
 * The times may come from a clock with a longer tick (24 MHz: 41.67 ns), rounded to raw ticks. A
 * time is then up to one raw tick off a multiple of the clock's tick. etc_rounded_tick() finds such
 * a tick, which is then returned instead of g. */
double etc_run_grid(const struct etc_paths *paths, const struct etc_trace *trace,
                    const uint32_t *run, size_t count);

/* Returns a tick of at least four units such that each of `n` distances between two times differs
 * by at most one unit from a multiple of the tick, as if the two times were read from a clock with
 * this tick and then rounded to units. Distances of more than 4096 ticks are not compared. 0: there
 * is no such tick, or there are too few different distances to exclude chance. Sorts `distance`. */
double etc_rounded_tick(uint64_t *distance, size_t n);

#endif
