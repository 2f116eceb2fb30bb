/* test_json.c -- walking a JSON document as Python's json.loads would read it */
#include "json_fixture.h"

#include "base/text.h"
#include "model/limits.h"

/* Reads all values of the document. Returns the status at its end. */
static enum etc_status verify(struct fixture *f, const char *text)
{
	struct etc_json_value root = open_doc(f, text);

	etc_json_verify(&root);
	return etc_json_check_end(f->doc, &f->err);
}

static void every_token_is_of_the_kind_that_python_makes_of_it(void **state)
{
	static const struct {
		const char *token;
		enum etc_json_type type;
	} tokens[] = {
		{ "null", ETC_JSON_NULL },
		{ "true", ETC_JSON_TRUE },
		{ "false", ETC_JSON_FALSE },
		{ "NaN", ETC_JSON_FLOAT },
		{ "Infinity", ETC_JSON_FLOAT },
		{ "-Infinity", ETC_JSON_FLOAT },
		{ "0", ETC_JSON_INT },
		{ "-0", ETC_JSON_INT },
		{ "123456789012345678901234567890", ETC_JSON_INT },
		{ "1.5", ETC_JSON_FLOAT },
		{ "1e400", ETC_JSON_FLOAT },
		{ "2E-7", ETC_JSON_FLOAT },
		{ "\"a\"", ETC_JSON_STRING },
		{ "{", ETC_JSON_OBJECT },
		{ "[", ETC_JSON_ARRAY },
		{ "", ETC_JSON_BAD },
		{ "01", ETC_JSON_BAD },
		{ "+1", ETC_JSON_BAD },
		{ "1.", ETC_JSON_BAD },
		{ ".5", ETC_JSON_BAD },
		{ "1e", ETC_JSON_BAD },
		{ "-", ETC_JSON_BAD },
		{ "nul", ETC_JSON_BAD },
		{ "nullx", ETC_JSON_BAD },
		{ "-NaN", ETC_JSON_BAD },
		{ "infinity", ETC_JSON_BAD },
		{ "\"a", ETC_JSON_BAD },
		{ "\"", ETC_JSON_BAD },
		{ "1 2", ETC_JSON_BAD },
	};

	(void)state;
	for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
		if (etc_json_classify(etc_str_of(tokens[i].token)) != tokens[i].type)
			fail_msg("%s", tokens[i].token);
}

static void integers_are_exact_to_64_bit_and_refused_beyond(void **state)
{
	int64_t v;

	(void)state;
	assert_true(etc_json_int(ETC_STR("9223372036854775807"), &v) && v == INT64_MAX);
	assert_true(etc_json_int(ETC_STR("-9223372036854775808"), &v) && v == INT64_MIN);
	assert_true(etc_json_int(ETC_STR("-0"), &v) && v == 0);
	assert_false(etc_json_int(ETC_STR("9223372036854775808"), &v));
	assert_false(etc_json_int(ETC_STR("-9223372036854775809"), &v));
	assert_false(etc_json_int(ETC_STR("99999999999999999999999"), &v));
	assert_false(etc_json_int(ETC_STR("1.0"), &v));
	assert_false(etc_json_int(ETC_STR(""), &v));
	assert_false(etc_json_int(ETC_STR("-"), &v));
}

static void escapes_are_resolved_and_lone_surrogates_kept(void **state)
{
	static const struct {
		const char *inside, *want;
	} texts[] = {
		{ "plain", "plain" },
		{ "a\\nb\\t\\\"\\\\\\/", "a\nb\t\"\\/" },
		{ "\\u00e9\\u20AC", "\xc3\xa9\xe2\x82\xac" },
		{ "\\ud83d\\ude00", "\xf0\x9f\x98\x80" },
		{ "\\ud83d", "\xed\xa0\xbd" },
		{ "\\ud83d\\ud83d", "\xed\xa0\xbd\xed\xa0\xbd" },
		{ "\\udc00x", "\xed\xb0\x80x" },
	};
	static const char *const bad[] = { "\\", "\\x41", "\\u12", "\\u12g4", "a\\" };
	struct fixture *f = *state;
	struct etc_str out;
	bool is_bad;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_true(
			etc_json_unescape(&f->arena, etc_str_of(texts[i].inside), &out, &is_bad));
		assert_str(out, texts[i].want);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_false(etc_json_unescape(&f->arena, etc_str_of(bad[i]), &out, &is_bad));
		assert_true(is_bad);
	}
}

