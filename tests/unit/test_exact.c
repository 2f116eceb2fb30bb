/* test_exact.c -- the one division of exact sums. */
#include "unit.h"

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
	/* The smallest bit below the half decides. */
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
	assert_int_equal(etc_ratio_cmp(etc_ratio(big - 1, big), etc_ratio(1, 1)), -1);
	assert_int_equal(etc_ratio_cmp(etc_ratio(2, 6), etc_ratio(1, 3)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_quotients_are_those_of_the_machine),
		cmocka_unit_test(halves_round_to_even),
		cmocka_unit_test(beyond_64_bits_nothing_wraps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
