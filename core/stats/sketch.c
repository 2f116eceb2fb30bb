/* sketch.c -- see sketch.h. */
#include "stats/sketch.h"

#include <math.h>

enum { PER_OCTAVE = 64, PER_OCTAVE_BITS = 6 };

uint32_t etc_sketch_bucket(uint64_t v, uint64_t den)
{
	const etc_u128 scaled = (etc_u128)v * PER_OCTAVE / den;
	const uint64_t high = (uint64_t)(scaled >> PER_OCTAVE_BITS); /* floor(v / den) */
	uint32_t e;

	if (!high)
		return 0;
	e = 63 - (uint32_t)__builtin_clzll(high);
	return PER_OCTAVE * e + (uint32_t)(scaled >> e) - (PER_OCTAVE - 1);
}

double etc_sketch_value(uint32_t bucket)
{
	const uint32_t e = (bucket - 1) / PER_OCTAVE, s = (bucket - 1) % PER_OCTAVE;

	return bucket ? ldexp((double)(2 * (PER_OCTAVE + s) + 1), (int)e - PER_OCTAVE_BITS - 1) : 0;
}
