/* scalar_value.c -- see scalar_value.h */
#include "model/scalar_value.h"

#include <math.h>
#include <string.h>

/* The meaning of the largest exponent of a small float. */
enum ends {
	IEEE, /* it encodes infinities and NaNs, as in IEEE 754 */
	FN,   /* numbers, but all bits set is NaN; there are no infinities */
	FNUZ  /* numbers; there are no infinities, and the only NaN has the bits of minus zero */
};

/* Decodes a float that consists of a sign bit, `exponent` bits of exponent and `mantissa` bits of
 * mantissa. */
static double small_float(unsigned bits, unsigned exponent, unsigned mantissa, int bias,
                          enum ends ends)
{
	unsigned top = (1u << exponent) - 1, fraction = bits & ((1u << mantissa) - 1);
	unsigned power = bits >> mantissa & top, negative = bits >> (mantissa + exponent) & 1;
	double value;

	if (ends == FNUZ && negative && power == 0 && fraction == 0)
		return (double)NAN;
	if (ends == IEEE && power == top)
		value = fraction ? (double)NAN : (double)INFINITY;
	else if (ends == FN && power == top && fraction == (1u << mantissa) - 1)
		value = (double)NAN;
	else if (power == 0)
		value = ldexp((double)fraction, 1 - bias - (int)mantissa);
	else
		value = ldexp((double)(fraction | 1u << mantissa),
		              (int)power - bias - (int)mantissa);
	return negative ? -value : value;
}

/* Loads an element of at most 8 bytes, little-endian. */
static uint64_t load(const uint8_t *at, size_t bytes)
{
	uint64_t v = 0;

	memcpy(&v, at, bytes);
	return v;
}

double etc_real_of_f32(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return (double)f;
}

double etc_real_of_f64(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

double etc_scalar_real(const struct etc_scalar_type *type, const uint8_t *array, size_t index)
{
	size_t bits = type->bits, at = index * bits;
	uint64_t v = bits >= 8 ? load(array + index * (bits / 8), bits / 8)
	                       : (uint64_t)array[at / 8] >> at % 8 & ((1u << bits) - 1);

	switch (type->kind) {
	case ETC_SCALAR_SIGNED:
		return (double)((int64_t)(v << (64 - bits)) >> (64 - bits));
	case ETC_SCALAR_UNSIGNED:
		return (double)v;
	case ETC_SCALAR_BOOL:
		return v != 0;
	case ETC_SCALAR_FLOAT:
		return bits == 64 ? etc_real_of_f64(v) : etc_real_of_f32((uint32_t)v);
	case ETC_SCALAR_HALF:
		return small_float((unsigned)v, 5, 10, 15, IEEE);
	case ETC_SCALAR_BFLOAT16:
		return etc_real_of_f32((uint32_t)v << 16);
	case ETC_SCALAR_E5M2:
		return small_float((unsigned)v, 5, 2, 15, IEEE);
	case ETC_SCALAR_E4M3FN:
		return small_float((unsigned)v, 4, 3, 7, FN);
	case ETC_SCALAR_E5M2FNUZ:
		return small_float((unsigned)v, 5, 2, 16, FNUZ);
	case ETC_SCALAR_E4M3FNUZ:
		return small_float((unsigned)v, 4, 3, 8, FNUZ);
	}
	return (double)NAN;
}
