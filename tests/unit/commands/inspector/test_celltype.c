/* test_celltype.c -- recognising numbers in cells of a table that are texts, as in tabulate
 * 0.10. */
#include "unit.h"

#include "commands/inspector/celltype.h"

static void types(void **state)
{
	static const struct {
		const char *text;
		enum etc_tab_type type;
	} cells[] = {
		{ "", ETC_TAB_NONE },
		{ "True", ETC_TAB_BOOL },
		{ "true", ETC_TAB_STR },
		{ "12", ETC_TAB_INT },
		{ " 5 ", ETC_TAB_INT },
		{ "1,000", ETC_TAB_INT },
		{ "1,0000", ETC_TAB_STR },
		{ "1,000.5", ETC_TAB_FLOAT },
		{ "1.50", ETC_TAB_FLOAT },
		{ "1e3", ETC_TAB_FLOAT },
		{ "nan", ETC_TAB_FLOAT },
		{ "-inf", ETC_TAB_FLOAT },
		{ "+inf", ETC_TAB_STR },
		{ "infinity", ETC_TAB_STR },
		{ "1e999", ETC_TAB_STR },
		{ " nan", ETC_TAB_STR },
		{ ".", ETC_TAB_STR },
		{ "0x10", ETC_TAB_STR },
		{ "Method::execute", ETC_TAB_STR },
		{ "\x1b[31m42\x1b[0m", ETC_TAB_INT }, /* colour codes are ignored */
		{ "\x1b[31m", ETC_TAB_NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
		if (etc_tab_type(etc_str_of(cells[i].text)) != cells[i].type)
			fail_msg("'%s' is of type %d", cells[i].text,
			         (int)etc_tab_type(etc_str_of(cells[i].text)));
}

static void places_behind_the_point(void **state)
{
	(void)state;
	assert_int_equal(etc_tab_afterpoint(ETC_STR("123.45")), 2);
	assert_int_equal(etc_tab_afterpoint(ETC_STR("1001")), -1);
	assert_int_equal(etc_tab_afterpoint(ETC_STR("eggs")), -1);
	assert_int_equal(etc_tab_afterpoint(ETC_STR("1e-07")), 3);
	assert_int_equal(etc_tab_afterpoint(ETC_STR("123,456.78")), 2);
	assert_int_equal(etc_tab_afterpoint(ETC_STR("nan")), -1);
	assert_int_equal(etc_tab_afterpoint(ETC_STR("")), -1);
}

static void escape_sequences(void **state)
{
	struct etc_text t = { 0 };

	(void)state;
	assert_true(etc_tab_has_ansi(ETC_STR("a\x1b[0mb")));
	assert_false(etc_tab_has_ansi(ETC_STR("a\x1b[0")));
	assert_false(etc_tab_has_ansi(ETC_STR("\x1b")));
	etc_tab_strip_ansi(
		ETC_STR("\x1b[1;31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\!"), &t);
	assert_str(etc_text_str(&t), "red link!");
	etc_text_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types),
		cmocka_unit_test(places_behind_the_point),
		cmocka_unit_test(escape_sequences),
	};

	return cmocka_run_group_tests_name("celltype", tests, NULL, NULL);
}
