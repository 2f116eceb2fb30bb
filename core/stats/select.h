/* select.h -- order statistics of 64-bit numbers without sorting.
 *
 * A radix search: time is linear whatever the numbers are, so no file can
 * make it slow. */
#ifndef ETC_STATS_SELECT_H
#define ETC_STATS_SELECT_H

#include "base/exact.h"

#include <stddef.h>

/* The k-th smallest (from 0) of v[0 .. n), k < n. Reorders `v`. `*below`, unless
 * NULL, gets how many of the n are smaller than the result. */
uint64_t etc_select(uint64_t *v, size_t n, size_t k, size_t *below);

/* The quantile tenths / 10 of v[0 .. n), n > 0, by linear interpolation between
 * the two nearest: exact, a number over 10. Reorders `v`. */
struct etc_ratio etc_quantile(uint64_t *v, size_t n, unsigned tenths);

#endif
