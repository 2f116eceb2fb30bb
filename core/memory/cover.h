/* cover.h -- computes how many distinct bytes a changing set of ranges covers, and the highest
 * end.
 *
 * Two trees over the sorted ends of all ranges that may be added: O(log n) per change (Klee's
 * measure in one dimension). */
#ifndef ETC_MEMORY_COVER_H
#define ETC_MEMORY_COVER_H

#include "base/arena.h"

struct etc_cover {
	uint64_t *at;     /* ends of ranges, ascending after etc_cover_ready() */
	uint32_t count;   /* number of ends */
	uint32_t *times;  /* per node: number of ranges that cover the node completely */
	uint64_t *bytes;  /* per node: number of covered bytes in the node */
	uint32_t *ending; /* per node: number of live ranges that end in the node */
	uint32_t leaves;  /* number of leaves, a power of two */
};

/* Allocates room for that number of ranges. False: out of memory. */
bool etc_cover_init(struct etc_cover *c, uint32_t ranges, struct etc_arena *arena);

/* Declares a range, in any order; call etc_cover_ready() once after the last. */
void etc_cover_range(struct etc_cover *c, uint64_t offset, uint64_t bytes);
void etc_cover_ready(struct etc_cover *c);

/* Adds a declared range (`sign` 1) or removes it (-1). */
void etc_cover_add(struct etc_cover *c, uint64_t offset, uint64_t bytes, int sign);

uint64_t etc_cover_bytes(const struct etc_cover *c);
uint64_t etc_cover_end(const struct etc_cover *c); /* 0 when no range is in the set */

#endif
