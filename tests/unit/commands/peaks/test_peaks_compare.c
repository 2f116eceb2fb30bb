/* test_peaks_compare.c -- the note N1304: it names each peak that several threads reach more slowly
 * than one thread. */
#include "unit.h"

#include "commands/peaks/compare.h"

static void names_what_is_slower(void **state)
{
	const struct etc_peaks one = {
		.gflops = { 50, 0, 0, 200 }, .gbps = 9.4, .gbps_cache = 80, .threads = 1
	};
	struct etc_peaks two = {
		.gflops = { 99, 0, 0, 150 }, .gbps = 8.1, .gbps_cache = 0, .threads = 2
	};
	struct etc_arena arena;
	struct etc_notes notes;

	(void)state;
	etc_arena_init(&arena, 1 << 16);
	etc_notes_init(&notes, &arena);
	etc_peaks_compare(&two, &one, &notes);
	assert_int_equal(notes.kinds, 2);
	assert_int_equal(notes.first->code, N1304);
	assert_str(notes.first->text, "gflops_int8: 150 with 2 threads, 200 with one");
	assert_str(notes.first->next->text, "gbps: 8.1 with 2 threads, 9.4 with one");
	etc_notes_init(&notes, &arena);
	two.gflops[ETC_WORK_INT8] = 199.9; /* lower, but by no more than two measurements differ */
	two.gbps = 9.4;
	etc_peaks_compare(&two, &one, &notes);
	assert_null(notes.first);
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(names_what_is_slower) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
