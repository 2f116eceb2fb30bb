/* test_fold.c -- replacing characters for terminals that show ASCII only. */
#include "unit.h"

#include "base/fold.h"

static void what_stands_for_a_character_is_as_wide_as_it(void **state)
{
	struct etc_fold fold = { .ascii = true };
	struct etc_text out = { 0 };

	(void)state;
	etc_fold_put(&fold, ETC_STR("日本  1 µs\nnaïve 2 ×\n"), &out);
	etc_fold_end(&fold, &out);
	assert_str(etc_text_str(&out), "????  1 us\nna?ve 2 x\n");
	etc_text_release(&out);
}

static void a_number_stays_with_its_unit(void **state)
{
	static const char text[] = "takes 27 % of 5.07 ms, 3 \xc3\x97 4 seconds 5 sets\n";
	struct etc_text out = { 0 };

	(void)state;
	for (uint32_t width = 6; width < 50; width++) {
		struct etc_fold fold = { .width = width, .hang = 1 };

		out.len = 0;
		etc_fold_put(&fold, etc_str_of(text), &out);
		etc_fold_end(&fold, &out);
		assert_true(etc_str_find(etc_text_str(&out), ETC_STR("27 %"), 0) != SIZE_MAX);
		assert_true(etc_str_find(etc_text_str(&out), ETC_STR("5.07 ms,"), 0) != SIZE_MAX);
		assert_true(etc_str_find(etc_text_str(&out), ETC_STR("3 \xc3\x97"), 0) != SIZE_MAX);
		assert_int_equal(etc_str_find(etc_text_str(&out), ETC_STR("4\n"), 0) == SIZE_MAX,
		                 etc_str_find(etc_text_str(&out), ETC_STR("4 sec"), 0) != SIZE_MAX);
	}
	etc_text_release(&out);
}

static void a_list_of_words_is_split_behind_a_bar(void **state)
{
	struct etc_fold fold = { .width = 12, .hang = 2 };
	struct etc_text out = { 0 };

	(void)state;
	etc_fold_put(&fold, ETC_STR("usage: cmd one|two|three|four DIR x|y\n"), &out);
	etc_fold_end(&fold, &out);
	assert_str(etc_text_str(&out), "usage: cmd\n  one|two|\n  three|four\n  DIR x|y\n");
	etc_text_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_stands_for_a_character_is_as_wide_as_it),
		cmocka_unit_test(a_number_stays_with_its_unit),
		cmocka_unit_test(a_list_of_words_is_split_behind_a_bar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
