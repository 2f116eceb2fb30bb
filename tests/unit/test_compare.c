/* test_compare.c -- the rule for every row of a comparison. */
#include "unit.h"

#include "model/profile.h"
#include "stats/compare.h"
#include "stats/random.h"

#include <math.h>

enum { RUNS = 40 };

/* Log-normal noise of 3 % around `level`. */
static void noise(struct etc_random *random, double level, size_t n, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = level * exp(0.03 * etc_random_normal(random));
}

static struct etc_comparison compared(const struct etc_sample_group *a,
                                      const struct etc_sample_group *b, struct etc_arena *arena)
{
	struct etc_compare_options options = etc_compare_defaults();
	struct etc_comparison c;

	options.rounds = 1000;
	assert_int_equal(etc_compare(a, b, 1, &options, &c, arena, NULL), ETC_OK);
	assert_int_equal(etc_compare_adjust(&c, 1, 0.95, arena, NULL), ETC_OK);
	return c;
}

static struct etc_comparison one_dump_each(const double *a, size_t m, const double *b, size_t n)
{
	struct etc_dump_samples da = { m, a, a }, db = { n, b, b };
	struct etc_sample_group ga = { &da, 1 }, gb = { &db, 1 };
	struct etc_arena arena;
	struct etc_comparison c;

	etc_arena_init(&arena, 1 << 26);
	c = compared(&ga, &gb, &arena);
	etc_arena_release(&arena);
	return c;
}

static void ten_per_cent_more_are_a_regression_above_five(void **state)
{
	struct etc_random random;
	double a[RUNS], b[RUNS];
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 7, 0);
	noise(&random, 1000, RUNS, a);
	noise(&random, 1100, RUNS, b);
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(c.significant);
	assert_true(c.ratio_interval.low < c.ratio && c.ratio < c.ratio_interval.high);
	assert_true(c.ratio_interval.low < 1.1 && 1.1 < c.ratio_interval.high);
	assert_true(etc_compare_regressed(&c, 0.05));
	assert_false(etc_compare_regressed(&c, 0.20));
	assert_true(c.caveats & ETC_CAVEAT_ONE_DUMP);
}

static void the_same_samples_are_no_change(void **state)
{
	struct etc_random random;
	double a[RUNS];
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 8, 0);
	noise(&random, 1000, RUNS, a);
	c = one_dump_each(a, RUNS, a, RUNS);
	assert_false(c.significant);
	assert_true(c.difference == 0 && c.ratio == 1 && c.p == 1 && c.cliffs_delta == 0);
}

static void three_runs_allow_no_claim(void **state)
{
	const double a[] = { 10, 11, 12 }, b[] = { 20, 21, 22 };
	struct etc_comparison c = one_dump_each(a, 3, b, 3);

	(void)state;
	assert_false(c.significant);
	assert_true(c.caveats & ETC_CAVEAT_FEW_RUNS);
	assert_true(c.caveats & ETC_CAVEAT_NO_CHANCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_per_cent_more_are_a_regression_above_five),
		cmocka_unit_test(the_same_samples_are_no_change),
		cmocka_unit_test(three_runs_allow_no_claim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
