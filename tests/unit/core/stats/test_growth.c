/* test_growth.c -- separating growth by position from drift by time (growth.h). */
#include "unit.h"

#include "stats/growth.h"

enum { GENERATIONS = 5, LENGTH = 128, RUNS = GENERATIONS * LENGTH };

/* Makes runs whose times are exactly `base` + `growth` per position + `drift` per unit of time.
 * Each run begins `pause` after the end of the run before it. */
static struct etc_growth_apart apart(double base, double growth, double drift, double pause)
{
	double y[RUNS], position[RUNS], time[RUNS], now = 0;
	size_t first[GENERATIONS + 1];
	struct etc_growth_runs runs = { y, position, time, first, GENERATIONS };
	struct etc_growth_interval within;
	struct etc_growth_apart out;
	struct etc_error err = { .at = -1 };
	struct etc_arena arena;

	for (size_t i = 0; i < RUNS; i++) {
		position[i] = (double)(i % LENGTH);
		time[i] = now;
		y[i] = base + growth * position[i] + drift * now;
		now += y[i] + pause;
	}
	for (size_t g = 0; g <= GENERATIONS; g++)
		first[g] = g * LENGTH;
	etc_arena_init(&arena, 1 << 24);
	assert_ok(etc_growth_within(&runs, &within, &arena, &err), &err);
	assert_ok(etc_growth_separate(&runs, &within, &out, &arena, &err), &err);
	etc_arena_release(&arena);
	assert_true(out.drift.why == ETC_DEFINED && out.growth.why == ETC_DEFINED);
	return out;
}

/* Later generations take longer, so their middle is longer after their start than that of the
 * first: by the times of their starts alone, the drift would seem 6.5 % larger. */
static void a_drift_is_that_at_one_position_however_long_generations_take(void **state)
{
	struct etc_growth_apart a;

	(void)state;
	a = apart(100, 0, 0.001, 50);
	assert_near(a.drift.value, 0.001, 0.00001);
	assert_near(a.growth.value, 0, 0.01);
	a = apart(100, 0.2, 0.001, 50);
	assert_near(a.drift.value, 0.001, 0.00001);
	assert_near(a.growth.value, 0.2, 0.01);
	a = apart(100, 0.2, 0, 50);
	assert_near(a.drift.value, 0, 1e-9);
	assert_near(a.growth.value, 0.2, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drift_is_that_at_one_position_however_long_generations_take),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
