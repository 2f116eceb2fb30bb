/* test_tail.c -- finding the group of two that has more slow runs (tail.h). */
#include "unit.h"

#include <math.h>

#include "stats/tail.h"

enum { MOST = 400 };

static struct etc_tails tails_of(const double *a, const size_t *a_first, size_t a_dumps,
                                 const double *b, const size_t *b_first, size_t b_dumps)
{
	const struct etc_tail_group groups[2] = { { a, a_first, a_dumps },
		                                  { b, b_first, b_dumps } };
	struct etc_error err = { .at = -1 };
	struct etc_arena arena;
	struct etc_tails out;

	etc_arena_init(&arena, 1 << 20);
	assert_ok(etc_tails_compare(groups, &out, &arena, &err), &err);
	etc_arena_release(&arena);
	return out;
}

/* Fills `v` with n runs of about `level`. Every `each`-th takes 5 times as long; 0: none. */
static void fill(double *v, size_t n, size_t each, double level)
{
	for (size_t i = 0; i < n; i++)
		v[i] = each && i % each == each - 1 ? 5 * level
		                                    : level * (1 + 0.001 * (double)(i * 7 % 11));
}

/* 10 of 50 runs are slow in one group, none of 50 in the other. p is that of
 * scipy.stats.fisher_exact([[10, 40], [0, 50]]). */
static void one_dump_each_is_the_exact_test_of_fisher(void **state)
{
	static const size_t first[] = { 0, 50 };
	double a[MOST], b[MOST];
	struct etc_tails t;

	(void)state;
	fill(a, 50, 0, 100);
	fill(b, 50, 5, 130); /* all runs being slower is no tail */
	t = tails_of(a, first, 1, b, first, 1);
	assert_near(t.p, 0.0011868393451716576, 1e-12);
	assert_near(t.slow[0], 0, 0);
	assert_near(t.slow[1], 0.2, 1e-12);
	t = tails_of(b, first, 1, a, first, 1);
	assert_near(t.p, 0.0011868393451716576, 1e-12);
	assert_near(tails_of(a, first, 1, a, first, 1).p, 1, 1e-12);
}

/* Runs of two speeds: 26 of 50 are slow in one group, and 24 in the other. So the median is of the
 * slow speed in one group only. */
static void two_speeds_are_no_tail(void **state)
{
	static const size_t first[] = { 0, 50 };
	double a[MOST], b[MOST];
	struct etc_tails t;

	(void)state;
	for (size_t i = 0; i < 50; i++) {
		double level = 100 + 0.1 * (double)(i * 7 % 11);

		a[i] = i % 2 || i == 0 || i == 2 ? 1.5 * level : level;
		b[i] = i % 2 && i != 1 && i != 3 ? 1.5 * level : level;
	}
	t = tails_of(a, first, 1, b, first, 1);
	assert_true(t.p > 0.1);
	t = tails_of(b, first, 1, a, first, 1);
	assert_true(t.p > 0.1);
}

/* Ten slow runs one after the other count as one disturbance. */
static void neighbours_are_one(void **state)
{
	static const size_t first[] = { 0, 50 };
	double a[MOST], b[MOST];
	struct etc_tails t;

	(void)state;
	fill(a, 50, 0, 100);
	fill(b, 50, 0, 100);
	for (size_t i = 20; i < 30; i++)
		b[i] = 500;
	t = tails_of(a, first, 1, b, first, 1);
	assert_near(t.slow[1], 0.2, 1e-12);
	assert_true(t.p > 0.4);
}

static void several_dumps_are_as_many_blocks(void **state)
{
	static const size_t two[] = { 0, 50, 100 }, three[] = { 0, 50, 100, 150 };
	double a[MOST], b[MOST];

	(void)state;
	fill(a, 150, 0, 100);
	fill(b, 150, 5, 100);
	assert_true(tails_of(a, three, 3, b, three, 3).p < 0.001);
	assert_near(tails_of(a, two, 2, b, three, 3).p, 1, 0); /* two recordings are too few */
	/* all slow runs are in one of the three dumps, so they may be caused by that process */
	fill(b, 150, 0, 100);
	for (size_t i = 0; i < 50; i += 2)
		b[i] = 500;
	assert_true(tails_of(a, three, 3, b, three, 3).p > 0.05);
}

static void no_run_tells_nothing(void **state)
{
	static const size_t none[] = { 0, 0 }, first[] = { 0, 50 };
	double a[MOST];

	(void)state;
	fill(a, 50, 5, 100);
	assert_near(tails_of(a, none, 1, a, first, 1).p, 1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_dump_each_is_the_exact_test_of_fisher),
		cmocka_unit_test(two_speeds_are_no_tail),
		cmocka_unit_test(neighbours_are_one),
		cmocka_unit_test(several_dumps_are_as_many_blocks),
		cmocka_unit_test(no_run_tells_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
