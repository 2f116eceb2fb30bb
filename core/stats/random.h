/* random.h -- reproducible random numbers: a seed gives the same numbers on every
 * machine.
 *
 * xoshiro256** of Blackman and Vigna (2018); splitmix64 fills its state, as its authors
 * advise. Streams of one seed are independent generators. */
#ifndef ETC_STATS_RANDOM_H
#define ETC_STATS_RANDOM_H

#include <stdint.h>

struct etc_random {
	uint64_t s[4];
};

void etc_random_seed(struct etc_random *r, uint64_t seed, uint64_t stream);

/* Returns a uniform integer from 0 to n - 1, 0 < n < 2^32: Lemire, "Fast random integer generation
 * in an interval", ACM TOMACS 29 (2019). */
uint32_t etc_random_below(struct etc_random *r, uint32_t n);

/* Returns a uniform number above 0 and below 1: an odd multiple of 2^-53. */
double etc_random_unit(struct etc_random *r);

/* Returns a standard normal variate, made by inverting the distribution function. */
double etc_random_normal(struct etc_random *r);

/* Returns a gamma variate with scale 1 and `shape` >= 1: Marsaglia and Tsang, "A simple method for
 * generating gamma variables", ACM TOMS 26 (2000). */
double etc_random_gamma(struct etc_random *r, double shape);

#endif
