/* fx_names.h -- the names that torch.fx gives to the nodes of a graph.
 *
 * A reader of an ETRecord sees the names after Python has rebuilt the graph:
 * every node asks for a name and gets it, or the next free one. Follows
 * torch/fx/graph.py, class _Namespace, of torch 2.13. */
#ifndef ETC_READ_FX_NAMES_H
#define ETC_READ_FX_NAMES_H

#include "base/map.h"

/* The names of one graph. */
struct etc_fx_names {
	struct etc_arena *arena;
	struct etc_map used;  /* names that are taken */
	struct etc_map bases; /* base -> place in counts: "add" of "add_3" */
	uint64_t *counts;
	size_t count, room;
};

void etc_fx_names_init(struct etc_fx_names *n, struct etc_arena *arena);

/* _Namespace.create_name(): `candidate` itself if it is free and legal. Takes
 * the name. {NULL, 0} when memory is exhausted. */
struct etc_str etc_fx_name(struct etc_fx_names *n, struct etc_str candidate);

/* Graph._target_to_str() of a function's name: "aten.addMM" -> "aten.add_mm". */
struct etc_str etc_fx_snake_case(struct etc_arena *arena, struct etc_str s);

#endif
