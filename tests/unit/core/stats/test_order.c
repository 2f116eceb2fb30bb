/* test_order.c -- finding the k-th smallest number, compared with sorting all. */
#include "unit.h"

#include <math.h>

#include "stats/select.h"
#include "stats/sort.h"

static uint64_t next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 11;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void every_place_is_that_of_the_sorted_list(void **state)
{
	enum { MOST = 900 }; /* few and many numbers use different algorithms */
	uint64_t v[MOST], sorted[MOST], seed = 1;

	(void)state;
	for (size_t n = 1; n <= MOST; n += n < 60 ? 1 : 83) {
		for (size_t k = 0; k < n; k += n < 60 ? 1 : 7) {
			size_t below, want = 0;
			uint64_t range = k % 3 == 0 ? 5 : k % 3 == 1 ? 1000 : UINT64_MAX;

			for (size_t i = 0; i < n; i++)
				sorted[i] = v[i] = next(&seed) * 2049 % range;
			qsort(sorted, n, sizeof *sorted, by_value);
			assert_true(etc_select(v, n, k, &below) == sorted[k]);
			while (want < n && sorted[want] < sorted[k])
				want++;
			assert_int_equal(below, want);
		}
	}
}

static void a_quantile_lies_between_its_neighbours(void **state)
{
	uint64_t v[] = { 40, 10, 30, 20 };
	struct etc_ratio median = etc_quantile(v, 4, 5), p90 = etc_quantile(v, 4, 9);

	(void)state;
	assert_true(etc_ratio_double(median) == 25.0);
	assert_true(etc_ratio_double(p90) == 37.0);
}

/* Orders for which a pivot at a fixed position is bad. */
static void no_order_of_few_numbers_is_wrong(void **state)
{
	enum { MOST = 512 };
	uint64_t v[MOST];

	(void)state;
	for (size_t k = 0; k < MOST; k += 37)
		for (int order = 0; order < 4; order++) {
			size_t below;

			for (size_t i = 0; i < MOST; i++)
				v[i] = order == 0   ? i
				       : order == 1 ? MOST - 1 - i
				       : order == 2 ? (i < MOST / 2 ? 2 * i : 2 * (MOST - i) - 1)
				                    : (i * 129) % MOST;
			assert_int_equal(etc_select(v, MOST, k, &below), k);
			assert_int_equal(below, k);
		}
}

/* Lists with many equal numbers, ascending lists, and descending ones. Numbers before position k
 * must not be larger than the one at k, numbers behind it not smaller. */
static void nothing_larger_is_before_it(void **state)
{
	(void)state;
	for (size_t n = 1; n < 200; n += 7)
		for (int order = 0; order < 3; order++)
			for (size_t k = 0; k < n; k += 3) {
				uint64_t v[200];
				size_t end;

				for (size_t i = 0; i < n; i++)
					v[i] = order == 0 ? i % 3 : order == 1 ? i : n - i;
				end = etc_select_from(v, 0, n, k);
				assert_true(k < end && end <= n);
				for (size_t i = 0; i < n; i++)
					assert_true(i < k ? v[i] <= v[k] : v[i] >= v[k]);
				for (size_t i = k + 1; i < end; i++)
					assert_true(v[i - 1] <= v[i]);
			}
}

/* Orders for which a pivot at a fixed position is bad. With quadratic time, the test would take
 * hours. */
static void no_order_of_the_numbers_is_slow(void **state)
{
	enum { N = 2000000, ORDERS = 6 };
	static uint64_t v[N];

	(void)state;
	for (int order = 0; order < ORDERS; order++)
		for (size_t k = N / 10; k < N; k += N / 10 * 4) {
			size_t below = 0, equal = 0;

			for (size_t i = 0; i < N; i++) {
				size_t there[ORDERS] = { i,        N - i,    i < N / 2 ? i : N - i,
					                 i % 1000, i & 1023, i * 7919 % 13 };

				v[i] = there[order];
			}
			assert_true(etc_select(v, N, k, NULL) == v[k]);
			for (size_t i = 0; i < N; i++) {
				below += v[i] < v[k];
				equal += v[i] == v[k];
			}
			assert_true(below <= k && k < below + equal);
		}
}

/* If the numbers have very different sizes, a pivot between the smallest and the largest splits off
 * only a few. */
static void numbers_of_all_sizes_are_not_slow(void **state)
{
	enum { N = 1000 };
	uint64_t v[N];

	(void)state;
	for (size_t i = 0; i < N; i++)
		v[i] = etc_sort_key(ldexp(i % 2 ? -1.0 : 1.0, (int)i));
	assert_true(etc_sort_number(etc_select(v, N, N / 2, NULL)) == 1.0);
	assert_true(etc_sort_number(etc_select(v, N, 0, NULL)) == ldexp(-1.0, N - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_place_is_that_of_the_sorted_list),
		cmocka_unit_test(no_order_of_few_numbers_is_wrong),
		cmocka_unit_test(nothing_larger_is_before_it),
		cmocka_unit_test(no_order_of_the_numbers_is_slow),
		cmocka_unit_test(numbers_of_all_sizes_are_not_slow),
		cmocka_unit_test(a_quantile_lies_between_its_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
