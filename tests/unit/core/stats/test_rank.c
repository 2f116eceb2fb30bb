/* test_rank.c -- p of a rank test on few values, counted over all divisions into two groups, for
 * many rows. */
#include "unit.h"

#include "stats/random.h"
#include "stats/rank.h"
#include "stats/sort.h"

enum { MOST = 7 };

static void draw(struct etc_random *random, uint32_t kinds, double *v, size_t n)
{
	double other[MOST];

	for (size_t i = 0; i < n; i++)
		v[i] = etc_random_below(random, kinds);
	etc_sort(v, n, other);
}

/* Returns the number of pairs with b > a, plus half of the pairs with b = a. The set bits of `to_a`
 * tell which values are in group A; the others are in B. */
static double u_of(const double *all, size_t total, uint32_t to_a)
{
	double u = 0;

	for (size_t i = 0; i < total; i++)
		for (size_t j = 0; j < total; j++)
			if (to_a >> i & 1 && !(to_a >> j & 1))
				u += all[j] > all[i] ? 1 : all[j] == all[i] ? 0.5 : 0;
	return u;
}

/* Returns twice the smaller tail, by counting all divisions of the values into groups of these
 * sizes. */
static double p_of(const double *a, size_t m, const double *b, size_t n)
{
	double all[2 * MOST], lower = 0, upper = 0, count = 0, u;

	memcpy(all, a, m * sizeof *a);
	memcpy(all + m, b, n * sizeof *b);
	u = u_of(all, m + n, (1u << m) - 1);
	for (uint32_t to_a = 0; to_a < 1u << (m + n); to_a++) {
		double other;

		if ((size_t)__builtin_popcount(to_a) != m)
			continue;
		other = u_of(all, m + n, to_a);
		lower += other <= u;
		upper += other >= u;
		count++;
	}
	count = 2 * (lower < upper ? lower : upper) / count;
	return count < 1 ? count : 1;
}

static void every_division_is_counted_whatever_came_before(void **state)
{
	struct etc_random random;
	struct etc_arena arena;
	struct etc_divisions memory = { .arena = &arena };

	(void)state;
	etc_arena_init(&arena, 1 << 24);
	etc_random_seed(&random, 3, 0);
	for (uint32_t row = 0; row < 60; row++) {
		size_t m = 1 + etc_random_below(&random, row % 3 ? 4 : MOST - 1),
		       n = 1 + (size_t)(row % 5);
		double a[MOST], b[MOST];
		struct etc_mann_whitney u;

		draw(&random, row % 2 ? 1u << 30 : 4, a, m);
		draw(&random, row % 2 ? 1u << 30 : 4, b, n);
		for (int again = 0; again < 2; again++) {
			assert_int_equal(etc_mann_whitney(a, m, b, n, ETC_U_PERMUTATION, &u,
			                                  &memory, &arena, NULL),
			                 ETC_OK);
			assert_int_equal(u.method, ETC_U_PERMUTATION);
			assert_true(u.p == p_of(a, m, b, n));
		}
	}
	etc_arena_release(&arena);
}

static void without_ties_all_orders_are_all_divisions(void **state)
{
	struct etc_random random;
	struct etc_arena arena;
	double a[MOST], b[MOST];
	struct etc_mann_whitney exact;

	(void)state;
	etc_arena_init(&arena, 1 << 24);
	etc_random_seed(&random, 4, 0);
	for (size_t m = 1; m <= MOST; m++) {
		draw(&random, 1u << 31, a, m);
		draw(&random, 1u << 31, b, MOST);
		assert_int_equal(
			etc_mann_whitney(a, m, b, MOST, ETC_U_EXACT, &exact, NULL, &arena, NULL),
			ETC_OK);
		assert_int_equal(exact.method, ETC_U_EXACT);
		assert_true(exact.p == p_of(a, m, b, MOST));
	}
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_division_is_counted_whatever_came_before),
		cmocka_unit_test(without_ties_all_orders_are_all_divisions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
