/* cover.h -- computes how many distinct bytes a changing set of ranges covers, and where the
 * highest of the ranges ends.
 *
 * Each change takes time O(log n). It updates two trees over the sorted starts and ends of all
 * ranges that may be added (Klee's measure problem in one dimension). */
#ifndef ETC_MEMORY_COVER_H
#define ETC_MEMORY_COVER_H

#include "base/arena.h"

struct etc_cover {
	/* starts and ends of all declared ranges; after etc_cover_ready(), they are ascending, and
	 * each occurs once */
	uint64_t *at;
	uint32_t count; /* number of elements of `at` */
	/* for each node of the tree, the number of ranges in the set that cover the whole node, but
	 * not its whole parent */
	uint32_t *times;
	/* for each node of the tree, how many bytes of the node are covered by ranges in the
	 * set */
	uint64_t *bytes;
	/* for each node, the number of ranges in the set that end inside the node */
	uint32_t *ending;
	uint32_t leaves; /* number of leaves, a power of two */
};

/* Allocates room for `ranges` ranges. False: out of memory. */
bool etc_cover_init(struct etc_cover *c, uint32_t ranges, struct etc_arena *arena);

/* Declares a range that may be added later. Ranges are declared in any order; after the last one
 * etc_cover_ready() is called once. */
void etc_cover_range(struct etc_cover *c, uint64_t offset, uint64_t bytes);
void etc_cover_ready(struct etc_cover *c);

/* Adds a declared range to the set (`sign` 1) or removes it (-1). */
void etc_cover_add(struct etc_cover *c, uint64_t offset, uint64_t bytes, int sign);

uint64_t etc_cover_bytes(const struct etc_cover *c);
/* Returns the end of the range in the set that ends highest; 0 if the set is empty. */
uint64_t etc_cover_end(const struct etc_cover *c);

#endif
