/* exact.h -- exact sums of times, and a correctly rounded division.
 *
 * Times are added up as 128-bit integers, so the sums of rows add up to the total exactly. A sum is
 * converted to a double, correctly rounded, only when it is written. */
#ifndef ETC_BASE_EXACT_H
#define ETC_BASE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 etc_u128;

/* Compares two uint64_t for qsort(), in ascending order. */
static inline int etc_by_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The rational number num / den. den 0: unknown. */
struct etc_ratio {
	etc_u128 num, den;
};

static inline struct etc_ratio etc_ratio(etc_u128 num, etc_u128 den)
{
	return (struct etc_ratio){ num, den };
}

/* Returns the double nearest to the ratio, ties to even, as Python's int / int does; 0 if the ratio
 * is unknown. */
double etc_ratio_double(struct etc_ratio r);

/* Returns the simplest fraction whose value is `rate`, apart from the rounding of the double: 5/6
 * for 1e9 / 1.2e9, 1302/25 for 52.08. Numerator and denominator fit 64 bits; a rate that is too
 * large becomes UINT64_MAX, a rate below 2^-64 becomes 0. The rate must be above 0. */
struct etc_ratio etc_ratio_near(double rate);

/* Returns the greatest common divisor of `a` and `b`; if one number is 0, the other number. */
uint64_t etc_common_divisor(uint64_t a, uint64_t b);

/* Returns the least common multiple of `a` and `b`, which are above 0; 0: it exceeds `most`. */
uint64_t etc_common_multiple(uint64_t a, uint64_t b, uint64_t most);

/* Is the ratio an integer that fits 64 bits? If so, `*v` is set. */
bool etc_ratio_whole(struct etc_ratio r, uint64_t *v);

#endif