static void members_come_in_order_and_skipped_ones_cost_no_care(void **state)
{
	struct fixture *f = *state;
	struct etc_json_value root = open_doc(f,
	                                      "{\"a\": {\"x\": [1, {\"y\": []}]}, \"b\\\"c\": 2, "
	                                      "\"a\": Infinity, \"d\": [null]}"),
			      v, item;
	struct etc_json_iter it, list;
	struct etc_str key;

	assert_int_equal(etc_json_type(&root), ETC_JSON_OBJECT);
	assert_true(etc_json_enter(&root, &it));
	assert_true(etc_json_next(&it, &key, &v));
	assert_str(key, "a");
	assert_true(etc_json_next(&it, &key, &v));
	assert_str(key, "b\\\"c");
	assert_str(v.raw, "2");
	assert_true(etc_json_next(&it, &key, &v));
	assert_str(key, "a");
	assert_int_equal(etc_json_type(&v), ETC_JSON_FLOAT);
	assert_true(etc_json_next(&it, &key, &v));
	assert_true(etc_json_enter(&v, &list));
	assert_true(etc_json_next(&list, &key, &item));
	assert_int_equal(etc_json_type(&item), ETC_JSON_NULL);
	assert_false(etc_json_next(&list, &key, &item));
	assert_str(etc_json_through(&v), "[null]");
	assert_false(etc_json_next(&it, &key, &v));
	assert_ok(etc_json_check_end(f->doc, &f->err), &f->err);
}

static void damage_is_found_by_a_walk_through_all_tokens(void **state)
{
	static const char *const good[] = { "{}",
		                            "[]",
		                            " null ",
		                            "[1, 2.5, NaN, -Infinity]",
		                            "{\"a\": {\"b\": [[], {}]}}",
		                            "3",
		                            " \"a \\\" \xc3\xa9 \" ",
		                            "\"\"" };
	static const char *const bad[] = { "",
		                           " ",
		                           "{",
		                           "[",
		                           "[1",
		                           "[1,",
		                           "[1,]",
		                           "[1 2]",
		                           "{\"a\"}",
		                           "{\"a\":}",
		                           "{\"a\":1,}",
		                           "{a:1}",
		                           "[1]]",
		                           "[1] 2",
		                           "[}",
		                           "{]",
		                           "[nul]",
		                           "[1.]",
		                           "\"a",
		                           "\"a\\\"",
		                           "\"a\" \"b\"",
		                           "\"a\"b\"",
		                           "\"a\":\"b\"",
		                           "\"\n\"",
		                           "\"\xc3\"",
		                           "[\"a]",
		                           "[01]",
		                           "nan",
		                           "{\"a\":1 \"b\":2}",
		                           "[\"\x01\"]" };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_ok(verify(f, good[i]), &f->err);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		enum etc_status st = verify(f, bad[i]);

		if (st != ETC_CORRUPT || f->err.code != E0406)
			fail_msg("'%s' was taken", bad[i]);
	}
}

static void depth_has_a_limit_and_no_stack_overflows(void **state)
{
	static const struct {
		size_t depth;
		enum etc_code code;
	} cases[] = { { ETC_LIMIT_JSON_DEPTH - 10, ETC_CODE_NONE },
		      { ETC_LIMIT_JSON_DEPTH + 10, E0408 },
		      { 100000, E0408 } };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct etc_text t = { 0 };
		struct etc_json_value root;

		etc_text_repeat(&t, "[", cases[i].depth);
		etc_text_repeat(&t, "]", cases[i].depth);
		root = open_text(f, etc_text_str(&t));
		etc_json_verify(&root);
		if (cases[i].code == ETC_CODE_NONE)
			assert_ok(etc_json_check_end(f->doc, &f->err), &f->err);
		else
			assert_fails(etc_json_check_end(f->doc, &f->err), &f->err, cases[i].code);
		etc_json_close(f->doc);
		f->doc = NULL;
		etc_text_release(&t);
	}
}

