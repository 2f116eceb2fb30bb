/* wide.c -- see wide.h */
#include "base/wide.h"

#include <math.h>

enum {
	LIMB = 32,
	LOWEST = -1074, /* exponent of the lowest bit, which is that of the smallest double */
	MANTISSA = 53,  /* bits of a double */
	/* bits of a quotient that are computed; the rest of the division only counts as zero or
	 * not zero */
	ROUNDED = 64,
	CARRY_EACH = 1 << 30
};

/* Propagates carries: each limb becomes 0 to 2^32 - 1, except that the highest has the sign. */
static void carry(struct etc_wide *w)
{
	int64_t over = 0;

	for (int i = 0; i < ETC_WIDE_LIMBS - 1; i++) {
		int64_t v = w->limb[i] + over, low = v & UINT32_MAX;

		over = (v - low) / ((int64_t)1 << LIMB);
		w->limb[i] = low;
	}
	w->limb[ETC_WIDE_LIMBS - 1] += over;
	w->added = 0;
}

/* Adds m * times * 2^exponent to the sum; if `negative`, subtracts it. */
static void add(struct etc_wide *w, uint64_t m, int exponent, uint64_t times, bool negative)
{
	etc_u128 product = (etc_u128)m * times;
	unsigned at = (unsigned)(exponent - LOWEST), shift = at % LIMB;
	uint64_t below = (uint64_t)(product << shift) & UINT32_MAX;

	/* the first piece fills the rest of a limb; the pieces that follow are whole limbs */
	product >>= LIMB - shift; /* LIMB - shift is 1 to 32 */
	for (unsigned i = at / LIMB; i < ETC_WIDE_LIMBS; i++) {
		w->limb[i] += negative ? -(int64_t)below : (int64_t)below;
		if (product == 0)
			break;
		below = (uint64_t)product & UINT32_MAX;
		product >>= LIMB;
	}
	if (++w->added == CARRY_EACH)
		carry(w);
}

void etc_wide_add(struct etc_wide *w, double v, uint64_t times)
{
	int exponent;
	double mantissa = frexp(fabs(v), &exponent);
	uint64_t m = (uint64_t)ldexp(mantissa, MANTISSA);

	exponent -= MANTISSA;
	for (; exponent < LOWEST && m; exponent++) /* the low bits of a denormal are 0 */
		m >>= 1;
	if (m)
		add(w, m, exponent, times, v < 0);
}

void etc_wide_add_whole(struct etc_wide *w, int64_t v, uint64_t times)
{
	add(w, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 0, times, v < 0);
}

static void negate(struct etc_wide *w)
{
	for (int i = 0; i < ETC_WIDE_LIMBS; i++)
		w->limb[i] = -w->limb[i];
	carry(w);
}

double etc_wide_over(const struct etc_wide *w, etc_u128 by)
{
	struct etc_wide v = *w;
	etc_u128 rest = 0;
	uint64_t quotient = 0;
	int bits = 0, at = ETC_WIDE_LIMBS * LIMB - 1, lowest;
	bool negative;
	double d;

	carry(&v);
	negative = v.limb[ETC_WIDE_LIMBS - 1] < 0;
	if (negative)
		negate(&v);
	/* Long division, one bit of the sum and of the quotient at a time, from the highest on. The
	 * loop ends when the quotient has ROUNDED bits, or at bit -2. Bit 0 stands for the smallest
	 * double; the sum has no bits below that, so the bits -1 and -2 are zero. The bits of the
	 * quotient and whether there is a remainder suffice to round correctly. */
	for (; at >= -2 && bits < ROUNDED; at--) {
		uint64_t bit = at < 0 ? 0 : (uint64_t)v.limb[at / LIMB] >> at % LIMB & 1;

		rest = rest << 1 | bit;
		quotient <<= 1;
		if (rest >= by) {
			rest -= by;
			quotient |= 1;
		}
		bits += quotient != 0;
	}
	lowest = at + 1 + LOWEST;
	for (; at >= 0 && rest == 0; at--)
		rest = (uint64_t)v.limb[at / LIMB] >> at % LIMB & 1;
	if (rest)
		quotient |= 1;
	d = ldexp((double)quotient, lowest);
	return negative ? -d : d;
}
