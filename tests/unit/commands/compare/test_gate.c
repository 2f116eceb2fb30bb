/* test_gate.c -- verdicts of `etcore check` on a single comparison. */
#include "unit.h"

#include "commands/compare/gate_judge.h"

/* Makes a comparison of 100 before with `now` after. `low` and `high` are the ends of the interval
 * of their difference. */
static struct etc_comparison made(double now, double low, double high, bool significant)
{
	return (struct etc_comparison){
		.a = { .estimate = 100, .runs = 30 },
		.b = { .estimate = now, .runs = 30 },
		.difference = now - 100,
		.ratio = now / 100,
		.difference_interval = { .low = low, .high = high },
		.p_method = ETC_P_RUNS,
		.significant = significant,
	};
}

static void expect(struct etc_comparison c, bool has_ratio, enum etc_gate_result want)
{
	const char *why = NULL;

	assert_int_equal(etc_gate_verdict(&c, has_ratio, 0.05, &why), want);
	/* a line without a verdict must have a reason */
	assert_int_equal(why[0] != '\0', want >= ETC_GATE_FEW);
}

static void only_what_is_significant_and_beyond_the_limit_is_a_regression(void **state)
{
	(void)state;
	expect(made(106, 4, 8, true), true, ETC_GATE_REGRESSION);
	expect(made(104, 3, 5, true), true, ETC_GATE_PASS);
	expect(made(105, 5, 5, true), true, ETC_GATE_PASS);
	expect(made(106, -1, 13, false), true, ETC_GATE_NOISY);
	expect(made(90, -12, -8, true), true, ETC_GATE_IMPROVED);
}

static void a_pass_needs_an_interval_within_the_limit(void **state)
{
	struct etc_comparison none = made(100, 0, 0, false);

	(void)state;
	expect(made(105, 4, 6, true), true, ETC_GATE_NOISY);
	expect(made(101, -1, 3, false), true, ETC_GATE_PASS);
	expect(made(101, -1, 5.5, false), true, ETC_GATE_NOISY);
	none.difference_interval.why = ETC_UNDEFINED_NO_METHOD;
	expect(none, true, ETC_GATE_CANNOT);
}

static void a_pass_needs_a_clock_that_hides_no_change_beyond_the_limit(void **state)
{
	struct etc_comparison c = made(100, 0, 0, false);

	(void)state;
	c.hidden = 5;
	expect(c, true, ETC_GATE_PASS);
	c.hidden = 6;
	expect(c, true, ETC_GATE_CANNOT);
	c = made(103, 2, 4, true);
	c.hidden = 2;
	expect(c, true, ETC_GATE_CANNOT);
}

/* XNNPACK's clock reads 3 us of a kernel that takes 3.95 us, and 4 us of one that takes 4.05 us. */
static void a_regression_needs_a_clock_that_does_not_make_it(void **state)
{
	struct etc_comparison c = made(133, 33, 33, true);

	(void)state;
	c.hidden = 33;
	expect(c, true, ETC_GATE_CANNOT);
	c.hidden = 20;
	expect(c, true, ETC_GATE_REGRESSION);
	c.p_method = ETC_P_ORDER;
	c.other = 25;
	expect(c, true, ETC_GATE_CANNOT);
	c.other = 28;
	expect(c, true, ETC_GATE_REGRESSION);
}

/* If the order of the dumps is known, a comparison has two changes: `now` - 100 includes the drift
 * over the dumps, `other` does not. Only if both are beyond the limit, the verdict is a
 * regression. */
static void with_and_without_a_drift_the_change_must_be_beyond_the_limit(void **state)
{
	struct etc_comparison c = made(108, 4, 8, true);

	(void)state;
	c.p_method = ETC_P_ORDER;
	c.other = 6;
	expect(c, true, ETC_GATE_REGRESSION);
	c.other = 4;
	expect(c, true, ETC_GATE_DRIFT);
	c.difference = c.other;
	c.ratio = 1.04;
	c.other = 8;
	expect(c, true, ETC_GATE_DRIFT);
	c.difference_interval.low = 3;
	c.difference_interval.high = 5;
	c.other = 3;
	expect(c, true, ETC_GATE_PASS);
	c.other = -4;
	c.caveats = ETC_CAVEAT_DROWNED;
	expect(c, true, ETC_GATE_DRIFT);
}

static void few_runs_zeros_and_other_units_are_never_a_pass(void **state)
{
	struct etc_comparison c = made(100, 0, 0, false);

	(void)state;
	c.caveats = ETC_CAVEAT_FEW_RUNS;
	expect(c, true, ETC_GATE_FEW);
	c.caveats = ETC_CAVEAT_NO_CHANCE;
	expect(c, true, ETC_GATE_FEW);
	c.caveats = 0;
	expect(c, false, ETC_GATE_CANNOT);
	c.why = ETC_UNDEFINED_NO_METHOD;
	expect(c, true, ETC_GATE_CANNOT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_significant_and_beyond_the_limit_is_a_regression),
		cmocka_unit_test(a_pass_needs_an_interval_within_the_limit),
		cmocka_unit_test(a_pass_needs_a_clock_that_hides_no_change_beyond_the_limit),
		cmocka_unit_test(a_regression_needs_a_clock_that_does_not_make_it),
		cmocka_unit_test(with_and_without_a_drift_the_change_must_be_beyond_the_limit),
		cmocka_unit_test(few_runs_zeros_and_other_units_are_never_a_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
