/* group.h -- rows under a coarser key: `--by kernel`, `--by backend`. */
#ifndef ETC_VIEW_GROUP_H
#define ETC_VIEW_GROUP_H

#include "base/arena.h"
#include "base/error.h"
#include "model/profile.h"

/* Replaces the rows of `profile` by sums over equal keys, ranked again. Detached
 * rows and other units stay apart; a sum of several rows has no total and no
 * bound, for neither adds up. `by` NULL or "op": nothing to do. E0904. */
enum etc_status etc_view_group(struct etc_profile *profile, const char *by, struct etc_arena *arena,
                               struct etc_error *err) ETC_MUST_CHECK;

#endif
