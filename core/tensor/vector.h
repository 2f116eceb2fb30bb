/* vector.h -- vectors of 16 bytes: types of the compiler's vector extension, and operations for
 * which it has no operators. */
#ifndef ETC_TENSOR_VECTOR_H
#define ETC_TENSOR_VECTOR_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef float etc_v4f __attribute__((vector_size(16)));
typedef int32_t etc_v4i __attribute__((vector_size(16)));
typedef double etc_v2d __attribute__((vector_size(16)));

/* Returns the smaller number in each lane. No number may be NaN, because the result would differ
 * between processors. The sign of a zero may also differ between processors. */
static inline etc_v4f etc_v4f_min(etc_v4f a, etc_v4f b)
{
#if defined(__SSE2__)
	return (etc_v4f)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(__aarch64__)
	return (etc_v4f)vminq_f32((float32x4_t)a, (float32x4_t)b);
#else
	etc_v4i first = (etc_v4i)(a < b);

	return (etc_v4f)(((etc_v4i)a & first) | ((etc_v4i)b & ~first));
#endif
}

static inline etc_v4f etc_v4f_max(etc_v4f a, etc_v4f b)
{
#if defined(__SSE2__)
	return (etc_v4f)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(__aarch64__)
	return (etc_v4f)vmaxq_f32((float32x4_t)a, (float32x4_t)b);
#else
	etc_v4i first = (etc_v4i)(a > b);

	return (etc_v4f)(((etc_v4i)a & first) | ((etc_v4i)b & ~first));
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
