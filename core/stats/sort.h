/* sort.h -- ascending doubles, in linear time. */
#ifndef ETC_STATS_SORT_H
#define ETC_STATS_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts v[0 .. n) of finite numbers; `scratch` holds n more. Radix sort over the
 * bytes in which the numbers differ. -0 becomes 0. */
void etc_sort(double *v, size_t n, double *scratch);

/* order[0 .. n) becomes the indices of `v` by value, equal values by index (n <
 * 2^32); `scratch` holds n more indices. */
void etc_sort_order(const double *v, size_t n, uint32_t *order, uint32_t *scratch);

#endif
