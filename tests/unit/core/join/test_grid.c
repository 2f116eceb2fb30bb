/* test_grid.c -- finding the tick of a clock whose times are rounded to whole units. */
#include "unit.h"

#include "join/grid.h"
#include "stats/random.h"

#include <math.h>

enum { COUNT = 200 };

/* Fills `out` with distances of up to `most` ticks between times that were rounded down. */
static void read_clock(double tick, double most, uint64_t out[COUNT])
{
	struct etc_random random;

	etc_random_seed(&random, 5, 0);
	for (int i = 0; i < COUNT; i++) {
		double from = floor(1e6 * etc_random_unit(&random)),
		       ticks = floor(most * etc_random_unit(&random) * etc_random_unit(&random));

		out[i] = (uint64_t)(floor((from + ticks) * tick) - floor(from * tick));
	}
}

static void ticks_of_known_clocks_are_found(void **state)
{
	static const double mhz[] = { 24, 19.2, 26, 38.4, 54, 27, 13, 1.8432 };
	uint64_t distance[COUNT];

	(void)state;
	for (size_t i = 0; i < sizeof mhz / sizeof mhz[0]; i++) {
		read_clock(1000 / mhz[i], 1000, distance);
		assert_true(fabs(etc_rounded_tick(distance, COUNT) * mhz[i] - 1000) < 1);
	}
}

static void times_of_whole_units_have_no_tick(void **state)
{
	struct etc_random random;
	uint64_t distance[COUNT], few[3] = { 41, 42, 83 };

	(void)state;
	read_clock(1, 100000, distance);
	assert_true(etc_rounded_tick(distance, COUNT) == 0);
	etc_random_seed(&random, 6, 0);
	for (int i = 0; i < COUNT; i++)
		distance[i] = 1000 + etc_random_below(&random, 3000);
	assert_true(etc_rounded_tick(distance, COUNT) == 0);
	assert_true(etc_rounded_tick(few, 3) == 0); /* may be chance */
	assert_true(etc_rounded_tick(distance, 0) == 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_of_known_clocks_are_found),
		cmocka_unit_test(times_of_whole_units_have_no_tick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
