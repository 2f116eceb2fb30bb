/* enclose.h -- the smallest interval around each interval of a set.
 *
 * The runtime's events of one call nest by time. Two equal intervals: the later
 * in the file is the outer one, for an event is logged when it ends; among
 * several that are equally small the first in the file is taken. */
#ifndef ETC_JOIN_ENCLOSE_H
#define ETC_JOIN_ENCLOSE_H

#include "base/arena.h"

struct etc_interval {
	uint64_t start, end; /* start <= end */
	uint32_t order;      /* place in the file; unique */
	uint32_t around;     /* out: order of the smallest interval around it, or UINT32_MAX */
};

/* Fills `around` of v[0 .. n) and may reorder them; the order it leaves makes
 * the next call fast when times nest in the same way. `room` holds n numbers
 * of scratch. n log n whatever the intervals are; linear when they are in order
 * already and either nested or apart. False when memory is exhausted. */
bool etc_enclose(struct etc_interval *v, uint32_t n, uint32_t *room);

/* Does `a` enclose `b`? */
static inline bool etc_encloses(uint64_t a_start, uint64_t a_end, uint32_t a_order,
                                uint64_t b_start, uint64_t b_end, uint32_t b_order)
{
	return a_start <= b_start && b_end <= a_end &&
	       (a_start != b_start || a_end != b_end || a_order > b_order);
}

#endif
