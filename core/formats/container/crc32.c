/* crc32.c -- see crc32.h.
 *
 * Method: V. Gopal and others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
 * Instruction", Intel 2009. Four 128-bit words are folded over the input, 64 bytes at a time; then
 * the four words are folded into one, and this word is reduced to 32 bits (Barrett reduction). The
 * constants are powers of x modulo the polynomial, bit-reflected. */
#include "formats/container/crc32.h"

#include "base/processor.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { BLOCK = 64, WORD = 16 };

#define TARGET __attribute__((target("pclmul,sse4.1")))

/* Constants for fold(). Multiplication by by_block moves a word by BLOCK bytes; multiplication by
 * by_word moves it by WORD bytes. */
static const uint64_t by_block[2] = { 0x0154442bd4, 0x01c6e41596 };
static const uint64_t by_word[2] = { 0x01751997d0, 0x00ccaa009e };
static const uint64_t to_half[2] = { 0x0163cd6124, 0 };
static const uint64_t polynomial[2] = { 0x01db710641, 0x01f7011641 };

TARGET static inline __m128i load(const void *at)
{
	return _mm_loadu_si128((const __m128i *)at);
}

/* `x` is a word of the input. Moves it towards the end of the input without changing the CRC: by
 * BLOCK bytes if `by` is by_block, by WORD bytes if it is by_word. This is a carry-less
 * multiplication. Returns the XOR of the result and `next`, the input's word at the new
 * position. */
TARGET static inline __m128i fold(__m128i x, __m128i by, __m128i next)
{
	__m128i low = _mm_clmulepi64_si128(x, by, 0x00);
	__m128i high = _mm_clmulepi64_si128(x, by, 0x11);

	return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

TARGET static uint32_t reduce(__m128i x)
{
	const __m128i mask = _mm_setr_epi32(-1, 0, -1, 0), p = load(polynomial);
	__m128i t = _mm_clmulepi64_si128(x, load(by_word), 0x10);

	x = _mm_xor_si128(_mm_srli_si128(x, 8), t);
	t = _mm_srli_si128(x, 4);
	x = _mm_xor_si128(_mm_clmulepi64_si128(_mm_and_si128(x, mask), load(to_half), 0x00), t);
	t = _mm_clmulepi64_si128(_mm_and_si128(x, mask), p, 0x10);
	t = _mm_clmulepi64_si128(_mm_and_si128(t, mask), p, 0x00);
	return (uint32_t)_mm_extract_epi32(_mm_xor_si128(x, t), 1);
}

/* Continues the CRC register `state` over `len` bytes: at least BLOCK and a multiple of WORD. */
TARGET static uint32_t fold_all(uint32_t state, const uint8_t *p, size_t len)
{
	__m128i by = load(by_block), x[4];
	size_t at = BLOCK;

	for (int k = 0; k < 4; k++)
		x[k] = load(p + WORD * k);
	x[0] = _mm_xor_si128(x[0], _mm_cvtsi32_si128((int)state));
	for (; len - at >= BLOCK; at += BLOCK)
		for (int k = 0; k < 4; k++)
			x[k] = fold(x[k], by, load(p + at + (size_t)WORD * (size_t)k));
	by = load(by_word);
	for (int k = 1; k < 4; k++)
		x[0] = fold(x[0], by, x[k]);
	for (; at < len; at += WORD)
		x[0] = fold(x[0], by, load(p + at));
	return reduce(x[0]);
}

size_t etc_crc32_most(uint32_t *crc, struct etc_span bytes)
{
	size_t len = bytes.len / WORD * WORD;

	if (len < BLOCK || !etc_processor_clmul())
		return 0;
	*crc = ~fold_all(~*crc, bytes.ptr, len);
	return len;
}

#else

size_t etc_crc32_most(uint32_t *crc, struct etc_span bytes)
{
	(void)crc;
	(void)bytes;
	return 0;
}

#endif