static void what_lies_behind_the_text_is_never_taken_for_a_part_of_it(void **state)
{
	/* Texts that lack brackets. Behind each follow bytes that would complete it. */
	static const struct {
		const char *text, *behind;
	} texts[] = {
		{ "[[1]", ",,,,," },
		{ "[[1]", ", 2]" },
		{ "[[1]", "]" },
		{ "{\"a\": {}", "}" },
		{ "{\"a\": {}", ",\"b\":1}" },
		{ "{\"a\": [1, 2}", "]}" },
		{ "{\"a\": {\"b\": 1}", ",,,," },
		{ "[1, [2]", "\"\"\"" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct etc_json_value root;
		char buffer[256] = { 0 };

		snprintf(buffer, sizeof buffer, "%s%s", texts[i].text, texts[i].behind);
		etc_json_close(f->doc);
		assert_ok(etc_json_open((struct etc_str){ buffer, strlen(texts[i].text) }, 128,
		                        &f->arena, &f->doc, &f->err),
		          &f->err);
		etc_json_root(f->doc, &root);
		etc_json_verify(&root);
		assert_fails(etc_json_check_end(f->doc, &f->err), &f->err, E0406);
	}
}

static void other_encodings_are_told_as_python_tells_them(void **state)
{
	static const struct {
		struct etc_str bytes;
		const char *want;
	} texts[] = {
		{ { "\xef\xbb\xbf[1]", 6 }, "[1]" },
		{ { "\xff\xfe[\0\x31\0]\0", 8 }, "[1]" },
		{ { "\xfe\xff\0[\0\x31\0]", 8 }, "[1]" },
		{ { "[\0\x31\0]\0", 6 }, "[1]" },
		{ { "\0[\0\x31\0]", 6 }, "[1]" },
		{ { "[\0\0\0]\0\0\0", 8 }, "[]" },
		{ { "\0\0\0[\0\0\0]", 8 }, "[]" },
		{ { "\"\0=\xd8\0\xde\"\0", 8 }, "\"\xf0\x9f\x98\x80\"" },
		{ { "7\0", 2 }, "7" },
		{ { "[]", 2 }, "[]" },
	};
	struct fixture *f = *state;
	struct etc_str text = { "\xff\xfe[\0]", 5 };
	bool moved;

	assert_fails(etc_json_utf8(&f->arena, &text, &moved, &f->err), &f->err, E0406);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		text = texts[i].bytes;
		assert_ok(etc_json_utf8(&f->arena, &text, &moved, &f->err), &f->err);
		assert_str(text, texts[i].want);
	}
}

/* Is a number of `digits` digits, between `before` and `after`, found as too long for Python? */
static bool is_long(const char *before, size_t digits, const char *after)
{
	struct etc_text t = { 0 };
	bool found;

	etc_text_cstr(&t, before);
	etc_text_repeat(&t, "7", digits);
	etc_text_cstr(&t, after);
	found = etc_json_long_number(etc_text_str(&t));
	etc_text_release(&t);
	return found;
}

static void integers_beyond_4300_digits_are_found_wherever_they_start(void **state)
{
	char blanks[9001];

	(void)state;
	assert_false(is_long("[", 4300, "]"));
	assert_true(is_long("[", 4301, "]"));
	assert_true(is_long("-", 4301, ""));
	assert_false(is_long("[", 9000, ".5]"));
	assert_false(is_long("[0.", 9000, "]"));
	assert_false(is_long("[1e", 9000, "]"));
	assert_false(is_long("[1e-", 9000, "]"));
	assert_false(is_long("[", 9000, "e1]"));
	assert_false(is_long("[\"", 9000, "\"]"));
	assert_false(is_long("[\"\\\"", 9000, "\"]"));
	assert_true(is_long("[\"\\\\\", ", 9000, "]"));
	for (size_t n = 0; n < sizeof blanks; n += 37) {
		memset(blanks, ' ', n);
		blanks[n] = '\0';
		assert_true(is_long(blanks, 4301, " "));
		assert_false(is_long(blanks, 4300, " "));
	}
}

/* A document can be walked again from its root, wherever the walk before ended: at the end of the
 * document, between members, or inside a list. */
static void a_document_is_walked_anew_from_its_root(void **state)
{
	struct fixture *f = *state;
	struct etc_json_value root = open_text(f, ETC_STR("{\"a\": [1, 2], \"b\": 3}")), v;
	struct etc_json_iter it, list;
	struct etc_str key;

	for (int stop = 0; stop < 6; stop++) {
		int steps = 0;

		etc_json_root(f->doc, &root);
		assert_true(etc_json_enter(&root, &it));
		while (steps++ < stop && etc_json_next(&it, &key, &v))
			if (v.raw.ptr[0] == '[' && etc_json_enter(&v, &list))
				while (steps++ < stop && etc_json_next(&list, &key, &v))
					;
	}
	etc_json_root(f->doc, &root);
	assert_true(etc_json_enter(&root, &it));
	assert_true(etc_json_next(&it, &key, &v) && etc_str_eq(key, ETC_STR("a")));
	assert_true(etc_json_next(&it, &key, &v) && etc_str_eq(key, ETC_STR("b")));
	assert_int_equal(etc_json_type(&v), ETC_JSON_INT);
	assert_false(etc_json_next(&it, &key, &v));
	assert_ok(etc_json_check_end(f->doc, &f->err), &f->err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(every_token_is_of_the_kind_that_python_makes_of_it),
		T(integers_are_exact_to_64_bit_and_refused_beyond),
		T(escapes_are_resolved_and_lone_surrogates_kept),
		T(members_come_in_order_and_skipped_ones_cost_no_care),
		T(damage_is_found_by_a_walk_through_all_tokens),
		T(depth_has_a_limit_and_no_stack_overflows),
		T(what_lies_behind_the_text_is_never_taken_for_a_part_of_it),
		T(other_encodings_are_told_as_python_tells_them),
		T(integers_beyond_4300_digits_are_found_wherever_they_start),
		T(a_document_is_walked_anew_from_its_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
