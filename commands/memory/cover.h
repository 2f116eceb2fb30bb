/* cover.h -- how many distinct bytes a changing set of ranges covers, and where
 * the highest of them ends.
 *
 * Two trees over the sorted ends of all ranges that may come: O(log n) per
 * change (Klee's measure in one dimension). */
#ifndef ETC_MEMORY_COVER_H
#define ETC_MEMORY_COVER_H

#include "base/arena.h"

struct etc_cover {
	uint64_t *at;     /* ends of ranges, ascending after etc_cover_ready() */
	uint32_t count;   /* of them */
	uint32_t *times;  /* per node: ranges that cover all of it */
	uint64_t *bytes;  /* per node: covered bytes in it */
	uint32_t *ending; /* per node: live ranges that end in it */
	uint32_t leaves;  /* a power of two */
};

/* Room for `ranges` of them. False: out of memory. */
bool etc_cover_init(struct etc_cover *c, uint32_t ranges, struct etc_arena *arena);

/* Announces a range, in any order; then ready, once. */
void etc_cover_range(struct etc_cover *c, uint64_t offset, uint64_t bytes);
void etc_cover_ready(struct etc_cover *c);

/* `sign` 1: an announced range is there; -1: it is gone. */
void etc_cover_add(struct etc_cover *c, uint64_t offset, uint64_t bytes, int sign);

uint64_t etc_cover_bytes(const struct etc_cover *c);
uint64_t etc_cover_end(const struct etc_cover *c); /* 0 when nothing is there */

#endif
