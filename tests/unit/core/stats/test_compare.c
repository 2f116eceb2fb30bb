/* test_compare.c -- comparing one row of two groups of dumps: difference, interval, p, and what is
 * claimed. */
#include "unit.h"

#include "model/profile.h"
#include "stats/compare.h"
#include "stats/estimate.h"
#include "stats/random.h"
#include "stats/sort.h"
#include "stats/gate.h"

#include <math.h>

enum { RUNS = 40 };

/* Fills `out` with log-normal noise of 3 % around `level`. */
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
	struct etc_dump_samples da = { .runs = m, .time = a, .rows = a },
				db = { .runs = n, .time = b, .rows = b };
	struct etc_sample_group ga = { .dumps = &da, .dump_count = 1 },
				gb = { .dumps = &db, .dump_count = 1 };
	struct etc_arena arena;
	struct etc_comparison c;

	etc_arena_init(&arena, 1 << 26);
	c = compared(&ga, &gb, &arena);
	etc_arena_release(&arena);
	if (c.difference_interval.why == ETC_DEFINED && c.b.estimate > 0)
		assert_true(c.difference_interval.low >= -c.a.estimate);
	if (c.ratio_interval.why == ETC_DEFINED)
		assert_true(c.ratio_interval.low >= 0);
	return c;
}

static void half_as_much_again_is_a_regression_above_twenty_per_cent(void **state)
{
	struct etc_random random;
	double a[RUNS], b[RUNS];
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 7, 0);
	noise(&random, 1000, RUNS, a);
	noise(&random, 1500, RUNS, b);
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(c.significant && !c.explained);
	assert_true(c.ratio_interval.low < c.ratio && c.ratio < c.ratio_interval.high);
	assert_true(c.ratio_interval.low < 1.5 && 1.5 < c.ratio_interval.high);
	assert_true(c.process_interval.low < c.ratio_interval.low);
	assert_true(etc_compare_regressed(&c, 0.20));
	assert_false(etc_compare_regressed(&c, 0.60));
	assert_true(c.caveats & ETC_CAVEAT_ONE_DUMP && c.spread == 0.05);
}

/* A difference of ten per cent between two processes may be one that equal processes have. */
static void ten_per_cent_more_of_one_dump_each_differ_and_say_no_more(void **state)
{
	struct etc_random random;
	double a[RUNS], b[RUNS];
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 7, 0);
	noise(&random, 1000, RUNS, a);
	noise(&random, 1100, RUNS, b);
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(c.significant && c.explained && !etc_compare_claims(&c));
	assert_true(c.process_interval.low < 1 && c.process_interval.high > 1.2);
	assert_false(etc_compare_regressed(&c, 0));
}

/* If runs vary by 20 %, processes are assumed to differ by as much. Three times as slow is a claim
 * nevertheless. */
static void noisy_runs_assume_a_wider_spread_between_processes(void **state)
{
	struct etc_random random;
	double a[RUNS], b[RUNS];
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 7, 0);
	noise(&random, 1000, RUNS, a);
	for (size_t i = 0; i < RUNS; i++)
		b[i] = 1400 * exp(0.2 * etc_random_normal(&random));
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(c.a.spread < 0.05 && c.b.spread > 0.1 && c.spread == c.b.spread);
	assert_true(c.significant && c.explained && !etc_compare_regressed(&c, 0));
	for (size_t i = 0; i < RUNS; i++)
		b[i] *= 3 / 1.4;
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(!c.explained && etc_compare_regressed(&c, 1));
	for (size_t i = 0; i < RUNS; i++)
		b[i] = 0;
	assert_true(one_dump_each(b, RUNS, a, RUNS).spread == 0.05);
}

/* Fills `out` with runs that take about 1000. `slow` of 8 runs take 1500 instead. */
static void two_speeds(struct etc_random *random, size_t slow, double *out)
{
	noise(random, 1000, RUNS, out);
	for (size_t i = 0; i < RUNS; i++)
		out[i] *= i * 3 % 8 < slow ? 1.5 : 1;
}

static void two_speeds_of_each_recording_explain_their_distance(void **state)
{
	struct etc_random random;
	double a[RUNS], b[RUNS];
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 7, 0);
	two_speeds(&random, 2, a);
	two_speeds(&random, 6, b);
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(c.significant && c.caveats & ETC_CAVEAT_SPEEDS && !etc_compare_claims(&c));
	assert_true(c.slower[0] == RUNS / 4 && c.slower[1] == RUNS * 3 / 4);
	assert_true(fabs(c.speeds[0] - 1000) < 20 && fabs(c.speeds[1] - 1500) < 30);
	for (size_t i = 0; i < RUNS; i++)
		b[i] *= 3;
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(etc_compare_regressed(&c, 1));
}

