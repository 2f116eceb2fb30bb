/* test_peaks_kernels.c -- the measured loop must be as fast as the processor: a loop that a compiler
 * leaves with its accumulators in memory measures a third of the peak. */
#define _GNU_SOURCE /* clock_gettime */
#include "unit.h"

#include <math.h>
#include <time.h>

#include "commands/peaks/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { PIECES = 200, TIMES = 400 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Multiplies and adds in twelve registers, which is as fast as the processor can. Returns the number
 * of operations. */
__attribute__((target("avx2,fma"))) static double registers_only(float *to)
{
	const __m256 x = _mm256_set1_ps(0.5f);
	__m256 a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x, i = x, j = x, k = x, l = x;
	enum { STEPS = 64 * TIMES };

#define ADD(v) v = _mm256_fmadd_ps(v, x, x)
	for (int step = 0; step < STEPS; step++) {
		ADD(a), ADD(b), ADD(c), ADD(d), ADD(e), ADD(f);
		ADD(g), ADD(h), ADD(i), ADD(j), ADD(k), ADD(l);
		__asm__ volatile(""
		                 : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e), "+x"(f), "+x"(g),
		                   "+x"(h), "+x"(i), "+x"(j), "+x"(k), "+x"(l));
	}
	a = a + b + c + d + e + f + g + h + i + j + k + l;
	_mm256_storeu_ps(to, a);
	return 12.0 * 16 * STEPS;
}

static void the_loop_keeps_its_sums_in_registers(void **state)
{
	static _Alignas(64) unsigned char room[2 * ETC_PEAK_PANEL + ETC_PEAK_TILE];
	double kernel = 0, fastest = 0;
	float sink[8];

	(void)state;
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
		skip();
	for (const struct etc_peak_kernel *k = etc_peak_kernels; k->name; k++) {
		if (strcmp(k->name, "AVX2 and FMA") != 0)
			continue;
		for (int i = 0; i < PIECES; i++) {
			double from = now(), between, operations = k->flops * TIMES;

			k->run(room, room + ETC_PEAK_PANEL, room + (size_t)2 * ETC_PEAK_PANEL,
			       TIMES);
			between = now();
			kernel = fmax(kernel, operations / (between - from));
			operations = registers_only(sink);
			fastest = fmax(fastest, operations / (now() - between));
		}
	}
	assert_true(kernel > 0.6 * fastest);
}
#else
static void the_loop_keeps_its_sums_in_registers(void **state)
{
	(void)state;
	skip();
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_loop_keeps_its_sums_in_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
