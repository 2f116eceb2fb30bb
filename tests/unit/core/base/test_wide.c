/* test_wide.c -- exact sums of doubles (base/wide.h). */
#include "unit.h"

#include <float.h>
#include <math.h>

#include "base/wide.h"

static void order_does_not_matter(void **state)
{
	static const double v[] = { 1e308, 0.1, -1e308, 5e-324, 1e16, -0.3, 1e-310, 1, -1e16 };
	enum { N = sizeof v / sizeof *v };
	struct etc_wide up = { 0 }, down = { 0 };

	(void)state;
	for (int i = 0; i < N; i++) {
		etc_wide_add(&up, v[i], 1);
		etc_wide_add(&down, v[N - 1 - i], 1);
	}
	assert_true(etc_wide_over(&up, 1) == etc_wide_over(&down, 1));
	assert_true(etc_wide_over(&up, 1) == 0.8); /* Python's Fraction(0.1) - Fraction(0.3) + 1 */
}

static void equal_values_have_their_value_as_mean(void **state)
{
	struct etc_wide w = { 0 };
	etc_u128 time = 0;

	(void)state;
	for (uint64_t t = 1; t < 1000; t += 7) {
		etc_wide_add(&w, 0.3, t);
		time += t;
	}
	assert_true(etc_wide_over(&w, time) == 0.3);
}

static void extremes(void **state)
{
	struct etc_wide w = { 0 };

	(void)state;
	assert_true(etc_wide_over(&w, 7) == 0);
	for (int i = 0; i < 3; i++)
		etc_wide_add(&w, DBL_MAX, UINT64_MAX);
	assert_true(isinf(etc_wide_over(&w, 1)));
	assert_true(etc_wide_over(&w, (etc_u128)3 * UINT64_MAX) == DBL_MAX);
	w = (struct etc_wide){ 0 };
	etc_wide_add(&w, -5e-324, 3);
	assert_true(etc_wide_over(&w, 2) == -2 * 5e-324); /* -1.5 times 5e-324, rounded to even */
	assert_true(etc_wide_over(&w, 7) == 0);
	w = (struct etc_wide){ 0 };
	etc_wide_add_whole(&w, INT64_MIN, UINT64_MAX);
	assert_true(etc_wide_over(&w, UINT64_MAX) == -0x1p63);
	etc_wide_add_whole(&w, INT64_MAX, UINT64_MAX);
	assert_true(etc_wide_over(&w, UINT64_MAX) == -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(equal_values_have_their_value_as_mean),
		cmocka_unit_test(extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