static void one_run_at_the_faster_speed_explains_the_distance(void **state)
{
	struct etc_random random;
	double a[RUNS], b[RUNS], last;
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 7, 0);
	two_speeds(&random, 0, a);
	two_speeds(&random, 8, b);
	last = b[RUNS - 1];
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(etc_compare_regressed(&c, 0.2));
	b[RUNS - 1] = a[0];
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(c.caveats & ETC_CAVEAT_SPEEDS && !etc_compare_claims(&c));
	assert_true(c.slower[0] == 0 && c.slower[1] == RUNS - 1);
	/* One slow run of the faster group may be a disturbance. Two are another speed of that
	 * group. */
	b[RUNS - 1] = last;
	a[0] = b[0];
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(etc_compare_claims(&c));
	a[5] = b[5];
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_false(etc_compare_claims(&c));
}

/* Both groups have runs of two speeds, in nearly equal parts. The typical run is of the speed that
 * most runs have, and does not tell how many others there are; p must. */
static void p_of_dependent_runs_knows_the_runs_that_are_not_typical(void **state)
{
	double a[RUNS], b[RUNS];
	struct etc_comparison c;

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		a[i] = (i < 18 ? 1500 : 1000) + i * 5 % 7;
		b[i] = (i < 22 ? 1500 : 1000) + i * 3 % 7;
	}
	c = one_dump_each(a, RUNS, b, RUNS);
	assert_true(c.ratio > 1.4 && c.p_method == ETC_P_EFFECTIVE);
	assert_true(c.p >= 0.999 * c.u.p && c.u.p > 0.05 && !c.significant);
	assert_true(c.difference_interval.low < 0);
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

static void what_is_constant_is_certain_but_needs_runs(void **state)
{
	const double a[] = { 100, 100, 100, 100, 100, 100 }, b[] = { 120, 120, 120, 120, 120, 120 };
	struct etc_comparison six = one_dump_each(a, 6, b, 6), three = one_dump_each(a, 3, b, 3);

	(void)state;
	assert_int_equal(six.difference_interval.method, ETC_INTERVAL_CONSTANT);
	assert_true(six.difference_interval.low == 20 && six.difference_interval.high == 20);
	assert_int_equal(six.p_method, ETC_P_PERMUTATION);
	assert_near(six.p, 2.0 / 924, 1e-15);
	assert_true(six.significant);
	assert_near(three.p, 0.1, 1e-15); /* the normal approximation would give 0.047 */
	assert_false(three.significant);
}

static void a_base_of_zero_has_no_ratio(void **state)
{
	const double a[] = { 0, 0, 0, 0, 0, 0 }, b[] = { 5, 6, 7, 8, 9, 10 };
	struct etc_comparison c = one_dump_each(a, 6, b, 6), none = one_dump_each(a, 6, a, 6);

	(void)state;
	assert_int_equal(c.ratio_why, ETC_UNDEFINED_ZERO);
	assert_int_equal(c.ratio_interval.why, ETC_UNDEFINED_ZERO);
	assert_true(c.ratio == 0 && c.significant);
	assert_false(etc_compare_regressed(&c, 0.05)); /* zero times anything is zero */
	assert_false(none.significant);
}

static void a_time_that_is_no_number_ends_the_comparison(void **state)
{
	const double a[] = { 1, 2, NAN, 4, 5 }, b[] = { 1, 2, 3, 4, HUGE_VAL };
	struct etc_comparison c = one_dump_each(a, 5, a, 5), d = one_dump_each(b, 5, b, 5);

	(void)state;
	assert_int_equal(c.why, ETC_UNDEFINED_NOT_FINITE);
	assert_int_equal(d.why, ETC_UNDEFINED_NOT_FINITE);
	assert_true(c.p == 1 && !c.significant && c.difference == 0 && c.a.median == 0);
}

static void no_runs_are_said_to_be_none(void **state)
{
	const double b[] = { 1, 2, 3, 4, 5 };
	struct etc_comparison c = one_dump_each(b, 0, b, 5), one = one_dump_each(b, 1, b + 4, 1);

	(void)state;
	assert_int_equal(c.why, ETC_UNDEFINED_EMPTY);
	assert_int_equal(one.why, ETC_DEFINED);
	assert_int_equal(one.difference_interval.why, ETC_UNDEFINED_FEW);
	assert_true(one.difference == 4 && one.ratio == 5 && !one.significant);
}

static void a_change_below_the_clock_is_none(void **state)
{
	struct etc_comparison with, without;
	struct etc_compare_options options = etc_compare_defaults();
	const double tick = 2;
	double a[RUNS], b[RUNS];
	struct etc_dump_samples da = { .runs = RUNS, .time = a, .rows = a },
				db = { .runs = RUNS, .time = b, .rows = b };
	struct etc_sample_group ga = { .dumps = &da, .dump_count = 1 },
				gb = { .dumps = &db, .dump_count = 1 };
	struct etc_arena arena;

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		a[i] = 10 + i % 3 * 0.1;
		b[i] = 11 + i % 3 * 0.1;
	}
	without = one_dump_each(a, RUNS, b, RUNS);
	assert_true(without.significant);
	options.resolution = &tick;
	etc_arena_init(&arena, 1 << 26);
	assert_int_equal(etc_compare(&ga, &gb, 1, &options, &with, &arena, NULL), ETC_OK);
	assert_int_equal(etc_compare_adjust(&with, 1, 0.95, &arena, NULL), ETC_OK);
	etc_arena_release(&arena);
	assert_true(with.caveats & ETC_CAVEAT_RESOLUTION);
	assert_false(with.significant);
}

