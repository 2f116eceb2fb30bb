/* test_recording_order.c -- finding the order in which dumps were recorded: from --order, or from
 * their start times. */
#include "unit.h"

#include "commands/compare/recording_order.h"

enum { DUMPS = 3 };
#define SECOND 1000000000ull
#define BOOT   (3600 * SECOND)

/* Two groups of three dumps. Each dump takes a second; it starts as many seconds after `boot` as
 * make() is told. */
struct scene {
	struct etc_profile profiles[2][DUMPS];
	const struct etc_profile *dumps[2][DUMPS];
	struct etc_diff_group groups[2];
	struct etc_arena arena;
};

static void make(struct scene *s, uint64_t boot, const unsigned at[2][DUMPS])
{
	static const char *const names[2] = { "off", "on" };

	memset(s, 0, sizeof *s);
	etc_arena_init(&s->arena, 1 << 16);
	for (int g = 0; g < 2; g++) {
		for (int d = 0; d < DUMPS; d++) {
			s->profiles[g][d] = (struct etc_profile){
				.unit = ETC_UNIT_NS,
				.first_ns = boot + at[g][d] * SECOND,
				.last_ns = boot + (at[g][d] + 1) * SECOND - 1,
			};
			s->dumps[g][d] = &s->profiles[g][d];
		}
		s->groups[g] = (struct etc_diff_group){ .name = etc_str_of(names[g]),
			                                .dumps = s->dumps[g],
			                                .count = DUMPS };
	}
}

static void expect(struct scene *s, const char *order, const unsigned want[2][DUMPS])
{
	struct etc_error err = { .at = -1 };

	assert_ok(etc_recording_order(order, s->groups, 2, &s->arena, &err), &err);
	for (int g = 0; g < 2; g++) {
		assert_int_equal(s->groups[g].places != NULL, want != NULL);
		for (int d = 0; want && d < DUMPS; d++)
			assert_true(s->groups[g].places[d] == want[g][d]);
	}
	etc_arena_release(&s->arena);
}

/* The files of a folder come in any order. Their start times tell in which order they were
 * recorded. */
static void start_times_order_shuffled_files(void **state)
{
	static const unsigned orders[][2][DUMPS] = {
		{ { 0, 3, 4 }, { 1, 2, 5 } }, { { 4, 0, 3 }, { 5, 2, 1 } },
		{ { 3, 4, 0 }, { 1, 5, 2 } }, { { 5, 1, 0 }, { 2, 3, 4 } },
		{ { 0, 1, 2 }, { 3, 4, 5 } }, { { 5, 4, 3 }, { 2, 1, 0 } },
	};
	static const unsigned apart[2][DUMPS] = { { 700, 9, 80 }, { 1000, 12, 81 } };
	static const unsigned places[2][DUMPS] = { { 4, 0, 2 }, { 5, 1, 3 } };
	struct scene s;

	(void)state;
	for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
		make(&s, BOOT, orders[i]);
		expect(&s, NULL, orders[i]);
	}
	make(&s, BOOT, apart);
	expect(&s, NULL, places);
}

static void times_of_several_clocks_tell_nothing(void **state)
{
	static const unsigned turns[2][DUMPS] = { { 0, 2, 4 }, { 1, 3, 5 } };
	struct scene s;

	(void)state;
	make(&s, 0, turns); /* all clocks start at zero, each with its process */
	expect(&s, NULL, NULL);
	make(&s, BOOT, turns);
	s.profiles[1][2].first_ns = 0; /* a stored baseline has no start times */
	expect(&s, NULL, NULL);
	make(&s, BOOT, turns);
	s.profiles[0][1].unit = ETC_UNIT_TICKS;
	expect(&s, NULL, NULL);
	make(&s, BOOT, turns);
	s.profiles[0][0].last_ns += SECOND; /* two dumps overlap: two devices, or two boots */
	expect(&s, NULL, NULL);
	make(&s, BOOT, turns);
	expect(&s, "none", NULL);
}

static void letters_are_repeated_until_all_have_a_place(void **state)
{
	static const unsigned turns[2][DUMPS] = { { 5, 3, 1 }, { 4, 2, 0 } };
	static const unsigned abab[2][DUMPS] = { { 0, 2, 4 }, { 1, 3, 5 } };
	static const unsigned aabb[2][DUMPS] = { { 0, 1, 4 }, { 2, 3, 5 } };
	static const unsigned bbb[2][DUMPS] = { { 3, 4, 5 }, { 0, 1, 2 } };
	struct scene s;

	(void)state;
	make(&s, BOOT, turns); /* --order takes precedence over start times */
	expect(&s, "AB", abab);
	make(&s, BOOT, turns);
	expect(&s, "ababab", abab);
	make(&s, BOOT, turns);
	expect(&s, "AABBAB", aabb);
	make(&s, BOOT, turns);
	expect(&s, "BBBAAA", bbb);
}

static void letters_that_do_not_fit_are_refused(void **state)
{
	static const char *const wrong[] = { "",        "A",   "ABC",  "AAAAB",
		                             "ABABABA", "A B", "1212", "ABBAAA" };
	static const unsigned turns[2][DUMPS] = { { 0, 2, 4 }, { 1, 3, 5 } };
	struct scene s;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct etc_error err = { .at = -1 };

		make(&s, BOOT, turns);
		assert_fails(etc_recording_order(wrong[i], s.groups, 2, &s.arena, &err), &err,
		             E0505);
		etc_arena_release(&s.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start_times_order_shuffled_files),
		cmocka_unit_test(times_of_several_clocks_tell_nothing),
		cmocka_unit_test(letters_are_repeated_until_all_have_a_place),
		cmocka_unit_test(letters_that_do_not_fit_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
