/* wide.h -- exact sums of doubles, and a correctly rounded division.
 *
 * A sum is a fixed-point number, wide enough for 2^40 products of a finite double and a factor
 * below 2^64. It does not depend on the order of the additions. For integers and times see
 * exact.h. */
#ifndef ETC_BASE_WIDE_H
#define ETC_BASE_WIDE_H

#include "base/exact.h"

enum { ETC_WIDE_LIMBS = 72 };

/* A sum. A struct in which all bytes are zero is the sum 0. */
struct etc_wide {
	/* The limbs (digits) of the sum, the lowest first. A limb is the lower 32 bits of an
	 * element; the bits above are carries that were not propagated yet. */
	int64_t limb[ETC_WIDE_LIMBS];
	uint32_t added; /* number of additions since the carries were last propagated */
};

/* Adds v * times to the sum; v must be finite. */
void etc_wide_add(struct etc_wide *w, double v, uint64_t times);
void etc_wide_add_whole(struct etc_wide *w, int64_t v, uint64_t times);

/* Returns the double nearest to the sum divided by `by`, ties to even; 0 < by < 2^127. A quotient
 * larger than any double is infinite. */
double etc_wide_over(const struct etc_wide *w, etc_u128 by);

#endif
