/* test_typical.c -- finding the typical runs, compared with a direct implementation of the
 * definition, on random numbers. */
#include "unit.h"

#include <math.h>

#include "stats/bootstrap.h"
#include "stats/estimate.h"
#include "stats/random.h"
#include "stats/typical.h"

enum { MOST = 40, CASES = 3000 };

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static etc_u128 middle_two(uint64_t *v, size_t n)
{
	qsort(v, n, sizeof *v, by_size);
	return (etc_u128)v[(n - 1) / 2] + v[n / 2];
}

/* The rule as it is defined, without fractions. `middle` is twice the median of the times t, and
 * `spread` is twice the median of the distances |2 t - middle|. Times are below 2^60, so that no
 * product exceeds 64 bits. */
struct rule {
	bool few; /* fewer than 4 times: all are near */
	uint64_t middle;
	etc_u128 spread;
};

static uint64_t distance(const struct rule *rule, uint64_t t)
{
	return 2 * t > rule->middle ? 2 * t - rule->middle : rule->middle - 2 * t;
}

static struct rule rule_of(const uint64_t *times, size_t n)
{
	struct rule rule = { .few = n < 4 };
	uint64_t v[MOST];

	memcpy(v, times, n * sizeof *v);
	rule.middle = (uint64_t)middle_two(v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = distance(&rule, times[i]);
	rule.spread = middle_two(v, n);
	return rule;
}

static bool is_near(const struct rule *rule, uint64_t t)
{
	return rule->few || (etc_u128)20000 * distance(rule, t) <= 44478 * rule->spread;
}

static void fill(struct etc_random *r, uint64_t *times, size_t n)
{
	const uint32_t wide = 1u << etc_random_below(r, 12);
	const uint64_t base = (uint64_t)1 << etc_random_below(r, 59);

	for (size_t i = 0; i < n; i++) {
		times[i] = base + etc_random_below(r, wide);
		if (etc_random_below(r, 6) == 0)
			times[i] += (uint64_t)wide * (1 + etc_random_below(r, 9));
	}
}

static void the_rule_holds_word_for_word(void **state)
{
	struct etc_random r;
	struct etc_arena arena;

	(void)state;
	etc_random_seed(&r, 1, 0);
	etc_arena_init(&arena, 1 << 20);
	for (int k = 0; k < CASES; k++) {
		size_t n = 1 + etc_random_below(&r, MOST), count = 0;
		uint64_t times[MOST];
		uint8_t use[MOST] = { 0 };
		struct etc_typical out;
		struct rule rule;

		fill(&r, times, n);
		rule = rule_of(times, n);
		memset(use, ETC_USE_KEPT, n);
		assert_int_equal(
			etc_typical_runs(times, n, ETC_STAT_TYPICAL, use, &out, &arena, NULL),
			ETC_OK);
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(use[i] == ETC_USE_TYPICAL, is_near(&rule, times[i]));
			count += use[i] == ETC_USE_TYPICAL;
		}
		assert_int_equal(out.typical, count);
		etc_arena_reuse(&arena);
	}
	etc_arena_release(&arena);
}

/* Comparisons estimate the typical run from sorted doubles. Without any one run, the estimate must
 * be that of the rule applied to the other runs. */
static void estimates_agree_with_it(void **state)
{
	struct etc_random r;

	(void)state;
	etc_random_seed(&r, 2, 0);
	for (int k = 0; k < CASES; k++) {
		size_t n = 2 + etc_random_below(&r, MOST - 1);
		uint64_t times[MOST], rest[MOST];
		double time[MOST], without[MOST], sums[MOST];

		fill(&r, times, n);
		for (size_t i = 0; i < n; i++)
			times[i] &= ((uint64_t)1 << 40) - 1;
		qsort(times, n, sizeof *times, by_size);
		for (size_t i = 0; i < n; i++)
			time[i] = (double)times[i];
		etc_estimate_without(ETC_STAT_TYPICAL, time, time, n, without, sums);
		for (size_t i = 0; i < n; i++) {
			double sum = 0, count = 0;
			struct rule rule;

			memcpy(rest, times, i * sizeof *rest);
			memcpy(rest + i, times + i + 1, (n - 1 - i) * sizeof *rest);
			rule = rule_of(rest, n - 1);
			for (size_t j = 0; j < n - 1; j++)
				if (is_near(&rule, rest[j])) {
					sum += (double)rest[j];
					count++;
				}
			assert_near(without[i], sum / count, 1e-9 * sum / count);
		}
	}
}

