/* test_notes.c -- warnings and notes: counted, bounded, printable. */
#include "unit.h"

#include "base/notes.h"

struct fixture {
	struct etc_arena arena;
	struct etc_notes notes;
};

static int make(void **state)
{
	struct fixture *fx = calloc(1, sizeof *fx);

	if (!fx)
		return -1;
	etc_arena_init(&fx->arena, 4 << 20);
	etc_notes_init(&fx->notes, &fx->arena);
	*state = fx;
	return 0;
}

static int release(void **state)
{
	struct fixture *fx = *state;

	etc_arena_release(&fx->arena);
	free(fx);
	return 0;
}

static void the_first_place_stays_and_the_rest_are_counted(void **state)
{
	struct fixture *fx = *state;

	etc_note(&fx->notes, W0203, "first %d", 1);
	etc_note(&fx->notes, W0203, "second");
	etc_note(&fx->notes, N0120, "other");
	assert_int_equal(fx->notes.kinds, 2);
	assert_str(fx->notes.first->text, "first 1");
	assert_int_equal(fx->notes.first->count, 2);
	assert_int_equal(fx->notes.first->next->code, N0120);
}

static void another_file_is_another_note(void **state)
{
	struct fixture *fx = *state;

	fx->notes.file = ETC_STR("a.etdump");
	etc_note(&fx->notes, W0203, "x");
	fx->notes.file = ETC_STR("b.etdump");
	etc_note(&fx->notes, W0203, "x");
	assert_int_equal(fx->notes.kinds, 2);
	assert_str(fx->notes.first->file, "a.etdump");
	assert_str(fx->notes.first->next->file, "b.etdump");
}

static void each_tells_texts_apart(void **state)
{
	struct fixture *fx = *state;

	etc_note_each(&fx->notes, W0203, "plugin a");
	etc_note_each(&fx->notes, W0203, "plugin b");
	etc_note_each(&fx->notes, W0203, "plugin a");
	assert_int_equal(fx->notes.kinds, 2);
	assert_int_equal(fx->notes.first->count, 2);
}

static void the_list_is_bounded(void **state)
{
	struct fixture *fx = *state;

	for (int i = 0; i < 2 * ETC_NOTES_MAX; i++)
		etc_note_each(&fx->notes, W0203, "place %d", i);
	assert_int_equal(fx->notes.kinds, ETC_NOTES_MAX);
	assert_int_equal(fx->notes.dropped, ETC_NOTES_MAX);
}

static void hostile_names_cannot_move_the_cursor(void **state)
{
	struct fixture *fx = *state;
	char longest[4000];

	etc_note(&fx->notes, W0203, "a\x1b[2Jb\nc\x7f\u202e\xff");
	assert_str(fx->notes.first->text, "a\\u001b[2Jb\\nc\\u007f\\u202e\\xff");
	memset(longest, 'x', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	etc_note(&fx->notes, N0120, "%s", longest);
	assert_int_equal(fx->notes.first->next->text.len, 1023);
}

static void the_first_warning_is_found(void **state)
{
	struct fixture *fx = *state;

	assert_null(etc_notes_warning(&fx->notes));
	etc_note(&fx->notes, N0120, "a note is not a warning");
	assert_null(etc_notes_warning(&fx->notes));
	etc_note(&fx->notes, W0203, "w");
	assert_int_equal(etc_notes_warning(&fx->notes)->code, W0203);
	etc_note(NULL, W0203, "nobody listens");
	etc_note_each(NULL, W0203, "nobody listens");
}

static void no_memory_drops_the_note(void **state)
{
	struct etc_arena a;
	struct etc_notes n;

	(void)state;
	etc_arena_init(&a, 0);
	etc_notes_init(&n, &a);
	etc_note(&n, W0203, "lost");
	assert_null(n.first);
	assert_int_equal(n.dropped, 1);
	etc_arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_first_place_stays_and_the_rest_are_counted,
		                                make, release),
		cmocka_unit_test_setup_teardown(another_file_is_another_note, make, release),
		cmocka_unit_test_setup_teardown(each_tells_texts_apart, make, release),
		cmocka_unit_test_setup_teardown(the_list_is_bounded, make, release),
		cmocka_unit_test_setup_teardown(hostile_names_cannot_move_the_cursor, make,
		                                release),
		cmocka_unit_test_setup_teardown(the_first_warning_is_found, make, release),
		cmocka_unit_test(no_memory_drops_the_note),
	};

	return cmocka_run_group_tests_name("notes", tests, NULL, NULL);
}
