/* sort.h -- sorts doubles in linear time. */
#ifndef ETC_STATS_SORT_H
#define ETC_STATS_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A key that compares like the number: the bits of the double, all of them flipped if it is
 * negative, else only the sign bit. The key of -0 is less than that of 0. */
static inline uint64_t etc_order_key(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* etc_order_key(), but -0 is equal to 0. */
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

/* Sorts v[0 .. n), finite numbers; `scratch` has room for n more. Insertion sort up to 32 numbers;
 * above, radix sort over the bytes in which the numbers differ, in which -0 becomes 0. */
void etc_sort(double *v, size_t n, double *scratch);

/* order[0 .. n) becomes the indices of `v` sorted by value, equal values by index (n <
 * 2^32); `scratch` has room for n indices. */
void etc_sort_order(const double *v, size_t n, uint32_t *order, uint32_t *scratch);

#endif
