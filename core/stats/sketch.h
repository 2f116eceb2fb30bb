/* sketch.h -- a DDSketch of times: counts of values in buckets whose width grows with the value, so
 * that sketches are merged by adding counts, and a quantile has a relative error below 1 %.
 *
 * Buckets are those of the linearly interpolated index: 64 of equal width from each power of two to
 * the next. With integers only:
 *
 *     value < 1:   bucket 0
 *     otherwise:   e = floor(log2(value)), bucket = 64 e + floor(64 value / 2^e) - 63
 *
 * Bucket b > 0 has e = (b - 1) div 64, s = (b - 1) mod 64, and the values from (64 + s) 2^e / 64
 * on, below (65 + s) 2^e / 64. Its middle (129 + 2 s) 2^e / 128 is a double without rounding, and
 * differs from each of these values by at most 1/128 of it.
 *
 * DDSketch: Masson, Rim, Lee: DDSketch, a fast and fully-mergeable quantile sketch. VLDB 2019. */
#ifndef ETC_STATS_SKETCH_H
#define ETC_STATS_SKETCH_H

#include "base/exact.h"

/* Returns the bucket of the value v / den, den > 0. */
uint32_t etc_sketch_bucket(uint64_t v, uint64_t den);

/* Returns the middle of a bucket; 0 for bucket 0. */
double etc_sketch_value(uint32_t bucket);

#endif