/* Makes `count` dumps of RUNS runs each. Dump d has runs of about levels[d]. */
static void dumps_of(struct etc_random *random, const double *levels, size_t count, double *v,
                     struct etc_dump_samples *dumps)
{
	for (size_t d = 0; d < count; d++, v += RUNS) {
		noise(random, levels[d], RUNS, v);
		dumps[d] = (struct etc_dump_samples){ .runs = RUNS, .time = v, .rows = v };
	}
}

static void dumps_that_differ_among_themselves_hide_a_small_change(void **state)
{
	const double levels[] = { 1000, 1100, 1050, 1060, 1160, 1110 };
	double v[6 * RUNS];
	struct etc_dump_samples dumps[6];
	struct etc_sample_group a = { .dumps = dumps, .dump_count = 3 },
				b = { .dumps = dumps + 3, .dump_count = 3 },
				one = { .dumps = dumps, .dump_count = 1 };
	struct etc_random random;
	struct etc_arena arena;
	struct etc_comparison c, d;

	(void)state;
	etc_random_seed(&random, 9, 0);
	dumps_of(&random, levels, 6, v, dumps);
	etc_arena_init(&arena, 1 << 26);
	c = compared(&a, &b, &arena);
	d = compared(&one, &b, &arena);
	etc_arena_release(&arena);
	assert_true(c.u.p < 1e-6); /* this p counts only the variance between runs */
	assert_int_equal(c.p_method, ETC_P_DUMPS);
	assert_true(c.p > 0.05 && !c.significant);
	assert_int_equal(c.difference_interval.method, ETC_INTERVAL_DUMPS);
	assert_false(c.caveats & (ETC_CAVEAT_ONE_DUMP | ETC_CAVEAT_BORROWED));
	assert_true(d.caveats & ETC_CAVEAT_BORROWED);
	assert_false(d.significant);
}

/* Compares `dumps` dumps of group A with as many of group B. Each has `runs` runs; `a` and `b` are
 * the times of all runs of a group. `turns` is the order of recording, such as "ABBA"; NULL: not
 * known. Checks that the change is that of the two estimates, and inside its interval. */
static struct etc_comparison recorded(const double *a, const double *b, size_t dumps, size_t runs,
                                      const char *turns)
{
	const double *of[2] = { a, b };
	struct etc_dump_samples d[2][5];
	struct etc_sample_group g[2];
	struct etc_arena arena;
	double places[2][5];
	size_t taken[2] = { 0, 0 };
	struct etc_comparison c;

	for (size_t i = 0; turns && turns[i]; i++)
		places[turns[i] == 'B'][taken[turns[i] == 'B']++] = (double)i;
	for (size_t s = 0; s < 2; s++) {
		for (size_t i = 0; i < dumps; i++)
			d[s][i] = (struct etc_dump_samples){ .runs = runs,
				                             .time = of[s] + i * runs,
				                             .rows = of[s] + i * runs };
		g[s] = (struct etc_sample_group){ d[s], dumps, turns ? places[s] : NULL };
	}
	etc_arena_init(&arena, 1 << 26);
	c = compared(&g[0], &g[1], &arena);
	etc_arena_release(&arena);
	assert_true(fabs(c.difference - (c.b.estimate - c.a.estimate)) < 1e-9);
	assert_true(fabs(c.ratio - c.b.estimate / c.a.estimate) < 1e-12);
	if (c.difference_interval.why == ETC_DEFINED) {
		assert_true(c.b.estimate <= 0 || c.difference_interval.low >= -c.a.estimate);
		assert_true(c.difference_interval.low <= c.difference);
		assert_true(c.difference_interval.high >= c.difference);
	}
	if (c.ratio_interval.why == ETC_DEFINED)
		assert_true(c.ratio_interval.low >= 0);
	return c;
}

static void a_preempted_run_of_three_spoils_no_recording(void **state)
{
	static const double a[] = { 100, 101, 99, 102, 100, 103, 101, 100, 99 };
	static const double b[] = { 500, 101, 100, 99, 102, 101, 100, 900, 101 };
	struct etc_comparison c;

	(void)state;
	c = recorded(a, b, 3, 3, "ABBAAB");
	assert_int_equal(c.p_method, ETC_P_ORDER);
	assert_true(fabs(c.difference) < 2 && fabs(c.other) < 2);
	assert_true(!c.significant);
	c = recorded(a, b, 3, 3, NULL);
	assert_true(!c.significant && c.difference_interval.why == ETC_DEFINED);
	assert_true(c.difference_interval.high < 100);
}

