/* digits.h -- formats whole numbers in decimal, fast, for output with very many of them. */
#ifndef ETC_BASE_DIGITS_H
#define ETC_BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the number of decimal digits of `v`. It is computed from the number of bits: 1233 / 4096
 * approximates log10(2). */
static inline size_t etc_digits_of(uint64_t v)
{
	static const uint64_t powers[] = {
		1,
		10,
		100,
		1000,
		10000,
		100000,
		1000000,
		10000000,
		100000000,
		1000000000,
		10000000000,
		100000000000,
		1000000000000,
		10000000000000,
		100000000000000,
		1000000000000000,
		10000000000000000,
		100000000000000000,
		1000000000000000000,
		10000000000000000000u,
	};
	size_t n = (size_t)(64 - __builtin_clzll(v | 1)) * 1233 >> 12;

	return n + ((v | 1) >= powers[n]);
}

/* Writes the `n` digits of `v`, two at a time. */
static inline void etc_digits_put(char *to, size_t n, uint64_t v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	for (; n >= 2; n -= 2, v /= 100)
		memcpy(to + n - 2, pairs + v % 100 * 2, 2);
	if (n)
		*to = (char)('0' + v % 10);
}

/* Writes `v` as %d does, without a NUL; returns the length. */
static inline size_t etc_digits_i32(char to[16], int32_t v)
{
	const uint64_t all = v < 0 ? -(uint64_t)v : (uint64_t)v;
	const size_t n = etc_digits_of(all), sign = v < 0;

	to[0] = '-';
	etc_digits_put(to + sign, n, all);
	return sign + n;
}

#endif
