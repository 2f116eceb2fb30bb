/* etdump_walk.h -- returns the events of an ETDump one at a time, with all fields as stored in the
 * file. `etcore dump` uses this, because it shows fields that a trace does not contain.
 *
 * The memory of a walk does not depend on the number of events. */
#ifndef ETC_FORMATS_ETDUMP_ETDUMP_WALK_H
#define ETC_FORMATS_ETDUMP_ETDUMP_WALK_H

#include "base/arena.h"
#include "base/error.h"
#include "model/limits.h"
#include "model/raw.h"
#include "model/trace.h"

struct etc_etdump_walk;

/* Opens a walk over the file from which etc_etdump_read() read `trace`. Checks the whole file
 * first, so that the functions below cannot fail. `limits` may be NULL. E0205 CORRUPT, E0206 LIMIT:
 * too many references to shared bytes, E0904 NOMEM. */
enum etc_status etc_etdump_walk_open(const struct etc_trace *trace, const struct etc_limits *limits,
                                     struct etc_arena *arena, struct etc_etdump_walk **out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Selects a run; returns its number of events. */
size_t etc_etdump_walk_run(struct etc_etdump_walk *w, size_t run);

/* Returns event `i` of the selected run, valid until the next call. */
const struct etc_raw_event *etc_etdump_walk_event(struct etc_etdump_walk *w, size_t i);

#endif