static void a_change_whose_sign_the_drift_decides_gets_no_verdict(void **state)
{
	struct etc_random random;
	double v[2][5 * RUNS];
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 11, 0);
	for (size_t d = 0; d < 5; d++)
		for (size_t s = 0; s < 2; s++)
			for (size_t i = 0; i < RUNS; i++)
				v[s][d * RUNS + i] = 1000 * exp(0.04 * (double)(2 * d + s)) *
				                     (s ? 0.965 : 1) *
				                     exp(0.001 * etc_random_normal(&random));
	c = recorded(v[0], v[1], 5, RUNS, "ABABABABAB");
	assert_true(c.difference > 0 && c.other < 0 && c.p < 0.05);
	assert_true(c.caveats & ETC_CAVEAT_DROWNED);
	assert_true(c.significant && !etc_compare_claims(&c));
	assert_true(!etc_compare_regressed(&c, 0));
	assert_true(c.difference_interval.low < c.other);
}

static void equal_constant_times_have_no_drift(void **state)
{
	double v[15];
	struct etc_comparison c;

	(void)state;
	for (size_t i = 0; i < 15; i++)
		v[i] = 72;
	c = recorded(v, v, 3, 5, NULL);
	assert_true(c.difference == 0 && c.drift == 0);
	assert_false(c.caveats & ETC_CAVEAT_DROWNED);
}

static void difference_and_ratio_agree_whether_something_changed(void **state)
{
	static const double a[] = { 1140, 1141, 1142, 1143, 1144, 1150, 1151, 1152,
		                    1153, 1154, 1160, 1161, 1162, 1163, 1164 };
	static const double b[] = { 300, 301, 302, 303, 304, 530, 531, 532,
		                    533, 534, 760, 761, 762, 763, 764 };
	struct etc_comparison c;

	(void)state;
	c = recorded(a, b, 3, 5, NULL);
	assert_true(c.significant && c.difference_interval.high < 0);
	assert_true(c.ratio_interval.high < 1);
	assert_near(c.ratio_interval.low, fmax(1 + c.difference_interval.low / c.a.estimate, 0),
	            1e-9);
	assert_near(c.ratio_interval.high, 1 + c.difference_interval.high / c.a.estimate, 1e-9);
}

/* Returns how often the interval contains the true change, in 200 comparisons of a row that takes
 * 1000 before and nothing after. Each group has `dumps` dumps of RUNS / dumps runs. */
static int hits_of_a_row_that_disappears(size_t dumps)
{
	struct etc_random random;
	double a[RUNS], b[RUNS] = { 0 };
	struct etc_comparison c;
	int hits = 0;

	for (uint64_t seed = 0; seed < 200; seed++) {
		etc_random_seed(&random, seed, 0);
		noise(&random, 1000, RUNS, a);
		c = dumps == 1 ? one_dump_each(a, RUNS, b, RUNS)
		               : recorded(a, b, dumps, RUNS / dumps, NULL);
		assert_true(c.difference_interval.high < 0);
		hits += c.difference_interval.low <= -1000 && c.difference_interval.high >= -1000;
	}
	return hits;
}

static void the_interval_of_a_row_that_disappears_contains_its_time(void **state)
{
	(void)state;
	assert_true(hits_of_a_row_that_disappears(1) >= 180);
	assert_true(hits_of_a_row_that_disappears(4) >= 180);
}

/* Compares two groups of `dumps` equal dumps. Each dump of group s has `n` runs, of which slow[s]
 * take 4 ticks of 1000 ns and all others 3 ticks. */
static struct etc_comparison ticks(const size_t slow[2], size_t n, size_t dumps)
{
	struct etc_dump_samples d[2][3];
	struct etc_sample_group g[2];
	struct etc_compare_options options = etc_compare_defaults();
	struct etc_comparison c;
	struct etc_arena arena;
	double v[2][RUNS];

	for (size_t s = 0; s < 2; s++) {
		for (size_t i = 0; i < n; i++)
			v[s][i] = i * 7 % n < slow[s] ? 4000 : 3000;
		for (size_t i = 0; i < dumps; i++)
			d[s][i] =
				(struct etc_dump_samples){ .runs = n, .time = v[s], .rows = v[s] };
		g[s] = (struct etc_sample_group){ d[s], dumps, NULL };
	}
	options.tails = 1;
	etc_arena_init(&arena, 1 << 26);
	assert_int_equal(etc_compare(&g[0], &g[1], 1, &options, &c, &arena, NULL), ETC_OK);
	assert_int_equal(etc_compare_adjust(&c, 1, 0.95, &arena, NULL), ETC_OK);
	etc_arena_release(&arena);
	return c;
}

