/* roll_templates.h -- rolls up the columns of a path whose runs have several templates: an
 * event that several templates have counts once. */
#ifndef ETC_JOIN_ROLL_TEMPLATES_H
#define ETC_JOIN_ROLL_TEMPLATES_H

#include "join/rollup.h"
#include "join/site.h"

struct etc_rolled_templates;

/* Makes an empty roll-up, which allocates in `arena`. NULL: out of memory. */
struct etc_rolled_templates *etc_rolled_templates_new(struct etc_arena *arena);

/* Starts the next event list, of which `runs` runs were sent to plugins. Its sites may be
 * released before the columns are made, but the plugins' answers must stay valid until then.
 * False: out of memory. */
bool etc_rolled_templates_begin(struct etc_rolled_templates *all, const struct etc_sites *sites,
                                size_t runs);

/* Records that the event at `site` adds `time` to row `row`. Called in the order of the template's
 * events. False: out of memory. */
bool etc_rolled_templates_add(struct etc_rolled_templates *all, uint32_t site, uint32_t row,
                              uint64_t time);

/* Rolls up all events: the columns of each row into `rows`, those of the path into `path`. If
 * `path` is NULL, only the columns of the rows are rolled up. False: out of memory. */
bool etc_rolled_templates_end(const struct etc_rolled_templates *all, struct etc_rolled *rows,
                              struct etc_rolled *path);

#endif
