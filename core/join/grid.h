/* grid.h -- the grid on which the times of some runs lie: what a dump shows of the length of a
 * tick of its clock. */
#ifndef ETC_JOIN_GRID_H
#define ETC_JOIN_GRID_H

#include "join/paths.h"

/* Returns the largest number of raw ticks of which all distances between times of the runtime's
 * clock are multiples, in and between the `count` runs `run` of a path. A step of the clock is never
 * longer. Delegate events are ignored, since they may be on another clock. 0: all distances are
 * 0. */
uint64_t etc_run_grid(const struct etc_paths *paths, const struct etc_trace *trace,
                      const uint32_t *run, size_t count);

#endif
