/* test_exact.c -- dividing exact sums; the quotient is a double. */
#include "unit.h"

#include <math.h>

#include "base/exact.h"

static void small_quotients_are_those_of_the_machine(void **state)
{
	(void)state;
	for (uint64_t a = 1; a < 3000; a += 7)
		for (uint64_t b = 1; b < 300; b += 3)
			assert_true(etc_ratio_double(etc_ratio(a, b)) == (double)a / (double)b);
}

static void halves_round_to_even(void **state)
{
	const uint64_t two53 = (uint64_t)1 << 53;

	(void)state;
	assert_true(etc_ratio_double(etc_ratio(two53 + 1, 1)) == 9007199254740992.0);
	assert_true(etc_ratio_double(etc_ratio(two53 + 3, 1)) == 9007199254740996.0);
	/* The quotient exceeds half an ulp only by a bit far below it, so it is rounded up. */
	assert_true(etc_ratio_double(etc_ratio((etc_u128)(two53 + 1) * 3 + 1, 3)) ==
	            9007199254740994.0);
}

static void beyond_64_bits_nothing_wraps(void **state)
{
	const etc_u128 big = (etc_u128)1 << 127;

	(void)state;
	assert_true(etc_ratio_double(etc_ratio(big, big)) == 1.0);
	assert_true(etc_ratio_double(etc_ratio(big, (etc_u128)1 << 100)) == 134217728.0);
	assert_true(etc_ratio_double(etc_ratio(big - 1, big)) == 1.0);
}

static void a_rate_is_the_fraction_that_was_meant(void **state)
{
	static const struct {
		double rate;
		uint64_t num, den;
	} want[] = {
		{ 1e9 / 1.2e9, 5, 6 },
		{ 52.08, 1302, 25 },
		{ 1e9 / 19.2e6, 625, 12 },
		{ 0.1, 1, 10 },
		{ 0.7, 7, 10 },
		{ 1, 1, 1 },
		{ 1e3, 1000, 1 },
		{ 1e9, 1000000000, 1 },
		{ 1e-3, 1, 1000 },
		{ 1.0 / 3 * 6, 2, 1 },
		{ 0x1p-63, 1, 1ull << 63 },
		{ 0x1p63, 1ull << 63, 1 },
		{ 1e-300, 0, 1 },
		{ 1e300, UINT64_MAX, 1 },
		{ HUGE_VAL, UINT64_MAX, 1 },
	};
	uint64_t drawn = 1;

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct etc_ratio r = etc_ratio_near(want[i].rate);

		if (r.num != want[i].num || r.den != want[i].den)
			fail_msg("%g is %llu/%llu", want[i].rate, (unsigned long long)r.num,
			         (unsigned long long)r.den);
	}
	/* the fraction for any other rate differs from it by at most two roundings */
	for (int i = 0; i < 100000; i++) {
		double rate;
		struct etc_ratio r;

		drawn = drawn * 6364136223846793005 + 1442695040888963407;
		rate = ldexp((double)(drawn >> 11 | 1), (int)(drawn & 127) - 116);
		if (rate < 0x1p-40 || rate >= 0x1p40)
			continue;
		r = etc_ratio_near(rate);
		assert_true(fabs(etc_ratio_double(r) - rate) <= rate * 0x1p-50);
	}
}

static void the_common_divisor_is_the_greatest(void **state)
{
	(void)state;
	assert_int_equal(etc_common_divisor(12, 18), 6);
	assert_int_equal(etc_common_divisor(18, 12), 6);
	assert_int_equal(etc_common_divisor(7, 9), 1);
	assert_int_equal(etc_common_divisor(0, 5), 5);
	assert_int_equal(etc_common_divisor(5, 0), 5);
	assert_int_equal(etc_common_divisor(0, 0), 0);
}

static void the_common_multiple_is_the_least(void **state)
{
	(void)state;
	assert_int_equal(etc_common_multiple(4, 6, UINT64_MAX), 12);
	assert_int_equal(etc_common_multiple(6, 4, 12), 12);
	assert_int_equal(etc_common_multiple(6, 4, 11), 0);
	assert_int_equal(etc_common_multiple(1, 7, 7), 7);
	assert_int_equal(etc_common_multiple(7, 7, 7), 7);
	assert_true(etc_common_multiple(UINT64_MAX, UINT64_MAX, UINT64_MAX) == UINT64_MAX);
	assert_int_equal(etc_common_multiple(UINT64_MAX, 2, UINT64_MAX), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_quotients_are_those_of_the_machine),
		cmocka_unit_test(halves_round_to_even),
		cmocka_unit_test(beyond_64_bits_nothing_wraps),
		cmocka_unit_test(a_rate_is_the_fraction_that_was_meant),
		cmocka_unit_test(the_common_divisor_is_the_greatest),
		cmocka_unit_test(the_common_multiple_is_the_least),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
