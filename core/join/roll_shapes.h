/* roll_shapes.h -- columns of a path whose runs are of several shapes: an event that several of them
 * log counts once. */
#ifndef ETC_JOIN_ROLL_SHAPES_H
#define ETC_JOIN_ROLL_SHAPES_H

#include "join/rollup.h"
#include "join/site.h"

struct etc_rolled_shapes;

/* NULL: no memory; its memory is that of `arena`. */
struct etc_rolled_shapes *etc_rolled_shapes_new(struct etc_arena *arena);

/* Starts another event list, of which `runs` runs were sent to plugins. Its sites may be
 * released before the columns are made, but not the plugins' answers. False if out of
 * memory. */
bool etc_rolled_shapes_begin(struct etc_rolled_shapes *all, const struct etc_sites *sites,
                             size_t runs);

/* An event of the shape took `time` in a row; the events of a shape in their order. */
bool etc_rolled_shapes_add(struct etc_rolled_shapes *all, uint32_t site, uint32_t row,
                           uint64_t time);

/* Rolls all events up: each row into `rows`, the path into `path` (NULL: not asked for). */
bool etc_rolled_shapes_end(const struct etc_rolled_shapes *all, struct etc_rolled *rows,
                           struct etc_rolled *path);

#endif
