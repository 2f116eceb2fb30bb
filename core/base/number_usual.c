/* number_usual.c -- numbers of a usual size as text, without an algorithm for all.
 *
 * %g: between 0.0001 and a million a number times a power of ten that is a double shows
 * its six digits before the point, with an error of one rounding: below 2e-10. Where
 * what is behind the point is farther than that from a half, the digits are right.
 *
 * repr: times are whole numbers of ticks in another unit, so they are n / 10^6 or
 * n / 10^9. Where dividing gives the very same double and n has at most 15 digits, these
 * are the shortest: no two numbers of so few digits are one double.
 *
 * The rest is for number.cpp. */
#include "base/digits.h"
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

/* `n` / 10^places, which is not 0, as Python writes it. */
static size_t put_fraction(char *to, uint64_t n, unsigned places)
{
	char digit[20], *at = to;
	size_t count, whole;

	for (; places > 1 && n % 10 == 0; places--)
		n /= 10;
	count = etc_digits_of(n);
	etc_digits_put(digit, count, n);
	if (count <= places) {
		*at++ = '0';
		*at++ = '.';
		memset(at, '0', places - count);
		memcpy(at + places - count, digit, count);
		return 2 + places;
	}
	whole = count - places;
	memcpy(at, digit, whole);
	at[whole] = '.';
	memcpy(at + whole + 1, digit + whole, places);
	return count + 1;
}

size_t etc_number_repr(char to[ETC_NUMBER_MAX], double v)
{
	static const struct {
		double power;
		unsigned places;
	} units[] = { { 1e6, 6 }, { 1e9, 9 } };
	double size = v < 0 ? -v : v;

	for (size_t i = 0; i < sizeof units / sizeof units[0] && size >= 1e-4 && size < 1e9; i++) {
		uint64_t n = (uint64_t)(size * units[i].power + 0.5);

		if (n >= 1000000000000000u || (double)n / units[i].power != size)
			continue;
		*to = '-';
		return (v < 0) + put_fraction(to + (v < 0), n, units[i].places);
	}
	return etc_number_repr_any(to, v);
}
