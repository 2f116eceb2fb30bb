/* test_codes.c -- the table of diagnostics is sorted, and errors carry its codes. */
#include "unit.h"

#include "base/codes.h"

static void numbers_rise_and_names_fit_them(void **state)
{
	unsigned count;
	const struct etc_code_info *list = etc_code_list(&count);

	(void)state;
	assert_true(count > 10);
	for (unsigned i = 0; i < count; i++) {
		char name[8];

		snprintf(name, sizeof name, "%c%04d", list[i].letter, (int)list[i].code % 10000);
		assert_string_equal(list[i].name, name);
		assert_true(strchr("EWN", list[i].letter) != NULL);
		if (i && list[i].code <= list[i - 1].code)
			fail_msg("%s does not come after %s", list[i].name, list[i - 1].name);
	}
}

static void every_row_tells_a_person_something(void **state)
{
	unsigned count;
	const struct etc_code_info *list = etc_code_list(&count);

	(void)state;
	for (unsigned i = 0; i < count; i++) {
		assert_true(list[i].title[0] != '\0');
		assert_null(strchr(list[i].title, '\n'));
		assert_null(strchr(list[i].hint, '\n'));
		assert_in_range(list[i].status, ETC_FINDING, ETC_NO_VERDICT);
		assert_string_not_equal(etc_status_text((enum etc_status)list[i].status),
		                        "unknown status");
		/* codes 08xx, and no others, have the status of errors that the Inspector raises */
		assert_true((list[i].status == ETC_RAISES) ==
		            (strncmp(list[i].name + 1, "08", 2) == 0));
		assert_ptr_equal(etc_code_info(list[i].code), &list[i]);
	}
}

static void an_unknown_code_has_an_empty_row(void **state)
{
	(void)state;
	assert_string_equal(etc_code_info(ETC_CODE_NONE)->name, "");
	assert_string_equal(etc_code_info((enum etc_code)12345)->title, "");
}

static void an_error_has_a_code_a_place_and_a_text(void **state)
{
	struct etc_error err = { 0 };
	enum etc_status st = etc_fail_at(&err, E0205, 17, "vtable is %d bytes", 3);

	(void)state;
	assert_int_equal(st, ETC_CORRUPT);
	assert_int_equal(err.code, E0205);
	assert_int_equal(err.at, 17);
	assert_string_equal(err.text, "vtable is 3 bytes");
	assert_int_equal(etc_context(&err, st, "run %d", 2), ETC_CORRUPT);
	assert_string_equal(err.text, "run 2: vtable is 3 bytes");
	assert_int_equal(etc_in_file(&err, st, "a"), ETC_CORRUPT);
	etc_in_file(&err, st, "b");
	assert_string_equal(err.file, "a");
	assert_int_equal(etc_context(&err, ETC_OK, "no"), ETC_OK);
	assert_string_equal(err.text, "run 2: vtable is 3 bytes");
}

static void nobody_has_to_take_the_error(void **state)
{
	(void)state;
	assert_int_equal(etc_fail(NULL, E0501, "x"), ETC_USAGE);
	assert_int_equal(etc_fail_at(NULL, E0901, 1, "x"), ETC_IO);
	assert_int_equal(etc_context(NULL, ETC_IO, "x"), ETC_IO);
	assert_int_equal(etc_in_file(NULL, ETC_IO, "x"), ETC_IO);
}

static void long_and_hostile_texts_are_cut_and_cleaned(void **state)
{
	struct etc_error err = { 0 };
	char longest[5000];

	(void)state;
	memset(longest, 'x', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	longest[3] = '\x1b';
	etc_fail(&err, E0201, "%s", longest);
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
	assert_memory_equal(err.text + 3, "\\u001bx", 7);
	etc_context(&err, ETC_FORMAT, "%s", longest);
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
	etc_in_file(&err, ETC_FORMAT, longest);
	assert_int_equal(strlen(err.file), sizeof err.file - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_rise_and_names_fit_them),
		cmocka_unit_test(every_row_tells_a_person_something),
		cmocka_unit_test(an_unknown_code_has_an_empty_row),
		cmocka_unit_test(an_error_has_a_code_a_place_and_a_text),
		cmocka_unit_test(nobody_has_to_take_the_error),
		cmocka_unit_test(long_and_hostile_texts_are_cut_and_cleaned),
	};

	return cmocka_run_group_tests_name("codes", tests, NULL, NULL);
}
