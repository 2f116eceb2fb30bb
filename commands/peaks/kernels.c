/* kernels.c -- the loops that are measured; see kernels.h. Each kernel is compiled for an
 * instruction set, and runs only if the processor has that instruction set. The rest of etcore is
 * compiled for every processor. */
#include "commands/peaks/kernels.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

enum { DEPTH = 64 /* columns of the left panel (kernels.h) */ };

/* Executes a statement for each i from 0 to n - 1. The loop is unrolled, because otherwise gcc -O2
 * keeps the arrays of a kernel in memory, and the kernel reaches only a third of the processor's
 * speed. */
#define EACH(i, n) _Pragma("GCC unroll 8") for (int i = 0; i < (n); i++)

/* Defines a kernel with `rows` x `columns` vectors as accumulators. LOAD returns a vector of the
 * right panel. BROADCAST returns a vector whose lanes are all one element of the left panel. STEP
 * adds the product of these two vectors to an accumulator. */
#define KERNEL(name, target, vector, rows, columns, ZERO, LOAD, BROADCAST, STEP, STORE)        \
	target static void name(const void *left, const void *right, void *tile, size_t times) \
	{                                                                                      \
		vector sum[rows][columns];                                                     \
                                                                                               \
		EACH(i, rows)                                                                  \
		{                                                                              \
			EACH(j, columns)                                                       \
			{                                                                      \
				sum[i][j] = ZERO;                                              \
			}                                                                      \
		}                                                                              \
		while (times--) {                                                              \
			for (int k = 0; k < DEPTH; k++) {                                      \
				vector b[columns];                                             \
                                                                                               \
				EACH(j, columns)                                               \
				{                                                              \
					b[j] = LOAD(right, k * (columns) + j);                 \
				}                                                              \
				EACH(i, rows)                                                  \
				{                                                              \
					vector a = BROADCAST(left, k * (rows) + i);            \
                                                                                               \
					EACH(j, columns)                                       \
					{                                                      \
						sum[i][j] = STEP(sum[i][j], a, b[j]);          \
					}                                                      \
				}                                                              \
			}                                                                      \
			__asm__ volatile("" ::: "memory");                                     \
		}                                                                              \
		EACH(i, rows)                                                                  \
		{                                                                              \
			EACH(j, columns)                                                       \
			{                                                                      \
				STORE(tile, i *(columns) + j, sum[i][j]);                      \
			}                                                                      \
		}                                                                              \
	}

#define FLOPS(rows, columns, lanes) (2.0 * DEPTH * (rows) * (columns) * (lanes))

/* ---- any processor -------------------------------------------------------------------- */

typedef float four __attribute__((vector_size(16)));

#define FOUR_LOAD(p, i)       (((const four *)(p))[i])
#define FOUR_BROADCAST(p, i)  ((four){ 0 } + ((const float *)(p))[i])
#define FOUR_STEP(sum, a, b)  ((sum) + (a) * (b))
#define FOUR_STORE(p, i, sum) (((four *)(p))[i] = (sum))

KERNEL(run_plain, , four, 4, 2, ((four){ 0 }), FOUR_LOAD, FOUR_BROADCAST, FOUR_STEP, FOUR_STORE)

static bool always(void)
{
	return true;
}

#if defined(__x86_64__)

#define AVX2                   __attribute__((target("avx2,fma")))
#define EIGHT_LOAD(p, i)       _mm256_load_ps((const float *)(p) + 8 * (i))
#define EIGHT_BROADCAST(p, i)  _mm256_broadcast_ss((const float *)(p) + (i))
#define EIGHT_STEP(sum, a, b)  _mm256_fmadd_ps(a, b, sum)
#define EIGHT_STORE(p, i, sum) _mm256_store_ps((float *)(p) + 8 * (i), sum)

KERNEL(run_avx2, AVX2, __m256, 6, 2, _mm256_setzero_ps(), EIGHT_LOAD, EIGHT_BROADCAST, EIGHT_STEP,
       EIGHT_STORE)

#define AVX512                __attribute__((target("avx512f")))
#define WIDE_LOAD(p, i)       _mm512_load_ps((const float *)(p) + 16 * (i))
#define WIDE_BROADCAST(p, i)  _mm512_set1_ps(((const float *)(p))[i])
#define WIDE_STEP(sum, a, b)  _mm512_fmadd_ps(a, b, sum)
#define WIDE_STORE(p, i, sum) _mm512_store_ps((float *)(p) + 16 * (i), sum)

KERNEL(run_avx512, AVX512, __m512, 8, 2, _mm512_setzero_ps(), WIDE_LOAD, WIDE_BROADCAST, WIDE_STEP,
       WIDE_STORE)

/* For 8-bit integers widened to 16 bits: each step adds the sum of two products to a lane. */
#define PAIR_LOAD(p, i)       _mm256_load_si256((const __m256i *)(p) + (i))
#define PAIR_BROADCAST(p, i)  _mm256_set1_epi32(((const int *)(p))[i])
#define PAIR_STEP(sum, a, b)  _mm256_add_epi32(sum, _mm256_madd_epi16(a, b))
#define PAIR_STORE(p, i, sum) _mm256_store_si256((__m256i *)(p) + (i), sum)

KERNEL(run_pairs, AVX2, __m256i, 6, 2, _mm256_setzero_si256(), PAIR_LOAD, PAIR_BROADCAST, PAIR_STEP,
       PAIR_STORE)

