/* fx_names.h -- the names that torch.fx gives to the nodes of a graph.
 *
 * A reader of an ETRecord sees the names after Python has rebuilt the graph:
 * every node asks for a name and gets it, or the next free one. Follows
 * torch/fx/graph.py, class _Namespace, of torch 2.13. */
#ifndef ETC_READ_FX_NAMES_H
#define ETC_READ_FX_NAMES_H

#include "base/map.h"

/* The names of one graph. Tens of thousands of them are each looked up once, so the table is
 * small enough for the cache: 8 bytes a slot. */
struct etc_fx_names {
	struct etc_arena *arena;
	uint64_t seed;
	struct etc_str *taken; /* names that are taken: room for 3/4 of the slots */
	uint64_t *slots;       /* 0, or half of a name's hash, and 1 + its place in `taken` */
	size_t slot_room;      /* 0 or a power of two */
	uint32_t taken_count;
	struct etc_map bases; /* base -> place in counts: "add" of "add_3" */
	uint64_t *counts;
	size_t count, room;
};

void etc_fx_names_init(struct etc_fx_names *n, struct etc_arena *arena);

/* Makes room for `count` names at once; false when memory is exhausted. */
bool etc_fx_names_reserve(struct etc_fx_names *n, size_t count);

/* _Namespace.create_name(): `candidate` itself if it is free and legal. Takes
 * the name. {NULL, 0} when memory is exhausted. */
struct etc_str etc_fx_name(struct etc_fx_names *n, struct etc_str candidate);

/* Graph._target_to_str() of a function's name: "aten.addMM" -> "aten.add_mm". */
struct etc_str etc_fx_snake_case(struct etc_arena *arena, struct etc_str s);

#endif