static void what_a_coarse_clock_cannot_tell_is_in_the_interval(void **state)
{
	const size_t slow[2] = { 1, 13 }, none[2] = { 0, 0 };
	struct etc_comparison c;
	const char *why;

	(void)state;
	c = ticks(slow, 30, 3); /* means of 3.03 and 3.43 ticks: + 13 % */
	assert_true(c.difference == 0 && !c.significant);
	assert_near(c.difference_interval.low, -1000, 1e-9);
	assert_near(c.difference_interval.high, 1000, 1e-9);
	assert_near(c.ratio_interval.high, 4.0 / 3, 1e-9);
	assert_int_equal(etc_gate_verdict(&c, true, 0.05, &why), ETC_GATE_NOISY);
	c = ticks(none, 30, 3); /* as a simulator records: all runs are equal */
	assert_int_equal(etc_gate_verdict(&c, true, 0.05, &why), ETC_GATE_PASS);
}

/* Compares two dumps with an end-to-end time and a row that takes 3000, but in one run `rare` more. */
static struct etc_comparison constant_row(double jitter, double tick, double rare,
                                          const double *resolution)
{
	double v[2 * 30];
	struct etc_dump_samples d = { .runs = 30, .time = v, .tick = tick, .rows = v };
	struct etc_sample_group g = { .dumps = &d, .dump_count = 1 };
	struct etc_compare_options options = etc_compare_defaults();
	struct etc_comparison c[2];
	struct etc_arena arena;

	for (size_t i = 0; i < 30; i++) {
		v[i] = 90000 + jitter * (double)(i % 7);
		v[30 + i] = i == 17 ? 3000 + rare : 3000;
	}
	options.tails = 1;
	options.resolution = resolution;
	options.process_spread = 0;
	etc_arena_init(&arena, 1 << 26);
	assert_int_equal(etc_compare(&g, &g, 2, &options, c, &arena, NULL), ETC_OK);
	assert_int_equal(etc_compare_adjust(c, 2, 0.95, &arena, NULL), ETC_OK);
	etc_arena_release(&arena);
	assert_true(fabs(c[1].difference_interval.low) <= rare &&
	            fabs(c[1].difference_interval.high) <= rare);
	return c[1];
}

/* A clock of whole us may read 3 us in every run both of a kernel that takes 3.05 us and of one
 * that takes 3.90 us. So equal times do not prove that a kernel has not become slower. */
static void what_the_clock_may_hide_in_a_row_does_not_pass(void **state)
{
	static const double whole_us[] = { 0, 1000 }, fine[] = { 0, 100 };
	struct etc_comparison c;
	const char *why;

	(void)state;
	c = constant_row(10, 1, 0, whole_us);
	assert_int_equal(etc_gate_verdict(&c, true, 0.05, &why), ETC_GATE_CANNOT);
	assert_int_equal(etc_gate_verdict(&c, true, 0.5, &why), ETC_GATE_PASS);
	c = constant_row(10, 1, 0, fine);
	assert_int_equal(etc_gate_verdict(&c, true, 0.05, &why), ETC_GATE_PASS);
	for (unsigned rare = 0; rare < 2; rare++) {
		c = constant_row(1000, 1000, rare * 1000, NULL);
		assert_int_equal(etc_gate_verdict(&c, true, 0.05, &why), ETC_GATE_CANNOT);
	}
	c = constant_row(0, 1000, 0, NULL); /* a simulator */
	assert_int_equal(etc_gate_verdict(&c, true, 0.05, &why), ETC_GATE_PASS);
}

static bool has_two_speeds(const double *v, size_t n, double tick)
{
	double sorted[RUNS], other[RUNS];
	struct etc_examined e;
	struct etc_arena arena;

	memcpy(sorted, v, n * sizeof *v);
	etc_sort(sorted, n, other);
	etc_arena_init(&arena, 1 << 24);
	assert_int_equal(etc_examine(v, sorted, n, tick, ETC_EXAMINE_ALL, &e, &arena, NULL),
	                 ETC_OK);
	etc_arena_release(&arena);
	return e.caveats & ETC_CAVEAT_BIMODAL;
}

/* Times of a 24 MHz clock that are rounded to ns: a multiple of 41.67 ns has two readings. */
static void a_rounded_clock_is_as_coarse(void **state)
{
	double a[24], b[24];
	struct etc_dump_samples da = { .runs = 24, .time = a, .tick = 1e9 / 24e6, .rows = a },
				db = { .runs = 24, .time = b, .tick = 1e9 / 24e6, .rows = b };
	struct etc_sample_group ga = { .dumps = &da, .dump_count = 1 },
				gb = { .dumps = &db, .dump_count = 1 };
	struct etc_compare_options options = etc_compare_defaults();
	struct etc_comparison c;
	struct etc_arena arena;

	(void)state;
	for (size_t i = 0; i < 24; i++) {
		a[i] = 1000 + (double)(i % 2);
		b[i] = (i % 6 == 5 ? 1042 : 1000) + (double)(i % 2);
	}
	assert_true(has_two_speeds(b, 24, 1) && !has_two_speeds(b, 24, da.tick));
	options.tails = 1;
	options.rounds = 1000;
	etc_arena_init(&arena, 1 << 26);
	assert_int_equal(etc_compare(&ga, &gb, 1, &options, &c, &arena, NULL), ETC_OK);
	etc_arena_release(&arena);
	assert_false(c.caveats & ETC_CAVEAT_BIMODAL);
	assert_true(c.difference_interval.high > da.tick);
}

