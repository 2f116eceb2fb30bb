/* sort.h -- sorts doubles in linear time. */
#ifndef ETC_STATS_SORT_H
#define ETC_STATS_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns an integer key for a number; the keys have the order of their numbers. If the number is
 * negative, all bits of the double are flipped, otherwise only the sign bit. The key of -0 is less
 * than that of 0. */
static inline uint64_t etc_order_key(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Like etc_order_key(), but the key of -0 equals that of 0. */
static inline uint64_t etc_sort_key(double x)
{
	return etc_order_key(x + 0.0);
}

static inline double etc_sort_number(uint64_t key)
{
	uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/* Sorts v[0 .. n), finite numbers, in ascending order; `scratch` has room for n more. Up to 32
 * numbers are sorted by insertion. More are sorted by radix sort over the bytes in which they
 * differ; this turns -0 into 0. */
void etc_sort(double *v, size_t n, double *scratch);

/* Sets order[0 .. n) to the indices of `v`, sorted by value, and by index where values are equal; n
 * < 2^32. `scratch` has room for n indices. */
void etc_sort_order(const double *v, size_t n, uint32_t *order, uint32_t *scratch);

#endif
