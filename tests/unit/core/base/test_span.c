/* test_span.c -- views and the bounds check. */
#include "unit.h"

static void fits_never_wraps(void **state)
{
	(void)state;
	assert_true(etc_fits(0, 0, 0));
	assert_true(etc_fits(10, 10, 0));
	assert_true(etc_fits(10, 0, 10));
	assert_false(etc_fits(10, 0, 11));
	assert_false(etc_fits(10, 11, 0));
	assert_false(etc_fits(10, 1, SIZE_MAX));
	assert_false(etc_fits(10, SIZE_MAX, 1));
	assert_false(etc_fits(10, SIZE_MAX, SIZE_MAX));
	assert_true(etc_fits(SIZE_MAX, SIZE_MAX, 0));
	assert_true(etc_fits(SIZE_MAX, 0, SIZE_MAX));
}

static void an_ending_has_the_length_of_the_first_that_fits(void **state)
{
	static const char *const endings[] = { ".etdump", ".etdump.gz", ".gz", NULL };

	(void)state;
	assert_int_equal(etc_str_ending(ETC_STR("run.etdump"), endings), 7);
	assert_int_equal(etc_str_ending(ETC_STR("run.etdump.gz"), endings), 10);
	assert_int_equal(etc_str_ending(ETC_STR("gz"), endings), 0);
	assert_int_equal(etc_str_ending((struct etc_str){ 0 }, endings), 0);
}

static void the_empty_view_is_a_view(void **state)
{
	struct etc_str none = { 0 };

	(void)state;
	assert_true(etc_str_eq(none, ETC_STR("")));
	assert_true(etc_str_starts(none, none));
	assert_true(etc_str_ends(ETC_STR("x"), none));
	assert_false(etc_str_starts(none, ETC_STR("x")));
	assert_int_equal(etc_str_cmp(none, ETC_STR("")), 0);
	assert_int_equal(etc_str_find(none, none, 0), 0);
	assert_true(etc_str_find(none, ETC_STR("x"), 0) == SIZE_MAX);
	assert_str(etc_str_sub(none, 3, 9), "");
	assert_str(etc_str_trim(none), "");
	assert_str(etc_str_of(NULL), "");
	assert_int_equal(etc_span_of(none).len, 0);
}

static void order_is_bytewise_and_prefixes_come_first(void **state)
{
	(void)state;
	assert_true(etc_str_cmp(ETC_STR("a"), ETC_STR("b")) < 0);
	assert_true(etc_str_cmp(ETC_STR("b"), ETC_STR("a")) > 0);
	assert_true(etc_str_cmp(ETC_STR("a"), ETC_STR("a\0b")) < 0);
	assert_true(etc_str_cmp(ETC_STR("a\xff"), ETC_STR("a\x01")) > 0);
	assert_int_equal(etc_str_cmp(ETC_STR("same"), ETC_STR("same")), 0);
}

static void finds_from_a_place_on(void **state)
{
	struct etc_str s = ETC_STR("abcabc");

	(void)state;
	assert_int_equal(etc_str_find(s, ETC_STR("bc"), 0), 1);
	assert_int_equal(etc_str_find(s, ETC_STR("bc"), 2), 4);
	assert_true(etc_str_find(s, ETC_STR("bc"), 5) == SIZE_MAX);
	assert_int_equal(etc_str_find(s, ETC_STR(""), 6), 6);
	assert_true(etc_str_find(s, ETC_STR(""), 7) == SIZE_MAX);
	assert_true(etc_str_find(s, ETC_STR("abcabcd"), 0) == SIZE_MAX);
}

static void a_part_is_clamped_to_the_whole(void **state)
{
	struct etc_str s = ETC_STR("abcdef");

	(void)state;
	assert_str(etc_str_sub(s, 1, 3), "bc");
	assert_str(etc_str_sub(s, 4, SIZE_MAX), "ef");
	assert_str(etc_str_sub(s, 9, 12), "");
	assert_str(etc_str_sub(s, 4, 2), "");
}

static void trims_what_python_strips_in_ascii(void **state)
{
	(void)state;
	assert_str(etc_str_trim(ETC_STR(" \t\r\n\f\v a b \v\f\n\r\t ")), "a b");
	assert_str(etc_str_trim(ETC_STR(" \t ")), "");
	assert_str(etc_str_trim(ETC_STR("x")), "x");
}

/* Each of the last eight bytes counts, and no byte outside of the text is read. The text has a
 * block of its own size from malloc, so that a sanitizer detects such a read. */
static void the_last_word_tells_texts_of_one_length(void **state)
{
	(void)state;
	assert_int_equal(etc_str_last_word((struct etc_str){ 0 }), 0);
	for (size_t len = 1; len <= 20; len++) {
		char *text = malloc(len);
		uint64_t word;

		assert_non_null(text);
		memset(text, 'a', len);
		word = etc_str_last_word((struct etc_str){ text, len });
		for (size_t i = 0; i < len; i++) {
			text[i] = 'b';
			if (i + 8 < len)
				assert_true(etc_str_last_word((struct etc_str){ text, len }) ==
				            word);
			else
				assert_true(etc_str_last_word((struct etc_str){ text, len }) !=
				            word);
			text[i] = 'a';
		}
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fits_never_wraps),
		cmocka_unit_test(an_ending_has_the_length_of_the_first_that_fits),
		cmocka_unit_test(the_empty_view_is_a_view),
		cmocka_unit_test(order_is_bytewise_and_prefixes_come_first),
		cmocka_unit_test(finds_from_a_place_on),
		cmocka_unit_test(a_part_is_clamped_to_the_whole),
		cmocka_unit_test(trims_what_python_strips_in_ascii),
		cmocka_unit_test(the_last_word_tells_texts_of_one_length),
	};

	return cmocka_run_group_tests_name("span", tests, NULL, NULL);
}