/* Every run takes 6 % longer now. But the typical run was a slow one before and is a fast one now,
 * so it hides the change. */
static void what_two_speeds_may_hide_does_not_pass(void **state)
{
	struct etc_random random;
	double a[30], b[30];
	struct etc_comparison c;
	const char *why;

	(void)state;
	etc_random_seed(&random, 5, 0);
	for (size_t i = 0; i < 30; i++) {
		a[i] = (i * 7 % 30 < 19 ? 1200 : 1000) * exp(0.003 * etc_random_normal(&random));
		b[i] = (i * 7 % 30 < 11 ? 1272 : 1060) * exp(0.003 * etc_random_normal(&random));
	}
	c = one_dump_each(a, 30, b, 30);
	assert_true(c.process_interval.high < 1.05 && !c.significant);
	c.difference_interval.high = 0; /* the verdict must not depend on the bootstrap */
	assert_int_equal(etc_gate_verdict(&c, true, 0.05, &why), ETC_GATE_ALONE);
}

static void recordings_that_differ_too_much_have_no_interval(void **state)
{
	static const double a[] = { 10, 10, 11, 10, 10, 300, 301, 300, 302, 300 };
	static const double b[] = { 10, 11, 10, 10, 11, 10, 10, 11, 10, 700 };
	struct etc_comparison c;

	(void)state;
	c = recorded(a, b, 2, 5, NULL);
	assert_true(!c.significant);
	assert_int_equal(c.difference_interval.why, ETC_UNDEFINED_FEW);
	assert_int_equal(c.ratio_interval.why, ETC_UNDEFINED_FEW);
}

static void the_same_dump_twice_is_not_two(void **state)
{
	const double levels[] = { 1000, 1003 };
	double v[2 * RUNS];
	struct etc_dump_samples dumps[4];
	struct etc_sample_group a = { .dumps = dumps, .dump_count = 2 },
				b = { .dumps = dumps + 2, .dump_count = 2 };
	struct etc_random random;
	struct etc_arena arena;
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 10, 0);
	dumps_of(&random, levels, 1, v, dumps);
	dumps_of(&random, levels + 1, 1, v + RUNS, dumps + 2);
	dumps[1] = dumps[0];
	dumps[3] = dumps[2];
	etc_arena_init(&arena, 1 << 26);
	c = compared(&a, &b, &arena);
	etc_arena_release(&arena);
	/* The dumps of a group are equal, so only the variance inside of them is left. */
	assert_false(c.significant);
	assert_true(c.difference_interval.high > c.difference_interval.low);
}

static void equal_mixtures_have_an_interval_of_their_size(void **state)
{
	/* The median of all runs of a group differs, the mean of the medians of its dumps does
	 * not. */
	const double levels[] = { 1000, 1000, 2000, 2000, 2000, 0.001 };
	double v[6 * RUNS];
	struct etc_dump_samples dumps[6];
	struct etc_sample_group a = { .dumps = dumps, .dump_count = 3 },
				b = { .dumps = dumps + 3, .dump_count = 3 };
	struct etc_compare_options options = etc_compare_defaults();
	struct etc_random random;
	struct etc_arena arena;
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 13, 0);
	dumps_of(&random, levels, 6, v, dumps);
	etc_arena_init(&arena, 1 << 26);
	options.rounds = 1000;
	options.stat = ETC_STAT_MEDIAN;
	assert_int_equal(etc_compare(&a, &b, 1, &options, &c, &arena, NULL), ETC_OK);
	etc_arena_release(&arena);
	assert_true(c.difference > 500);
	assert_true(c.p > 0.5);
	assert_true(c.difference_interval.high < 20 * c.difference);
}

