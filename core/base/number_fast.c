/* number_fast.c -- fast path for formatting numbers in the common range; number.cpp handles the
 * rest.
 *
 * %g: for 0.0001 <= v < 10^6, v is multiplied by a power of ten that is an exact double, so that
 * its six digits are before the point. The product has one rounding error, below 2e-10. If the
 * fraction of the product differs from one half by more than this error, the six digits are
 * correct.
 *
 * repr: most values are times: whole numbers n of ticks, divided by 10^6 or 10^9. If n has at most
 * 15 digits, and n / 10^6 or n / 10^9 is exactly the given double, the digits of n are the shortest
 * that repr could print, because two different numbers of at most 15 digits are never the same
 * double. */
#include "base/digits.h"
#include "base/number.h"

enum { DIGITS = 6, LEAST_EXPONENT = -4, MOST_BEHIND = DIGITS - LEAST_EXPONENT - 1 };

/* A number of six significant digits without trailing zeros. It has `count` digits, and the first
 * one has the weight 10^exponent. */
struct six {
	uint32_t digits;
	int exponent, count;
};

/* Returns the decimal exponent of `v`, which is at least 1e-4 and less than 1e6: v / 10^exponent is
 * at least 1 and less than 10. The result is computed from the binary exponent (1233 / 4096
 * approximates log10(2)), then corrected if it is one too small. */
static int exponent_of(double v)
{
	static const double powers[] = { 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6 };
	const int bias = 1023, lift = LEAST_EXPONENT - 1;
	uint64_t bits;
	int i;

	memcpy(&bits, &v, sizeof bits);
	i = (((int)(bits >> 52) - bias) * 1233 - lift * 4096) >> 12;
	return i + lift + (v >= powers[i]);
}

/* Divides `*digits` by `by` and returns 1 if that leaves no remainder; else returns 0. */
static int divide(uint32_t *digits, uint32_t by)
{
	uint32_t quotient = *digits / by;
	bool whole = quotient * by == *digits;

	*digits = whole ? quotient : *digits;
	return whole;
}

/* Computes the six significant digits of `v`. False: the digits may be wrong, and the caller must
 * use the general algorithm. */
static bool six_digits(double v, struct six *six)
{
	static const double shift[] = { 1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1 };
	const double margin = 1e-8;
	double scaled, behind;
	uint32_t digits;

	if (!(v >= 1e-4 && v < 1e6))
		return false;
	six->exponent = exponent_of(v);
	scaled = v * shift[six->exponent - LEAST_EXPONENT];
	digits = (uint32_t)scaled;
	behind = scaled - digits;
	if (behind > 0.5 - margin && behind < 0.5 + margin)
		return false;
	digits += behind > 0.5;
	if (digits == 1000000) {
		digits = 100000;
		six->exponent++;
	}
	if (digits < 100000 || six->exponent >= DIGITS)
		return false;
	/* Removes at most five zeros without branches, which would be mispredicted. */
	six->count = DIGITS - 3 * divide(&digits, 1000);
	six->count -= divide(&digits, 10);
	six->count -= divide(&digits, 10);
	six->digits = digits;
	return true;
}

/* Returns the number of characters that %g writes before the point. */
static size_t whole_of(const struct six *six)
{
	return six->exponent < 0 ? 1 : (size_t)six->exponent + 1;
}

/* Returns the number of characters that %g writes after the point; -1 if there is no point. */
static int behind_point(const struct six *six)
{
	int behind = six->count - six->exponent - 1;

	return behind > 0 ? behind : -1;
}

/* Returns the number of characters after the decimal point in `s`; if `s` has no point, after the
 * letter e; -1 if `s` has neither. `s` was written by the general algorithm, not by the fast
 * one. */
static int behind_of(struct etc_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == '.' || s.ptr[i] == 'e')
			return (int)(s.len - i) - 1;
	return -1;
}

size_t etc_number_g_size(double v, int *behind)
{
	struct six six;

	if (!six_digits(v < 0 ? -v : v, &six)) {
		char text[ETC_NUMBER_MAX];
		struct etc_str s = { text, etc_number_g_any(text, v) };

		*behind = behind_of(s);
		return s.len;
	}
	*behind = behind_point(&six);
	return (v < 0) + whole_of(&six) + (size_t)(*behind + 1);
}

size_t etc_number_g_point(char to[ETC_NUMBER_MAX], double v, int *behind)
{
	char digit[16] = "000000000000000", *at = to;
	size_t whole;
	struct six six;

	if (!six_digits(v < 0 ? -v : v, &six)) {
		size_t n = etc_number_g_any(to, v);

		*behind = behind_of((struct etc_str){ to, n });
		return n;
	}
	*behind = behind_point(&six);
	whole = whole_of(&six);
	if (v < 0)
		*at++ = '-';
	etc_digits_put(digit + (six.exponent < 0 ? -six.exponent : 0), (size_t)six.count,
	               six.digits);
	/* Writes all six digits; trailing zeros are overwritten later. */
	memcpy(at, digit, DIGITS);
	at[whole] = '.';
	memcpy(at + whole + 1, digit + whole, MOST_BEHIND);
	return (size_t)(at - to) + whole + (size_t)(*behind + 1);
}

size_t etc_number_g(char to[ETC_NUMBER_MAX], double v)
{
	int behind;

	return etc_number_g_point(to, v, &behind);
}

/* Writes `n` / 10^places in Python's format; n must not be 0. */
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
