/* sha256_most.c -- see sha256_most.h.
 *
 * x86: S. Gulley and others, "Intel SHA Extensions", 2013. Armv8: the SHA-2 instructions of the
 * crypto extension. Both do four rounds at a time; the message schedule rotates through four
 * vectors of four words. */
#include "base/sha256_most.h"

#include "base/processor.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* WORTH_ASKING: for inputs of fewer bytes the processor is not asked for its features. If glibc has
 * not cached the features, asking (CPUID) takes tens of microseconds on a virtual machine. HERE:
 * this build has code with SHA instructions. */
enum { WORTH_ASKING = 32 << 10, HERE = true };

#define TARGET __attribute__((target("sha,sse4.1")))

TARGET static inline __m128i load(const void *at)
{
	return _mm_loadu_si128((const __m128i *)at);
}

/* SHA-256 extends a block of the message to 64 words, the schedule. Returns the next four words,
 * computed from the 16 words before them: `a` has the oldest four, `d` the newest four. */
TARGET static inline __m128i follow(__m128i a, __m128i b, __m128i c, __m128i d)
{
	return _mm_sha256msg2_epu32(
		_mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4)), d);
}

TARGET static void blocks(uint32_t h[8], const uint8_t *p, size_t count)
{
	const __m128i big = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
	/* The instructions keep a, b, e, f in one vector and c, d, g, h in the other. */
	__m128i badc = _mm_shuffle_epi32(load(h), 0xb1);
	__m128i hgfe = _mm_shuffle_epi32(load(h + 4), 0x1b);
	__m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);

	for (; count; count--, p += ETC_SHA256_BLOCK) {
		__m128i before[2] = { abef, cdgh }, w[4];

#pragma GCC unroll 16
		for (int i = 0; i < 16; i++) {
			__m128i *oldest = &w[i % 4], sum;

			*oldest = i < 4 ? _mm_shuffle_epi8(load(p + 16 * i), big)
			                : follow(*oldest, w[(i + 1) % 4], w[(i + 2) % 4],
			                         w[(i + 3) % 4]);
			sum = _mm_add_epi32(*oldest, load(&etc_sha256_round[4 * i]));
			cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
			abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
		}
		abef = _mm_add_epi32(abef, before[0]);
		cdgh = _mm_add_epi32(cdgh, before[1]);
	}
	hgfe = _mm_shuffle_epi32(abef, 0x1b);
	badc = _mm_shuffle_epi32(cdgh, 0xb1);
	_mm_storeu_si128((__m128i *)h, _mm_blend_epi16(hgfe, badc, 0xf0));
	_mm_storeu_si128((__m128i *)(h + 4), _mm_alignr_epi8(badc, hgfe, 8));
}

#elif defined(__aarch64__) && defined(__linux__) && !defined(__clang__)
/* clang is excluded, because it declares these intrinsics only if the target of the whole file
 * has them. */
#include <arm_neon.h>

enum { WORTH_ASKING = ETC_SHA256_BLOCK, HERE = true };

#define TARGET __attribute__((target("+crypto")))

TARGET static void blocks(uint32_t h[8], const uint8_t *p, size_t count)
{
	uint32x4_t abcd = vld1q_u32(h), efgh = vld1q_u32(h + 4);

	for (; count; count--, p += ETC_SHA256_BLOCK) {
		uint32x4_t before[2] = { abcd, efgh }, w[4];

#pragma GCC unroll 16
		for (int i = 0; i < 16; i++) {
			uint32x4_t *oldest = &w[i % 4], sum, old = abcd;

			if (i < 4)
				*oldest = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p + 16 * i)));
			else
				*oldest = vsha256su1q_u32(vsha256su0q_u32(*oldest, w[(i + 1) % 4]),
				                          w[(i + 2) % 4], w[(i + 3) % 4]);
			sum = vaddq_u32(*oldest, vld1q_u32(&etc_sha256_round[4 * i]));
			abcd = vsha256hq_u32(abcd, efgh, sum);
			efgh = vsha256h2q_u32(efgh, old, sum);
		}
		abcd = vaddq_u32(abcd, before[0]);
		efgh = vaddq_u32(efgh, before[1]);
	}
	vst1q_u32(h, abcd);
	vst1q_u32(h + 4, efgh);
}

#else

enum { WORTH_ASKING = ETC_SHA256_BLOCK, HERE = false };

static void blocks(uint32_t h[8], const uint8_t *p, size_t count)
{
	(void)h;
	(void)p;
	(void)count;
}

#endif

size_t etc_sha256_most(uint32_t h[8], struct etc_span bytes)
{
	size_t count = bytes.len / ETC_SHA256_BLOCK;

	if (!HERE || bytes.len < WORTH_ASKING || !etc_processor_sha())
		return 0;
	blocks(h, bytes.ptr, count);
	return count * ETC_SHA256_BLOCK;
}
