/* number_g.c -- %g of numbers of a usual size.
 *
 * Between 0.0001 and a million a number times a power of ten that is a double shows
 * its six digits before the point, with an error of one rounding: below 2e-10. Where
 * what is behind the point is farther than that from a half, the digits are right; the
 * rest is for number.cpp, whose algorithm is for every number. */
#include "base/number.h"

enum { DIGITS = 6, LEAST_EXPONENT = -4 };

/* 1 <= v / 10^exponent < 10, but for the last bit of 10^exponent. */
static int exponent_of(double v)
{
	static const double powers[] = { 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5 };
	int i = 0;

	while (i < (int)(sizeof powers / sizeof powers[0]) && v >= powers[i])
		i++;
	return i + LEAST_EXPONENT;
}

/* The digits of `v` as a number from 100000 to 999999, and the power of ten of the
 * first; false: not here. */
static bool six_digits(double v, uint32_t *digits, int *exponent)
{
	static const double shift[] = { 1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1 };
	const double margin = 1e-8;
	double scaled, behind;

	if (!(v >= 1e-4 && v < 1e6))
		return false;
	*exponent = exponent_of(v);
	scaled = v * shift[*exponent - LEAST_EXPONENT];
	*digits = (uint32_t)scaled;
	behind = scaled - *digits;
	if (behind > 0.5 - margin && behind < 0.5 + margin)
		return false;
	*digits += behind > 0.5;
	if (*digits == 1000000) {
		*digits = 100000;
		++*exponent;
	}
	return *digits >= 100000 && *exponent < DIGITS;
}

size_t etc_number_g(char to[ETC_NUMBER_MAX], double v)
{
	char digit[DIGITS], *at = to;
	int exponent, count = DIGITS;
	uint32_t digits;

	if (!six_digits(v < 0 ? -v : v, &digits, &exponent))
		return etc_number_g_any(to, v);
	for (int i = DIGITS; i-- > 0; digits /= 10)
		digit[i] = (char)('0' + digits % 10);
	while (count > 1 && digit[count - 1] == '0')
		count--;
	if (v < 0)
		*at++ = '-';
	if (exponent < 0)
		*at++ = '0';
	for (int i = 0; i <= exponent; i++)
		*at++ = i < count ? digit[i] : '0';
	if (count <= exponent + 1)
		return (size_t)(at - to);
	*at++ = '.';
	for (int i = exponent + 1; i < count; i++)
		*at++ = i < 0 ? '0' : digit[i];
	return (size_t)(at - to);
}
