/* test_bisect.c -- a binary search must end at the same index as a search from the front. */
#include "unit.h"

#include "base/bisect.h"

static size_t first_from(const int *v, size_t n, int least)
{
	size_t at;

	ETC_BISECT(at, n, v[at] >= least);
	return at;
}

static void the_first_that_holds_is_found(void **state)
{
	static const int v[] = { 1, 1, 3, 3, 3, 4, 9 };

	(void)state;
	for (size_t n = 0; n <= sizeof v / sizeof *v; n++)
		for (int least = 0; least < 11; least++) {
			size_t expected = 0;

			while (expected < n && v[expected] < least)
				expected++;
			assert_int_equal(first_from(v, n, least), expected);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_first_that_holds_is_found) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