/* The largest times that a file can contain must not overflow. */
static void the_largest_times_are_compared_exactly(void **state)
{
	uint64_t times[] = { UINT64_MAX,     UINT64_MAX - 1, UINT64_MAX - 2,
		             UINT64_MAX - 3, UINT64_MAX - 4, 0 };
	uint8_t use[6];
	struct etc_arena arena;
	struct etc_typical out;

	(void)state;
	memset(use, ETC_USE_KEPT, sizeof use);
	etc_arena_init(&arena, 1 << 16);
	assert_int_equal(etc_typical_runs(times, 6, ETC_STAT_TYPICAL, use, &out, &arena, NULL),
	                 ETC_OK);
	assert_int_equal(out.typical, 5);
	assert_int_equal(use[5], ETC_USE_KEPT);
	etc_arena_release(&arena);
}

static void the_spread_of_gaussian_numbers_is_their_deviation(void **state)
{
	uint64_t v[4001], few[] = { 1, 2, 3 }, none[] = { 0, 0, 0, 0, 7 };
	struct etc_random r;

	(void)state;
	etc_random_seed(&r, 3, 0);
	for (size_t i = 0; i < 4001; i++)
		v[i] = (uint64_t)(1e9 * (1 + 0.03 * etc_random_normal(&r)));
	assert_near(etc_ratio_double(etc_spread(v, 4001)), 0.03, 0.002);
	assert_true(etc_spread(few, 3).den == 0);
	assert_true(etc_spread(none, 5).den == 0);
}

/* ---- the bootstrap of many runs ------------------------------------------------------- */

enum { MANY = 600, ROUNDS = 3000 };

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double deviation_of(const double *v, size_t n, double *mean)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	*mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - *mean) * (v[i] - *mean);
	return sqrt(squares / (double)(n - 1));
}

/* Draws MANY times from `time` with replacement. Both lists are in ascending order. */
static void draw_sorted(const double *time, double *drawn, struct etc_random *r)
{
	unsigned often[MANY] = { 0 };
	size_t n = 0;

	for (int i = 0; i < MANY; i++)
		often[etc_random_below(r, MANY)]++;
	for (int i = 0; i < MANY; i++)
		for (unsigned k = 0; k < often[i]; k++)
			drawn[n++] = time[i];
}

/* The bootstrap of many runs draws only the values that determine the estimate. Its estimates must
 * vary as much as if it drew every run. */
static void many_runs_vary_as_whole_draws(const double *time, struct etc_random *r)
{
	struct etc_bootstrap plan = { ETC_STAT_TYPICAL, ROUNDS, 1, 0, time };
	static double fast[ROUNDS], whole[ROUNDS], drawn[MANY];
	double fast_mean, whole_mean, fast_deviation, whole_deviation;
	struct etc_arena arena;

	etc_arena_init(&arena, 1 << 24);
	assert_true((int)MANY > (int)ETC_BOOTSTRAP_DRAWN);
	assert_int_equal(etc_bootstrap_rows(&plan, &time, 1, MANY, fast, &arena, NULL), ETC_OK);
	etc_arena_release(&arena);
	for (int k = 0; k < ROUNDS; k++) {
		draw_sorted(time, drawn, r);
		whole[k] = etc_estimate(ETC_STAT_TYPICAL, drawn, drawn, MANY);
	}
	fast_deviation = deviation_of(fast, ROUNDS, &fast_mean);
	whole_deviation = deviation_of(whole, ROUNDS, &whole_mean);
	assert_near(fast_deviation / whole_deviation, 1, 0.08);
	assert_near(fast_mean, whole_mean, 0.15 * whole_deviation);
}

static void many_runs_are_drawn_in_part(void **state)
{
	static double time[MANY];
	struct etc_random r;

	(void)state;
	etc_random_seed(&r, 4, 0);
	for (int kind = 0; kind < 4; kind++) {
		for (int i = 0; i < MANY; i++) {
			double z = etc_random_normal(&r);

			time[i] = kind == 1 ? exp(0.5 * z) : 100 + 3 * z;
			if (kind == 2)
				time[i] = floor(time[i]);
			if (kind == 3 && etc_random_below(&r, 50) == 0)
				time[i] *= 4;
		}
		qsort(time, MANY, sizeof *time, by_number);
		many_runs_vary_as_whole_draws(time, &r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_holds_word_for_word),
		cmocka_unit_test(estimates_agree_with_it),
		cmocka_unit_test(the_largest_times_are_compared_exactly),
		cmocka_unit_test(many_runs_are_drawn_in_part),
		cmocka_unit_test(the_spread_of_gaussian_numbers_is_their_deviation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
