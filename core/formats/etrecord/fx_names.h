/* fx_names.h -- the names that torch.fx gives to the nodes of a graph.
 *
 * When Python reads an ETRecord, it builds the graph again. Each node then gets its recorded name,
 * or, if that is taken, the next free name. Follows torch/fx/graph.py, class _Namespace, of torch
 * 2.13. */
#ifndef ETC_FORMATS_ETRECORD_FX_NAMES_H
#define ETC_FORMATS_ETRECORD_FX_NAMES_H

#include "base/map.h"

/* The names of one graph. Tens of thousands of names are each looked up once, so the table is
 * kept small for the cache: 8 bytes per slot. */
struct etc_fx_names {
	struct etc_arena *arena;
	uint64_t seed;
	/* the names in use; the array has room for 3/4 as many names as there are slots */
	struct etc_str *taken;
	/* 0: free; else the upper half of a name's hash, and 1 + the name's index in `taken` */
	uint64_t *slots;
	size_t slot_room; /* number of slots: 0 or a power of two */
	uint32_t taken_count;
	struct etc_map bases; /* maps a base, such as "add" of "add_3", to its index in `counts` */
	uint64_t *counts;
	uint32_t count, room;
};

void etc_fx_names_init(struct etc_fx_names *n, struct etc_arena *arena);

/* Makes room for `count` names at once; false: out of memory. */
bool etc_fx_names_reserve(struct etc_fx_names *n, size_t count);

/* Implements _Namespace.create_name(): returns `candidate` itself if it is free and legal, else the
 * next free name, and marks the result as used. {NULL, 0}: out of memory. */
struct etc_str etc_fx_name(struct etc_fx_names *n, struct etc_str candidate);

/* Converts the name of a function as Graph._target_to_str() does: "aten.addMM" becomes
 * "aten.add_mm". */
struct etc_str etc_fx_snake_case(struct etc_arena *arena, struct etc_str s);

#endif
