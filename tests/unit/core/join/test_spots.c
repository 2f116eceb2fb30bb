/* test_spots.c -- numbering the distinct instructions of a run, compared with a search through a
 * list. */
#include "unit.h"

#include "join/instruction_index.h"

enum { MOST = 400 };

struct step {
	uint64_t chain;
	int32_t instruction;
};

/* Returns the number that step `i` must get: how many other instructions came before its first
 * step. */
static uint32_t plainly(const struct step *steps, uint32_t i)
{
	uint32_t distinct = 0;

	for (uint32_t k = 0; k <= i; k++) {
		uint32_t first = 0;

		while (steps[first].chain != steps[k].chain ||
		       steps[first].instruction != steps[k].instruction)
			first++;
		if (first < k)
			continue;
		if (steps[k].chain == steps[i].chain &&
		    steps[k].instruction == steps[i].instruction)
			return distinct;
		distinct++;
	}
	return ETC_NO_SPOT;
}

/* Numbers all steps. Returns whether a map of instructions was needed. */
static bool walk(const struct step *steps, uint32_t count)
{
	struct etc_event events[MOST] = { 0 };
	struct etc_spots spots;
	struct etc_arena arena;
	bool mapped;

	etc_arena_init(&arena, 1 << 20);
	etc_spots_init(&spots, events, count, &arena);
	for (uint32_t i = 0; i < count; i++) {
		events[i].chain = steps[i].chain;
		events[i].instruction_id = steps[i].instruction;
		assert_int_equal(etc_spots_number(&spots, &events[i]), plainly(steps, i));
	}
	mapped = spots.mapped;
	etc_arena_release(&arena);
	return mapped;
}

static void a_program_that_runs_forwards_needs_no_map(void **state)
{
	struct step steps[MOST];

	(void)state;
	for (uint32_t i = 0; i < MOST; i++)
		steps[i] = (struct step){ i / 100, (int32_t)(i % 100) / 3 };
	steps[MOST - 1] = (struct step){ UINT64_MAX, 0 }; /* Method::execute */
	assert_false(walk(steps, MOST));
	for (uint32_t i = MOST / 2; i < MOST; i++)
		steps[i] = steps[i * 7 % (MOST / 2)]; /* back to known instructions */
	assert_false(walk(steps, MOST));
}

static void one_that_jumps_back_to_something_new_does(void **state)
{
	struct step steps[MOST];
	uint32_t v = 1;

	(void)state;
	for (uint32_t i = 0; i < MOST; i++)
		steps[i] = (struct step){ 0, (int32_t)(MOST - i) / 2 };
	assert_true(walk(steps, MOST));
	for (uint32_t i = 0; i < MOST; i++) {
		v = v * 1664525u + 1013904223u;
		steps[i] =
			(struct step){ i < MOST / 2 ? 0 : v >> 28 & 3,
			               i < MOST / 2 ? (int32_t)i : (int32_t)(v >> 16 & 255) - 9 };
	}
	assert_true(walk(steps, MOST));
}

static void memory_that_runs_out_is_told(void **state)
{
	struct etc_event e = { .chain = 0, .instruction_id = 3 };
	struct etc_spots spots;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 0);
	etc_spots_init(&spots, &e, 1, &arena);
	assert_int_equal(etc_spots_number(&spots, &e), ETC_NO_SPOT);
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_that_runs_forwards_needs_no_map),
		cmocka_unit_test(one_that_jumps_back_to_something_new_does),
		cmocka_unit_test(memory_that_runs_out_is_told),
	};

	return cmocka_run_group_tests_name("spots", tests, NULL, NULL);
}
