/* splitmix.h -- the random number generator splitmix64 of Vigna: from a 64-bit state it makes the
 * same numbers on every machine. For seeds and for uses without statistical requirements;
 * statistics use stats/random.h. */
#ifndef ETC_BASE_SPLITMIX_H
#define ETC_BASE_SPLITMIX_H

#include <stdint.h>

static inline uint64_t etc_splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

#endif
