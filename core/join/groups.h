/* groups.h -- what the nodes of a place have in common: module, source line. */
#ifndef ETC_JOIN_GROUPS_H
#define ETC_JOIN_GROUPS_H

#include "base/arena.h"
#include "base/map.h"
#include "model/place.h"

/* What names of a graph's groups are made with. */
struct etc_group_names {
	struct etc_str root; /* class of the model, or empty */
	struct etc_str
		folder; /* in which all source files outside of packages lie: "/home/me/net/" */
	struct etc_map order; /* path of a module -> its place among those of the graph */
};

/* Fills `module` and `source` of a place from its nodes: the set of their modules, and of
 * their lines. Of nodes under one handle those that quantise or dequantise do not count where
 * there are others; for an event that converts (`converts`) only they do. False when memory
 * is exhausted. */
bool etc_groups_make(struct etc_place *place, const struct etc_group_names *names, bool converts,
                     struct etc_arena *arena);

/* Class of the model that a node is part of, without what the exporter puts around it; empty:
 * the node does not say. */
struct etc_str etc_group_root_class(const struct etc_node *n);

/* Where the path inside of installed packages begins; 0: it does not lie in them. */
size_t etc_group_packages(struct etc_str file);

#endif
