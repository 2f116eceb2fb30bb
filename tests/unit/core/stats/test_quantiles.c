/* test_quantiles.c -- comparing p90, p95 and p99: the estimate, how many runs it needs, and p from
 * random divisions of the runs into two groups. */
#include "unit.h"

#include <math.h>

#include "model/profile.h"
#include "stats/compare.h"
#include "stats/estimate.h"
#include "stats/permute.h"

enum { RUNS = 100 };

static void the_estimate_lies_between_its_neighbours_as_in_numpy(void **state)
{
	double y[11], without[11];

	(void)state;
	for (int i = 0; i < 11; i++)
		y[i] = i * i;
	/* as numpy.percentile(y, q); first of all 11 values, then of the first ten */
	assert_near(etc_estimate(ETC_STAT_P90, NULL, y, 11), 81, 1e-12);
	assert_near(etc_estimate(ETC_STAT_P95, NULL, y, 11), 90.5, 1e-12);
	assert_near(etc_estimate(ETC_STAT_P99, NULL, y, 11), 98.1, 1e-12);
	assert_near(etc_estimate(ETC_STAT_P90, NULL, y, 10), 65.7, 1e-12);
	assert_near(etc_estimate(ETC_STAT_P99, NULL, y, 1), 0, 0);
	etc_estimate_without(ETC_STAT_P90, NULL, y, 11, without, NULL);
	assert_near(without[10], 65.7, 1e-12);
	assert_near(without[9], 67.6, 1e-12);
	assert_near(without[0], 81 + 0.1 * (100 - 81), 1e-12);
}

static void chance_decides_what_a_division_gives(void **state)
{
	const double a[] = { 1, 2, 3 }, b[] = { 4, 5, 6 }, same[] = { 7, 7, 7 };
	struct etc_compare_options o = etc_compare_defaults();
	struct etc_arena arena;
	double p;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	o.stat = ETC_STAT_P90;
	/* p90 of 1, 2, 3 is 2.8, and of 4, 5, 6 is 5.8. Of the 20 divisions only two are as
	 * extreme: those that keep 1, 2, 3 together. */
	p = etc_permute(a, 3, b, 3, &o, &arena);
	assert_near(p, 0.1, 0.01);
	assert_near(etc_permute(b, 3, a, 3, &o, &arena), p, 0.01);
	assert_near(etc_permute(same, 3, same, 3, &o, &arena), 1, 0);
	assert_near(etc_permute(a, 3, a, 3, &o, &arena), 1, 0);
	etc_arena_release(&arena);
}

static struct etc_comparison compare(const double *a, size_t m, const double *b, size_t n,
                                     uint8_t stat, uint32_t rounds)
{
	struct etc_dump_samples da = { .runs = m, .time = a, .rows = a },
				db = { .runs = n, .time = b, .rows = b };
	struct etc_sample_group ga = { .dumps = &da, .dump_count = 1 },
				gb = { .dumps = &db, .dump_count = 1 };
	struct etc_compare_options o = etc_compare_defaults();
	struct etc_error err = { 0 };
	struct etc_comparison c;
	struct etc_arena arena;

	o.stat = stat;
	o.rounds = rounds;
	etc_arena_init(&arena, 64 << 20);
	assert_ok(etc_compare(&ga, &gb, 1, &o, &c, &arena, &err), &err);
	assert_ok(etc_compare_adjust(&c, 1, o.level, &arena, &err), &err);
	etc_arena_release(&arena);
	return c;
}

/* Fills `v` with RUNS values from `level` on, without a drift. The largest fifth is larger by
 * `tail`. */
static void fill(double *v, double level, double tail)
{
	for (unsigned i = 0; i < RUNS; i++) {
		unsigned k = i * 37 % RUNS;

		v[i] = level + k / 10.0 + (k >= 80 ? tail : 0);
	}
}

static void a_tail_is_found_that_the_median_does_not_see(void **state)
{
	double a[RUNS], b[RUNS];
	struct etc_comparison c;

	(void)state;
	fill(a, 1000, 0);
	fill(b, 1000, 500);
	c = compare(a, RUNS, b, RUNS, ETC_STAT_MEDIAN, 1000);
	assert_false(c.significant);
	c = compare(a, RUNS, b, RUNS, ETC_STAT_P90, 1000);
	assert_true(c.significant);
	assert_int_equal(c.p_method, ETC_P_PERMUTATION);
	assert_near(c.difference, 500, 1e-9);
	assert_true(etc_compare_regressed(&c, 0.4));
	assert_false(etc_compare_regressed(&c, 0.6));
	c = compare(a, RUNS, b, RUNS, ETC_STAT_P90, 0);
	assert_true(c.significant);
	assert_int_equal(c.p_method, ETC_P_EFFECTIVE);
}

static void a_quantile_of_too_few_runs_is_no_claim(void **state)
{
	static const struct {
		uint8_t stat;
		size_t least;
	} known[] = { { ETC_STAT_TYPICAL, 5 },
		      { ETC_STAT_P90, 10 },
		      { ETC_STAT_P95, 20 },
		      { ETC_STAT_P99, 100 } };
	double a[RUNS], b[RUNS];

	(void)state;
	fill(a, 1000, 0);
	fill(b, 2000, 0);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct etc_comparison c =
			compare(a, known[i].least, b, known[i].least, known[i].stat, 1000);

		assert_true(c.significant);
		c = compare(a, known[i].least, b, known[i].least - 1, known[i].stat, 1000);
		assert_false(c.significant);
		assert_true(c.caveats & ETC_CAVEAT_FEW_RUNS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_estimate_lies_between_its_neighbours_as_in_numpy),
		cmocka_unit_test(chance_decides_what_a_division_gives),
		cmocka_unit_test(a_tail_is_found_that_the_median_does_not_see),
		cmocka_unit_test(a_quantile_of_too_few_runs_is_no_claim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