/* For 8-bit integers: each step adds the sum of four products to a lane. */
#define VNNI                 __attribute__((target("avx512f,avx512vnni")))
#define DOT_LOAD(p, i)       _mm512_load_si512((const __m512i *)(p) + (i))
#define DOT_BROADCAST(p, i)  _mm512_set1_epi32(((const int *)(p))[i])
#define DOT_STEP(sum, a, b)  _mm512_dpbusd_epi32(sum, a, b)
#define DOT_STORE(p, i, sum) _mm512_store_si512((__m512i *)(p) + (i), sum)

KERNEL(run_vnni, VNNI, __m512i, 8, 2, _mm512_setzero_si512(), DOT_LOAD, DOT_BROADCAST, DOT_STEP,
       DOT_STORE)

static bool can_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool can_avx512(void)
{
	return __builtin_cpu_supports("avx512f");
}

static bool can_vnni(void)
{
	return can_avx512() && __builtin_cpu_supports("avx512vnni");
}

#if !defined(__clang__) && __GNUC__ >= 12
#define FP16                  __attribute__((target("avx512f,avx512bw,avx512vl,avx512fp16")))
#define HALF_ZERO             _mm512_castsi512_ph(_mm512_setzero_si512())
#define HALF_LOAD(p, i)       _mm512_castsi512_ph(DOT_LOAD(p, i))
#define HALF_BROADCAST(p, i)  _mm512_castsi512_ph(_mm512_set1_epi16(((const short *)(p))[i]))
#define HALF_STEP(sum, a, b)  _mm512_fmadd_ph(a, b, sum)
#define HALF_STORE(p, i, sum) DOT_STORE(p, i, _mm512_castph_si512(sum))

KERNEL(run_fp16, FP16, __m512h, 8, 2, HALF_ZERO, HALF_LOAD, HALF_BROADCAST, HALF_STEP, HALF_STORE)

static bool can_fp16(void)
{
	unsigned a, b, c, d;

	return can_avx512() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & 1u << 23);
}
#define HAS_FP16
#endif

#elif defined(__aarch64__)

#define NEON_LOAD(p, i)       vld1q_f32((const float *)(p) + 4 * (i))
#define NEON_BROADCAST(p, i)  vld1q_dup_f32((const float *)(p) + (i))
#define NEON_STEP(sum, a, b)  vfmaq_f32(sum, a, b)
#define NEON_STORE(p, i, sum) vst1q_f32((float *)(p) + 4 * (i), sum)

KERNEL(run_neon, , float32x4_t, 8, 2, vdupq_n_f32(0), NEON_LOAD, NEON_BROADCAST, NEON_STEP,
       NEON_STORE)

/* These instructions are written in assembly. Compilers offer intrinsics for them only in files
 * that are compiled for processors with these instructions. */
static inline int32x4_t dot(int32x4_t sum, int32x4_t a, int32x4_t b)
{
	__asm__(".arch armv8.2-a+dotprod\n\tsdot %0.4s, %1.16b, %2.16b"
	        : "+w"(sum)
	        : "w"(a), "w"(b));
	return sum;
}

static inline int32x4_t half(int32x4_t sum, int32x4_t a, int32x4_t b)
{
	__asm__(".arch armv8.2-a+fp16\n\tfmla %0.8h, %1.8h, %2.8h" : "+w"(sum) : "w"(a), "w"(b));
	return sum;
}

#define WORD_LOAD(p, i)       vld1q_s32((const int *)(p) + 4 * (i))
#define WORD_BROADCAST(p, i)  vld1q_dup_s32((const int *)(p) + (i))
#define WORD_STORE(p, i, sum) vst1q_s32((int *)(p) + 4 * (i), sum)

KERNEL(run_dot, , int32x4_t, 8, 2, vdupq_n_s32(0), WORD_LOAD, WORD_BROADCAST, dot, WORD_STORE)
KERNEL(run_half, , int32x4_t, 8, 2, vdupq_n_s32(0), WORD_LOAD, WORD_BROADCAST, half, WORD_STORE)

static bool can_dot(void)
{
	return getauxval(AT_HWCAP) & 1ul << 20; /* HWCAP_ASIMDDP */
}

static bool can_half(void)
{
	return getauxval(AT_HWCAP) & 1ul << 10; /* HWCAP_ASIMDHP */
}

#endif

const struct etc_peak_kernel etc_peak_kernels[] = {
#if defined(__x86_64__)
	{ "AVX-512", ETC_WORK_FP32, run_avx512, FLOPS(8, 2, 16), can_avx512 },
	{ "AVX2 and FMA", ETC_WORK_FP32, run_avx2, FLOPS(6, 2, 8), can_avx2 },
#ifdef HAS_FP16
	{ "AVX-512 FP16", ETC_WORK_FP16, run_fp16, FLOPS(8, 2, 32), can_fp16 },
#endif
	{ "AVX-512 VNNI", ETC_WORK_INT8, run_vnni, FLOPS(8, 2, 64), can_vnni },
	{ "AVX2", ETC_WORK_INT8, run_pairs, FLOPS(6, 2, 16), can_avx2 },
#elif defined(__aarch64__)
	{ "NEON", ETC_WORK_FP32, run_neon, FLOPS(8, 2, 4), always },
	{ "NEON FP16", ETC_WORK_FP16, run_half, FLOPS(8, 2, 8), can_half },
	{ "NEON DotProd", ETC_WORK_INT8, run_dot, FLOPS(8, 2, 16), can_dot },
#endif
	{ "vectors of 128 bits", ETC_WORK_FP32, run_plain, FLOPS(4, 2, 4), always },
	{ 0 }
};
