/* wide.h -- exact sums of doubles, and the one division that rounds.
 *
 * A fixed-point number wide enough for every finite double times 2^64, added up 2^40 times; the
 * sum does not depend on the order. For whole numbers and times see exact.h. */
#ifndef ETC_BASE_WIDE_H
#define ETC_BASE_WIDE_H

#include "base/exact.h"

enum { ETC_WIDE_LIMBS = 72 };

/* Zeroed is 0. */
struct etc_wide {
	/* 32 bits each, the lowest first; higher bits are carries that are not propagated
	 * yet */
	int64_t limb[ETC_WIDE_LIMBS];
	uint32_t added; /* additions since carries were propagated */
};

/* Adds v * times; v is finite. */
void etc_wide_add(struct etc_wide *w, double v, uint64_t times);
void etc_wide_add_whole(struct etc_wide *w, int64_t v, uint64_t times);

/* The double that is nearest to the sum / by, ties to even; by is not 0 and below 2^127.
 * What is larger than any double is infinite. */
double etc_wide_over(const struct etc_wide *w, etc_u128 by);

#endif
