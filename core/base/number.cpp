/* number.cpp -- see number.h. C++ only because of <charconv>; compiled without exceptions and
 * RTTI, and with C functions as its interface. */
#include "base/number.h"

#include <charconv>
#include <cmath>

static size_t special(char *to, double v)
{
	const char *text = std::isnan(v) ? "nan" : v < 0 ? "-inf" : "inf";
	size_t len = strlen(text);

	memcpy(to, text, len);
	return len;
}

extern "C" size_t etc_number_repr_any(char *to, double v)
{
	char sci[ETC_NUMBER_MAX];
	char digits[24];
	size_t n = 0, out = 0;

	if (!std::isfinite(v))
		return special(to, v);
	/* d.ddde[+-]xx: split into digits and exponent. */
	auto end = std::to_chars(sci, sci + sizeof sci, v, std::chars_format::scientific).ptr;
	const char *p = sci;

	if (*p == '-')
		to[out++] = *p++;
	for (; p < end && *p != 'e'; p++)
		if (*p != '.')
			digits[n++] = *p;
	int exponent = 0;

	for (const char *e = p + 2; e < end; e++)
		exponent = exponent * 10 + (*e - '0');
	exponent = p[1] == '-' ? -exponent : exponent;

	/* Python: fixed for 1e-4 <= |v| < 1e16 (and 0), else scientific. */
	if (v == 0 || (exponent >= -4 && exponent < 16)) {
		if (exponent < 0) {
			to[out++] = '0';
			to[out++] = '.';
			for (int i = -1; i > exponent; i--)
				to[out++] = '0';
			memcpy(to + out, digits, n);
			return out + n;
		}
		size_t whole = (size_t)exponent + 1;

		for (size_t i = 0; i < whole; i++)
			to[out++] = i < n ? digits[i] : '0';
		to[out++] = '.';
		if (n <= whole)
			to[out++] = '0';
		for (size_t i = whole; i < n; i++)
			to[out++] = digits[i];
		return out;
	}
	to[out++] = digits[0];
	if (n > 1) {
		to[out++] = '.';
		memcpy(to + out, digits + 1, n - 1);
		out += n - 1;
	}
	to[out++] = 'e';
	to[out++] = exponent < 0 ? '-' : '+';
	exponent = exponent < 0 ? -exponent : exponent;
	if (exponent >= 100)
		to[out++] = (char)('0' + exponent / 100);
	to[out++] = (char)('0' + exponent / 10 % 10);
	to[out++] = (char)('0' + exponent % 10);
	return out;
}

extern "C" size_t etc_number_g_any(char *to, double v)
{
	if (!std::isfinite(v))
		return special(to, v);
	return (size_t)(std::to_chars(to, to + ETC_NUMBER_MAX, v, std::chars_format::general, 6)
	                        .ptr -
	                to);
}

extern "C" size_t etc_number_fixed(char *to, double v, int decimals)
{
	if (!std::isfinite(v) || std::fabs(v) >= 1e15)
		return etc_number_repr(to, v);
	return (size_t)(std::to_chars(to, to + ETC_NUMBER_MAX, v, std::chars_format::fixed,
	                              decimals)
	                        .ptr -
	                to);
}

extern "C" bool etc_number_parse(struct etc_str s, double *v)
{
	const char *from = s.ptr, *end = s.ptr + s.len;

	if (s.len > 1 && from[0] == '+' && from[1] != '-')
		from++;
	auto r = std::from_chars(from, end, *v);

	return s.len && r.ec == std::errc() && r.ptr == end;
}

extern "C" bool etc_number_parse_u64(struct etc_str s, uint64_t *v)
{
	auto r = std::from_chars(s.ptr, s.ptr + s.len, *v);

	return s.len && r.ec == std::errc() && r.ptr == s.ptr + s.len;
}
