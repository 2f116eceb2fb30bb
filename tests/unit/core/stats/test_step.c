/* test_step.c -- the step between two groups of recordings, estimated together with a smooth drift
 * (order.h). */
#include "unit.h"

#include <math.h>

#include "stats/order.h"
#include "stats/random.h"

enum { MOST = 20 };

/* Makes `n` recordings at the positions t = 0, 1, ... whose groups are in the order `order`,
 * repeated ("ABBA"). The value y is larger by `step` in group B, and contains the drift at its
 * position. */
static size_t make(const char *order, size_t n, double step, double (*drift)(double), double *y,
                   double *t, bool *second)
{
	for (size_t i = 0; i < n; i++) {
		second[i] = order[i % strlen(order)] == 'B';
		t[i] = (double)i;
		y[i] = 5 + (second[i] ? step : 0) + drift((double)i / (double)(n - 1));
	}
	return n;
}

static struct etc_step step_of(const double *y, const double *t, const bool *second, size_t n,
                               double least)
{
	struct etc_error err = { .at = -1 };
	struct etc_arena arena;
	struct etc_step s;

	etc_arena_init(&arena, 1 << 20);
	assert_ok(etc_step_in_order(y, t, second, n, least, &s, &arena, &err), &err);
	etc_arena_release(&arena);
	return s;
}

static double none(double at)
{
	(void)at;
	return 0;
}

static double line(double at)
{
	return 3 * at;
}

static double curve(double at)
{
	return 3 * at - 4 * at * at;
}

static void a_drift_that_is_fitted_takes_nothing_from_the_step(void **state)
{
	static const char *const orders[] = { "AB", "ABBA", "AABB", "BA" };
	double y[MOST], t[MOST];
	bool second[MOST];

	(void)state;
	for (size_t k = 0; k < 4; k++)
		for (size_t n = 6; n <= MOST; n += 2) {
			/* a drift of fewer than 8 recordings is fitted as a line */
			size_t all = make(orders[k], n, 0.25, n < 8 ? line : curve, y, t, second);
			struct etc_step s = step_of(y, t, second, all, 0);

			assert_int_equal(s.why, ETC_DEFINED);
			assert_near(s.size, 0.25, 1e-9);
			assert_near(s.variance, 0, 1e-12);
			assert_near(s.freedom, (double)(n - (n < 8 ? 2 : n < 14 ? 3 : 4) - 1), 0);
		}
}

/* The result must depend only on the positions: not on the order of the arrays, and not on the
 * scale of the positions. */
static void rows_may_stand_in_any_order(void **state)
{
	double y[MOST], t[MOST], u[MOST], v[MOST];
	bool second[MOST], other[MOST];
	struct etc_random r;
	struct etc_step a, b;
	size_t n;

	(void)state;
	etc_random_seed(&r, 7, 0);
	n = make("ABBA", 12, 0.1, curve, y, t, second);
	for (size_t i = 0; i < n; i++)
		y[i] += 0.01 * etc_random_normal(&r);
	for (size_t i = 0; i < n; i++) { /* another order: 5 and 12 have no common divisor */
		u[i] = y[i * 5 % n];
		v[i] = 1e6 + 3 * t[i * 5 % n];
		other[i] = second[i * 5 % n];
	}
	a = step_of(y, t, second, n, 0);
	b = step_of(u, v, other, n, 0);
	assert_near(a.size, b.size, 1e-9);
	assert_near(a.variance, b.variance, 1e-9);
	assert_true(a.variance > 0);
}

/* The values are noise without a step: 1, -1, -1, 1, ..., to which no line fits. */
static void the_variance_is_that_of_the_residuals(void **state)
{
	const double y[] = { 1, -1, -1, 1, 1, -1, -1, 1, 0, 0 };
	const double t[] = { -4.5, -3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5 };
	const bool second[] = { 0, 1, 0, 1, 0, 1, 0, 1, 0, 1 };
	struct etc_step s = step_of(y, t, second, 10, 0), least = step_of(y, t, second, 10, 100);
	/* as numpy.linalg.lstsq computes them with the columns 1, t, t^2 and `second` */
	const double size = 0, variance = 0.5416666666666666;

	(void)state;
	assert_near(s.size, size, 1e-9);
	assert_near(s.variance, variance, 1e-9);
	assert_near(least.size, size, 1e-9);
	assert_true(least.variance > 30); /* 100 divided by the sum of squares of the step */
}

static void what_nobody_can_tell_is_not_told(void **state)
{
	double y[MOST], t[MOST];
	bool second[MOST];

	(void)state;
	make("AB", 4, 0.5, none, y, t, second);
	assert_int_equal(step_of(y, t, second, 4, 0).why, ETC_UNDEFINED_FEW);
	make("A", 10, 0.5, none, y, t, second);
	assert_int_equal(step_of(y, t, second, 10, 0).why, ETC_UNDEFINED_NO_METHOD);
	make("AB", 10, 0.5, none, y, t, second);
	for (size_t i = 0; i < 10; i++)
		t[i] = second[i]; /* the position tells the group, so drift and step are one */
	assert_int_equal(step_of(y, t, second, 10, 0).why, ETC_UNDEFINED_NO_METHOD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drift_that_is_fitted_takes_nothing_from_the_step),
		cmocka_unit_test(rows_may_stand_in_any_order),
		cmocka_unit_test(the_variance_is_that_of_the_residuals),
		cmocka_unit_test(what_nobody_can_tell_is_not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
