/* test_order.c -- order statistics against sorting. */
#include "unit.h"

#include "stats/select.h"

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
	enum { MOST = 900 }; /* few numbers and many are looked through in other ways */
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

/* In orders that pivots from fixed places fall for. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_place_is_that_of_the_sorted_list),
		cmocka_unit_test(no_order_of_few_numbers_is_wrong),
		cmocka_unit_test(a_quantile_lies_between_its_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
