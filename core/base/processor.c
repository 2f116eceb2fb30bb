/* processor.c -- see processor.h.
 *
 * On a virtual machine CPUID takes microseconds, because it traps to the hypervisor, and gcc's
 * __builtin_cpu_supports executes it twelve times before main. So this file reads the features
 * that glibc 2.33 and later cached at start-up; on Armv8 the kernel passes them (AT_HWCAP). */
#include "base/processor.h"

#include <limits.h> /* __GLIBC__ */

#if defined(__aarch64__) && defined(__linux__)

#include <asm/hwcap.h>
#include <sys/auxv.h>
#define HAS(name, gcc) false
#define HAS_SHA        (getauxval(AT_HWCAP) & HWCAP_SHA2)

#elif !defined(__x86_64__)

#define HAS(name, gcc) false
#define HAS_SHA        false

#elif __GLIBC__ * 1000 + __GLIBC_MINOR__ >= 2033 && __has_include(<sys/platform/x86.h>)

#include <sys/platform/x86.h>
#define HAS(name, gcc) CPU_FEATURE_ACTIVE(name)
#define HAS_SHA        (CPU_FEATURE_ACTIVE(SHA) && CPU_FEATURE_ACTIVE(SSE4_1))

#else

#include <cpuid.h>
#define HAS(name, gcc) __builtin_cpu_supports(gcc)
#define HAS_SHA        asked_for_sha()

/* Asks the processor for its SHA instructions, since not every compiler supports
 * __builtin_cpu_supports("sha"). */
static bool asked_for_sha(void)
{
	unsigned a, b = 0, c, d;

	return __builtin_cpu_supports("sse4.1") && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
	       b & bit_SHA;
}

#endif

bool etc_processor_clmul(void)
{
	return HAS(PCLMULQDQ, "pclmul") && HAS(SSE4_1, "sse4.1");
}

bool etc_processor_f16c(void)
{
	return HAS(AVX2, "avx2"); /* every processor with AVX2 has F16C */
}

bool etc_processor_sha(void)
{
	return HAS_SHA;
}