static void drift_dependence_and_two_speeds_are_noticed(void **state)
{
	struct etc_random random;
	double drift[200], step[200], tied[200], modes[200], clock[200], last = 0;
	struct etc_comparison c;

	(void)state;
	etc_random_seed(&random, 11, 0);
	noise(&random, 1000, 200, drift);
	noise(&random, 1000, 200, modes);
	noise(&random, 1000, 200, clock);
	for (int i = 0; i < 200; i++) {
		drift[i] += 0.5 * i;
		step[i] = i < 80 ? 1000 - 0.01 * i : 250 - 0.01 * i;
		last = 0.8 * last + etc_random_normal(&random);
		tied[i] = 1000 + 10 * last;
		modes[i] += i % 5 < 2 ? 300 : 0;
		clock[i] = floor(clock[i] / 50) * 50;
	}
	c = one_dump_each(drift, 200, drift, 200);
	assert_true(c.caveats & ETC_CAVEAT_DRIFT);
	assert_true(c.a.examined.drift > 0.05);
	c = one_dump_each(step, 200, step, 200);
	assert_true(c.caveats & ETC_CAVEAT_DRIFT);
	assert_float_equal(c.a.examined.drift, -0.75, 0.002); /* a fitted line would end below 0 */
	c = one_dump_each(tied, 200, tied, 200);
	assert_true(c.caveats & ETC_CAVEAT_AUTOCORRELATED);
	assert_true(c.a.examined.effective < 60);
	assert_int_equal(c.difference_interval.method, ETC_INTERVAL_EFFECTIVE);
	c = one_dump_each(modes, 200, modes, 200);
	assert_true(c.caveats & ETC_CAVEAT_BIMODAL);
	c = one_dump_each(clock, 200, clock, 200);
	assert_false(c.caveats & ETC_CAVEAT_BIMODAL); /* ticks of a coarse clock are no modes */
}

static void two_exact_values_and_few_slow_runs_are_two_speeds(void **state)
{
	struct etc_random random;
	double exact[24], few[19], tail[19];

	(void)state;
	etc_random_seed(&random, 12, 0);
	for (int i = 0; i < 24; i++)
		exact[i] = i % 2 ? 150000 : 100000;
	for (int i = 0; i < 19; i++) {
		few[i] = (i < 15 ? 100000 : 150000) * (0.97 + 0.06 * etc_random_unit(&random));
		tail[i] = i < 16 ? few[i % 15] : 150000;
	}
	assert_true(has_two_speeds(exact, 24, 1));
	/* the two values are neighbouring ticks of a clock, whose tick is given or not (0) */
	assert_false(has_two_speeds(exact, 24, 50000));
	assert_false(has_two_speeds(exact, 24, 0));
	assert_true(has_two_speeds(few, 19, 1));
	assert_false(has_two_speeds(tail, 19, 1)); /* three runs may be a tail */
}

static void a_row_does_not_depend_on_its_company(void **state)
{
	enum { ROWS = 130 };
	struct etc_compare_options options = etc_compare_defaults();
	static double a[(ROWS + 1) * RUNS], b[(ROWS + 1) * RUNS];
	struct etc_dump_samples da = { .runs = RUNS, .time = a, .rows = a + RUNS },
				db = { .runs = RUNS, .time = b, .rows = b + RUNS };
	struct etc_dump_samples la = da, lb = db;
	struct etc_sample_group ga = { .dumps = &da, .dump_count = 1 },
				gb = { .dumps = &db, .dump_count = 1 };
	struct etc_comparison many[ROWS], one;
	struct etc_random random;
	struct etc_arena arena;

	(void)state;
	etc_random_seed(&random, 12, 0);
	noise(&random, 1000, (ROWS + 1) * RUNS, a);
	noise(&random, 1010, (ROWS + 1) * RUNS, b);
	options.rounds = 300;
	etc_arena_init(&arena, 1 << 26);
	assert_int_equal(etc_compare(&ga, &gb, ROWS, &options, many, &arena, NULL), ETC_OK);
	la.rows += 100 * RUNS;
	lb.rows += 100 * RUNS;
	ga.dumps = &la;
	gb.dumps = &lb;
	assert_int_equal(etc_compare(&ga, &gb, 1, &options, &one, &arena, NULL), ETC_OK);
	etc_arena_release(&arena);
	assert_true(one.difference_interval.low == many[100].difference_interval.low);
	assert_true(one.ratio_interval.high == many[100].ratio_interval.high);
	assert_true(one.p == many[100].p && one.shift.shift == many[100].shift.shift);
}

static void every_statistic_has_an_answer(void **state)
{
	struct etc_random random;
	double a[RUNS], b[RUNS];
	struct etc_dump_samples da = { .runs = RUNS, .time = a, .rows = a },
				db = { .runs = RUNS, .time = b, .rows = b };
	struct etc_sample_group ga = { .dumps = &da, .dump_count = 1 },
				gb = { .dumps = &db, .dump_count = 1 };
	struct etc_compare_options options = etc_compare_defaults();
	struct etc_arena arena;

	(void)state;
	etc_random_seed(&random, 13, 0);
	noise(&random, 1000, RUNS, a);
	noise(&random, 1200, RUNS, b);
	etc_arena_init(&arena, 1 << 26);
	for (uint32_t rounds = 0; rounds <= 500; rounds += 500)
		for (uint8_t stat = 0; stat < ETC_STAT_COUNT; stat++) {
			bool known = stat != ETC_STAT_MIN && stat != ETC_STAT_TOTAL;
			bool few = RUNS < etc_estimate_least(stat);
			struct etc_comparison c;

			options.stat = stat;
			options.rounds = rounds;
			assert_int_equal(etc_compare(&ga, &gb, 1, &options, &c, &arena, NULL),
			                 ETC_OK);
			assert_int_equal(etc_compare_adjust(&c, 1, 0.95, &arena, NULL), ETC_OK);
			assert_true(c.significant == (known && !few));
			assert_int_equal(c.p_method == ETC_P_NONE, !known);
			assert_true(c.ratio > 1.1 && c.ratio < 1.3);
			assert_int_equal(c.ratio_interval.why,
			                 known ? ETC_DEFINED : ETC_UNDEFINED_NO_METHOD);
			if (known && !etc_estimate_least(stat))
				assert_true(c.ratio_interval.low > 1.15 &&
				            c.ratio_interval.high < 1.25);
		}
	etc_arena_release(&arena);
}

