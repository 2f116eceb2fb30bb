/* groups.h -- what the nodes of a place have in common: module, source line. */
#ifndef ETC_JOIN_GROUPS_H
#define ETC_JOIN_GROUPS_H

#include "base/arena.h"
#include "model/place.h"

/* Fills `module` and `source` of a place from its nodes. One module: its path
 * and class. Several: the module around all of them, how many share it, and
 * their list; lines of source likewise. False when memory is exhausted. */
bool etc_groups_make(struct etc_place *place, struct etc_arena *arena);

#endif
