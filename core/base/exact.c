/* exact.c -- see exact.h.
 *
 * The quotient is computed bit by bit (schoolbook division) until it has one bit more than a
 * double; the remainder decides the rounding. */
#include "base/exact.h"

#include <math.h>

enum { MANTISSA = 53 };

static int bits(etc_u128 v)
{
	uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;

	if (high)
		return 128 - __builtin_clzll(high);
	return low ? 64 - __builtin_clzll(low) : 0;
}

double etc_ratio_double(struct etc_ratio r)
{
	etc_u128 whole, rest;
	uint64_t q;
	int exponent = 0, extra;
	bool sticky = false;

	if (r.den == 0 || r.num == 0)
		return 0;
	/* If numerator and denominator are exact doubles, the processor's division also rounds
	 * only once. */
	if ((r.num | r.den) >> MANTISSA == 0)
		return (double)r.num / (double)r.den;
	whole = r.num / r.den;
	rest = r.num % r.den;
	/* If the integer part has more than 54 bits, the lower ones are dropped. Rounding only
	 * needs to know whether one of them was set: `sticky`. */
	extra = bits(whole) - (MANTISSA + 1);
	if (extra > 0) {
		sticky = (whole & (((etc_u128)1 << extra) - 1)) != 0;
		whole >>= extra;
		exponent = extra;
	}
	q = (uint64_t)whole;
	while (q < (uint64_t)1 << MANTISSA) {
		/* rest * 2 may exceed 128 bits: compare without computing it. */
		bool one = rest >= r.den - rest;

		rest = one ? rest - (r.den - rest) : rest + rest;
		q = q << 1 | one;
		exponent--;
	}
	sticky = sticky || rest != 0;
	/* q has 54 bits: round to 53. */
	if ((q & 1) && (sticky || (q & 2)))
		q++;
	return ldexp((double)(q >> 1), exponent + 1);
}

/* Computes the convergents of the continued fraction of `rate`, beginning with the simplest.
 * Returns the first one whose relative difference from `rate` is at most 2^-51, the error of two
 * roundings. */
struct etc_ratio etc_ratio_near(double rate)
{
	struct etc_ratio last = { 1, 0 }, before = { 0, 1 };
	etc_u128 num, den;
	int exponent;

	if (!(rate < 0x1p64))
		return etc_ratio(UINT64_MAX, 1);
	if (rate < 0x1p-64)
		return etc_ratio(0, 1);
	/* The common case: a whole number, such as the 1000 ns of a microsecond. */
	if (rate == trunc(rate))
		return etc_ratio((etc_u128)rate, 1);
	/* A double is an integer divided by a power of two. */
	num = (etc_u128)ldexp(frexp(rate, &exponent), MANTISSA);
	num <<= exponent > MANTISSA ? exponent - MANTISSA : 0;
	den = (etc_u128)1 << (exponent > MANTISSA ? 0 : MANTISSA - exponent);
	while (den) {
		etc_u128 whole = num / den, rest = num % den;
		struct etc_ratio next = { whole * last.num + before.num,
			                  whole * last.den + before.den };

		if (next.num > UINT64_MAX || next.den > UINT64_MAX)
			break;
		before = last;
		last = next;
		num = den;
		den = rest;
		if (fabs((double)last.num / (double)last.den - rate) <= rate * 0x1p-51)
			break;
	}
	return last;
}

uint64_t etc_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

uint64_t etc_common_multiple(uint64_t a, uint64_t b, uint64_t most)
{
	uint64_t multiple;

	if (__builtin_mul_overflow(a / etc_common_divisor(a, b), b, &multiple) || multiple > most)
		return 0;
	return multiple;
}

bool etc_ratio_whole(struct etc_ratio r, uint64_t *v)
{
	etc_u128 q;

	if (r.den == 0 || r.num % r.den != 0)
		return false;
	q = r.num / r.den;
	*v = (uint64_t)q;
	return q >> 64 == 0;
}