static void rows_pay_for_each_other(void **state)
{
	struct etc_comparison rows[3] = { { .p = 0.02, .p_method = ETC_P_RUNS },
		                          { .p = 0.04, .p_method = ETC_P_RUNS },
		                          { .p = 1, .why = ETC_UNDEFINED_EMPTY } };
	struct etc_arena arena;

	(void)state;
	for (int i = 0; i < 2; i++)
		rows[i].difference_interval = (struct etc_interval){ 1, 2, ETC_INTERVAL_BCA, 0 };
	etc_arena_init(&arena, 1 << 20);
	assert_int_equal(etc_compare_adjust(rows, 3, 0.95, &arena, NULL), ETC_OK);
	etc_arena_release(&arena);
	assert_near(rows[0].p_adjusted, 0.04, 1e-15);
	assert_near(rows[1].p_adjusted, 0.04, 1e-15);
	assert_true(rows[0].significant && rows[1].significant && !rows[2].significant);
}

static void when_memory_ends_it_is_said(void **state)
{
	const double a[] = { 1, 2, 3, 4, 5 };
	struct etc_dump_samples d = { .runs = 5, .time = a, .rows = a };
	struct etc_sample_group g = { .dumps = &d, .dump_count = 1 };
	struct etc_compare_options options = etc_compare_defaults();
	struct etc_comparison c;
	struct etc_error err = { 0 };
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 100);
	assert_fails(etc_compare(&g, &g, 1, &options, &c, &arena, &err), &err, E0904);
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_as_much_again_is_a_regression_above_twenty_per_cent),
		cmocka_unit_test(ten_per_cent_more_of_one_dump_each_differ_and_say_no_more),
		cmocka_unit_test(noisy_runs_assume_a_wider_spread_between_processes),
		cmocka_unit_test(two_speeds_of_each_recording_explain_their_distance),
		cmocka_unit_test(one_run_at_the_faster_speed_explains_the_distance),
		cmocka_unit_test(p_of_dependent_runs_knows_the_runs_that_are_not_typical),
		cmocka_unit_test(the_same_samples_are_no_change),
		cmocka_unit_test(three_runs_allow_no_claim),
		cmocka_unit_test(what_is_constant_is_certain_but_needs_runs),
		cmocka_unit_test(a_base_of_zero_has_no_ratio),
		cmocka_unit_test(a_time_that_is_no_number_ends_the_comparison),
		cmocka_unit_test(no_runs_are_said_to_be_none),
		cmocka_unit_test(a_change_below_the_clock_is_none),
		cmocka_unit_test(dumps_that_differ_among_themselves_hide_a_small_change),
		cmocka_unit_test(a_preempted_run_of_three_spoils_no_recording),
		cmocka_unit_test(a_change_whose_sign_the_drift_decides_gets_no_verdict),
		cmocka_unit_test(equal_constant_times_have_no_drift),
		cmocka_unit_test(difference_and_ratio_agree_whether_something_changed),
		cmocka_unit_test(the_interval_of_a_row_that_disappears_contains_its_time),
		cmocka_unit_test(what_a_coarse_clock_cannot_tell_is_in_the_interval),
		cmocka_unit_test(what_the_clock_may_hide_in_a_row_does_not_pass),
		cmocka_unit_test(a_rounded_clock_is_as_coarse),
		cmocka_unit_test(what_two_speeds_may_hide_does_not_pass),
		cmocka_unit_test(recordings_that_differ_too_much_have_no_interval),
		cmocka_unit_test(the_same_dump_twice_is_not_two),
		cmocka_unit_test(equal_mixtures_have_an_interval_of_their_size),
		cmocka_unit_test(drift_dependence_and_two_speeds_are_noticed),
		cmocka_unit_test(two_exact_values_and_few_slow_runs_are_two_speeds),
		cmocka_unit_test(a_row_does_not_depend_on_its_company),
		cmocka_unit_test(every_statistic_has_an_answer),
		cmocka_unit_test(rows_pay_for_each_other),
		cmocka_unit_test(when_memory_ends_it_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
