/* random.c -- see random.h */
#include "stats/random.h"

#include "base/splitmix.h"
#include "stats/distribution.h"

#include <math.h>

void etc_random_seed(struct etc_random *r, uint64_t seed, uint64_t stream)
{
	uint64_t x = seed, y;

	y = etc_splitmix(&x) ^ stream * 0xd1342543de82ef95u;
	for (int i = 0; i < 4; i++)
		r->s[i] = etc_splitmix(&y);
}

static uint64_t rotate(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

static uint64_t next_word(struct etc_random *r)
{
	uint64_t *s = r->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

uint32_t etc_random_below(struct etc_random *r, uint32_t n)
{
	uint64_t m = (next_word(r) >> 32) * n;

	if ((uint32_t)m < n) {
		uint32_t reject = (0u - n) % n;

		while ((uint32_t)m < reject)
			m = (next_word(r) >> 32) * n;
	}
	return (uint32_t)(m >> 32);
}

double etc_random_unit(struct etc_random *r)
{
	return ((double)(next_word(r) >> 12) + 0.5) * 0x1p-52;
}

double etc_random_normal(struct etc_random *r)
{
	return etc_normal_quantile(etc_random_unit(r));
}

double etc_random_gamma(struct etc_random *r, double shape)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = etc_random_normal(r), v = 1 + c * x, u;

		if (v <= 0)
			continue;
		v = v * v * v;
		u = etc_random_unit(r);
		if (u < 1 - 0.0331 * x * x * x * x)
			return d * v;
		if (log(u) < 0.5 * x * x + d * (1 - v + log(v)))
			return d * v;
	}
}
