/* test_fold.c -- text for terminals that show ASCII only. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_stands_for_a_character_is_as_wide_as_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
