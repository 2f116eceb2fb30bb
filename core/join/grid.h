/* grid.h -- the grid on which the times of some runs lie: what a dump shows of the length of a
 * tick of its clock. */
#ifndef ETC_JOIN_GRID_H
#define ETC_JOIN_GRID_H

#include "join/paths.h"

/* Returns the longest tick, in raw ticks, of which all distances between times of the runtime's
 * clock are multiples, in and between the `count` runs `run` of a path. A step of the clock is never
 * longer. Delegate events are ignored, since they may be on another clock. 0: all distances are
 * 0.
 *
 * The times may be rounded to raw ticks after they were read from a clock with a longer tick
 * (24 MHz: 41.67 ns), so that a multiple of the tick is up to one raw tick off. Such a tick is found
 * by etc_rounded_tick(). */
double etc_run_grid(const struct etc_paths *paths, const struct etc_trace *trace,
                    const uint32_t *run, size_t count);

/* Returns a tick of four units or more such that each of `n` distances is nearer than one unit to
 * a multiple of it, as if both ends were read from a clock with this tick and rounded to units. 0:
 * there is none, or too few different distances to exclude chance. Sorts `distance`. */
double etc_rounded_tick(uint64_t *distance, size_t n);

#endif
