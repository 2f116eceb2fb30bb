/* groups.h -- module and source line that the nodes of a place have in common. */
#ifndef ETC_JOIN_GROUPS_H
#define ETC_JOIN_GROUPS_H

#include "base/arena.h"
#include "base/map.h"
#include "model/place.h"

/* Data of a graph from which the names of modules and source lines are made. */
struct etc_group_names {
	struct etc_str root; /* class of the model; empty: unknown */
	/* the common folder of all source files outside of packages: "/home/me/net/" */
	struct etc_str folder;
	struct etc_map order; /* maps the path of a module to its position in the graph */
};

/* Sets `module` and `source` of a place: the modules, and the source lines, of its nodes. Nodes
 * that quantise or dequantise do not count if the place has other nodes. For an event that converts
 * types (`converts`) it is the reverse: only such nodes count if the place has any. False: out of
 * memory. */
bool etc_groups_make(struct etc_place *place, const struct etc_group_names *names, bool converts,
                     struct etc_arena *arena);

/* Returns the class of the model, from a node's list of modules. Classes that the exporter puts
 * around the model are skipped. Empty: the list does not have the class. */
struct etc_str etc_group_root_class(const struct etc_node *n);

/* Returns the offset in `file` at which the path inside a folder of installed packages, such as
 * site-packages, begins. 0: the file is not in a package. */
size_t etc_group_packages(struct etc_str file);

#endif
