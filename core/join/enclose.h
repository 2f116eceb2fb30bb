/* enclose.h -- finds, for each interval of a set, the smallest other interval of the set that
 * encloses it.
 *
 * The runtime's events of one call nest by time. If two intervals are equal, the later one in the
 * file encloses the other, since an event is logged when it ends. If several equally small
 * intervals enclose one, the first in the file is taken. */
#ifndef ETC_JOIN_ENCLOSE_H
#define ETC_JOIN_ENCLOSE_H

#include "base/arena.h"

struct etc_event_interval {
	uint64_t start, end; /* start <= end */
	uint32_t order;      /* position in the file; unique */
	/* output: member `order` of the smallest interval that encloses this interval;
	 * UINT32_MAX: there is no such interval */
	uint32_t around;
};

/* Sets `around` of v[0 .. n): the smallest interval that encloses each. Reorders v[0 .. n), so that
 * the next call is fast if its intervals nest in the same way. `room` is working memory for n
 * numbers. O(n log n), and linear if the intervals are in order and either nested or disjoint.
 * Returns false if out of memory. */
bool etc_enclose(struct etc_event_interval *v, uint32_t n, uint32_t *room);

/* Does `a` enclose `b`? */
static inline bool etc_encloses(uint64_t a_start, uint64_t a_end, uint32_t a_order,
                                uint64_t b_start, uint64_t b_end, uint32_t b_order)
{
	return a_start <= b_start && b_end <= a_end &&
	       (a_start != b_start || a_end != b_end || a_order > b_order);
}

#endif
