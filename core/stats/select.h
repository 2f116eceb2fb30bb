/* select.h -- order statistics of 64-bit numbers without sorting.
 *
 * Time is linear whatever the numbers are, so no file can make it slow. To select among doubles,
 * select among the integers that etc_sort_key() (sort.h) makes of them, which have the same
 * order. */
#ifndef ETC_STATS_SELECT_H
#define ETC_STATS_SELECT_H

#include "base/exact.h"

#include <stddef.h>

/* Partially sorts v[from, n): v[k] gets the value that it would have in sorted order; values before
 * it are not larger, values after it not smaller. The caller guarantees that no value before `from`
 * is larger than one in v[from, n). Returns an index `to` above k such that the values v[k .. to)
 * are sorted. */
size_t etc_select_from(uint64_t *v, size_t from, size_t n, size_t k);

/* Returns the k-th smallest, from 0, of v[0 .. n), k < n. Reorders `v`. If `below` is not NULL,
 * sets it to the count of numbers smaller than the result. */
uint64_t etc_select(uint64_t *v, size_t n, size_t k, size_t *below);

/* Returns the quantile tenths / 10 of v[0 .. n), n > 0, by linear interpolation. The result is
 * exact: a fraction with denominator 10. Reorders `v`. */
struct etc_ratio etc_quantile(uint64_t *v, size_t n, unsigned tenths);

#endif
