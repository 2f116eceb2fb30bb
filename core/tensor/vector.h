/* vector.h -- vectors of 16 bytes: the compiler's, and operations that it has no operators for. */
#ifndef ETC_TENSOR_VECTOR_H
#define ETC_TENSOR_VECTOR_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef float etc_v4f __attribute__((vector_size(16)));
typedef int32_t etc_v4i __attribute__((vector_size(16)));
typedef double etc_v2d __attribute__((vector_size(16)));

static inline etc_v4f etc_v4f_choose(etc_v4i mask, etc_v4f a, etc_v4f b)
{
	return (etc_v4f)(((etc_v4i)a & mask) | ((etc_v4i)b & ~mask));
}

/* Returns the smaller number in each lane. No number may be NaN, because machines give different
 * results for it. The sign of a zero may also differ between machines. */
static inline etc_v4f etc_v4f_min(etc_v4f a, etc_v4f b)
{
#if defined(__SSE2__)
	return (etc_v4f)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(__aarch64__)
	return (etc_v4f)vminq_f32((float32x4_t)a, (float32x4_t)b);
#else
	return etc_v4f_choose((etc_v4i)(a < b), a, b);
#endif
}

static inline etc_v4f etc_v4f_max(etc_v4f a, etc_v4f b)
{
#if defined(__SSE2__)
	return (etc_v4f)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(__aarch64__)
	return (etc_v4f)vmaxq_f32((float32x4_t)a, (float32x4_t)b);
#else
	return etc_v4f_choose((etc_v4i)(a > b), a, b);
#endif
}

/* Widens eight 16-bit numbers, which may be unaligned. */
static inline void etc_v8u_widen(const uint8_t *from, etc_v4i to[2])
{
#if defined(__SSE2__)
	__m128i zero = _mm_setzero_si128(), v;

	memcpy(&v, from, sizeof v);
	to[0] = (etc_v4i)_mm_unpacklo_epi16(v, zero);
	to[1] = (etc_v4i)_mm_unpackhi_epi16(v, zero);
#else
	uint16_t v[8];

	memcpy(v, from, sizeof v);
	to[0] = (etc_v4i){ v[0], v[1], v[2], v[3] };
	to[1] = (etc_v4i){ v[4], v[5], v[6], v[7] };
#endif
}

static inline etc_v2d etc_v2d_min(etc_v2d a, etc_v2d b)
{
#if defined(__SSE2__)
	return (etc_v2d)_mm_min_pd((__m128d)a, (__m128d)b);
#else
	return (etc_v2d){ a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1] };
#endif
}

static inline etc_v2d etc_v2d_max(etc_v2d a, etc_v2d b)
{
#if defined(__SSE2__)
	return (etc_v2d)_mm_max_pd((__m128d)a, (__m128d)b);
#else
	return (etc_v2d){ a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1] };
#endif
}

/* etc_v4f_low() returns the first two lanes as doubles, etc_v4f_high() the last two. */
static inline etc_v2d etc_v4f_low(etc_v4f v)
{
#if defined(__SSE2__)
	return (etc_v2d)_mm_cvtps_pd((__m128)v);
#else
	return (etc_v2d){ (double)v[0], (double)v[1] };
#endif
}

static inline etc_v2d etc_v4f_high(etc_v4f v)
{
#if defined(__SSE2__)
	return (etc_v2d)_mm_cvtps_pd(_mm_movehl_ps((__m128)v, (__m128)v));
#else
	return (etc_v2d){ (double)v[2], (double)v[3] };
#endif
}

#endif
