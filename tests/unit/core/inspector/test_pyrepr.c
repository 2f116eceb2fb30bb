/* test_pyrepr.c -- the results of Python's repr(), int(), float(), strip() and splitlines(). */
#include "unit.h"

#include "inspector/pyrepr.h"

static void repr_is(struct etc_str s, const char *want)
{
	struct etc_text t = { 0 };

	etc_py_str(&t, s);
	assert_str(etc_text_str(&t), want);
	etc_text_release(&t);
}

static void strings(void **state)
{
	(void)state;
	repr_is(ETC_STR(""), "''");
	repr_is(ETC_STR("aten.relu.default"), "'aten.relu.default'");
	repr_is(ETC_STR("it's"), "\"it's\"");
	repr_is(ETC_STR("'\""), "'\\'\"'");
	repr_is(ETC_STR("a\\b\n\r\t"), "'a\\\\b\\n\\r\\t'");
	repr_is(ETC_STR("\0\x1b\x7f"), "'\\x00\\x1b\\x7f'");
	repr_is(ETC_STR("名é"), "'名é'");
	repr_is(ETC_STR("\u00ad\u200b\ufeff"), "'\\xad\\u200b\\ufeff'");
	repr_is(ETC_STR("\U000e0001👍"), "'\\U000e0001👍'");
}

static void bytes(void **state)
{
	struct etc_text t = { 0 };

	(void)state;
	etc_py_bytes(&t, etc_span_of(ETC_STR("a'\0\xff\n\\")));
	assert_str(etc_text_str(&t), "b\"a'\\x00\\xff\\n\\\\\"");
	etc_text_release(&t);
}

static void json_is(const char *json, const char *want)
{
	const struct etc_datum d = { .kind = ETC_DATUM_JSON, .text = etc_str_of(json) };
	struct etc_text t = { 0 };

	etc_py_datum(&t, &d);
	if (want)
		assert_str(etc_text_str(&t), want);
	else /* invalid JSON is copied unchanged, after the part that was read */
		assert_true(etc_str_ends(etc_text_str(&t), d.text));
	etc_text_release(&t);
}

static void json_values(void **state)
{
	(void)state;
	json_is("null", "None");
	json_is(" [true, false, -0, 1.50, 1e3] ", "[True, False, 0, 1.5, 1000.0]");
	json_is("{\"a\": {\"b\": [\"c\"]}, \"\\u00e9\": NaN}", "{'a': {'b': ['c']}, 'é': nan}");
	json_is("\"\\ud83d\\udc4d\"", "'👍'");
	json_is("[Infinity, -Infinity]", "[inf, -inf]");
	json_is("[]", "[]");
	json_is("{}", "{}");
	json_is("[1,]", NULL);
	json_is("{\"a\" 1}", NULL);
	json_is("[1", NULL);
	json_is("\"open", NULL);
	json_is("1 2", NULL);
	json_is("", NULL);
}

static void integers(void **state)
{
	static const char *const yes[] = { "5", "-7", "+0", " 12\t", "1_000", "٣", "007" };
	static const char *const no[] = { "",   "+",    "1.0", "1__0", "_1",
		                          "1_", "0x10", "1 2", "e",    "½" };

	(void)state;
	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
		if (!etc_py_is_int(etc_str_of(yes[i])))
			fail_msg("int('%s') works in Python", yes[i]);
	for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
		if (etc_py_is_int(etc_str_of(no[i])))
			fail_msg("int('%s') raises in Python", no[i]);
}

static void floats(void **state)
{
	static const char *const yes[] = { "5",   "1.50", "1e3",       ".5",        "5.",   "-1E-7",
		                           "inf", "NaN",  "-Infinity", " 1_0.0_1 ", "1e400" };
	static const char *const no[] = { "",      ".",     "e5",   "1e",   "1e+",
		                          "0x1p3", "1.2.3", "infi", "1_.0", "--1" };
	double v;

	(void)state;
	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
		if (!etc_py_is_float(etc_str_of(yes[i]), &v))
			fail_msg("float('%s') works in Python", yes[i]);
	for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
		if (etc_py_is_float(etc_str_of(no[i]), &v))
			fail_msg("float('%s') raises in Python", no[i]);
	assert_true(etc_py_is_float(ETC_STR("1_0.5"), &v) && v == 10.5);
}

static void lines_and_blanks(void **state)
{
	struct etc_str rest = ETC_STR("a\r\nb\n\x0b\u2028c\n"), line;
	const char *const want[] = { "a", "b", "", "", "c" };

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
		assert_true(etc_py_next_line(&rest, &line));
		assert_str(line, want[i]);
	}
	assert_false(etc_py_next_line(&rest, &line));
	assert_str(etc_py_strip(ETC_STR("\u3000 a b\x1f\xc2\xa0")), "a b");
	assert_str(etc_py_strip(ETC_STR(" \t\n")), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings),     cmocka_unit_test(bytes),
		cmocka_unit_test(json_values), cmocka_unit_test(integers),
		cmocka_unit_test(floats),      cmocka_unit_test(lines_and_blanks),
	};

	return cmocka_run_group_tests_name("pyrepr", tests, NULL, NULL);
}
