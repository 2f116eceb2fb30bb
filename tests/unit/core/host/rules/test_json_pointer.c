/* test_json_pointer.c -- JSON pointers (RFC 6901). */
#include "hosted.h"

#include "host/rules/json_pointer.h"
#include "host/sink.h"

static void finds_what_a_pointer_names(void **state)
{
	/* The document of RFC 6901, section 5, and other examples. */
	static const char rfc[] = "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,"
				  "\"g|h\":4,\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,\"m~n\":8}";
	static const struct {
		const char *json, *pointer, *found;
	} all[] = {
		{ rfc, "", rfc },
		{ rfc, "/foo", "[\"bar\",\"baz\"]" },
		{ rfc, "/foo/0", "\"bar\"" },
		{ rfc, "/", "0" },
		{ rfc, "/a~1b", "1" },
		{ rfc, "/c%d", "2" },
		{ rfc, "/e^f", "3" },
		{ rfc, "/g|h", "4" },
		{ rfc, "/i\\j", "5" },
		{ rfc, "/k\"l", "6" },
		{ rfc, "/ ", "7" },
		{ rfc, "/m~0n", "8" },
		{ rfc, "/foo/2", NULL },
		{ rfc, "/foo/-", NULL },
		{ rfc, "/foo/00", NULL },
		{ rfc, "/foo/bar", NULL },
		{ rfc, "/fo", NULL },
		{ rfc, "/foo/0/x", NULL },
		{ " { \"a\" : [ { \"x\" : \"}]\" } , { \"b\" : [ 1 , -2.5e3 ] } ] } ", "/a/1/b/1",
		  "-2.5e3" },
		{ "{\"a\":1,\"b\":{\"a\":2},\"a\":3}", "/a", "3" },
		{ "{\"\\u0061\\u00e9\":true}", "/a\xc3\xa9", "true" },
		{ "[]", "/0", NULL },
		{ "{}", "/", NULL },
		{ "[[],[[7]]]", "/1/0/0", "7" },
		{ "5", "/a", NULL },
		{ "null", "", "null" },
	};
	struct fixture f;

	(void)state;
	init(&f);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct etc_str json = etc_str_of(all[i].json), out = { 0 };
		bool found = etc_json_point(json, etc_str_of(all[i].pointer), &f.arena, &out);

		assert_true(etc_json_valid(json));
		if (found != (all[i].found != NULL) ||
		    (found && !etc_str_eq(out, etc_str_of(all[i].found))))
			fail_msg("%s of %s: '" ETC_STR_FMT "'", all[i].pointer, all[i].json,
			         ETC_STR_ARG(out));
	}
	stop(&f);
}

static void resolves_escapes(void **state)
{
	static const struct {
		const char *token, *text;
	} all[] = {
		{ "\"\"", "" },
		{ "\"plain\"", "plain" },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t" },
		{ "\"\\u00e9\\u20AC\"", "\xc3\xa9\xe2\x82\xac" },
		{ "\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80" },
		{ "\"\\ud83d\"", "\xef\xbf\xbd" },
		{ "\"\\ud83dx\\ude00\"", "\xef\xbf\xbdx\xef\xbf\xbd" },
		{ "\"\\ud83d\\u0041\"", "\xef\xbf\xbd\x41" },
	};
	struct fixture f;

	(void)state;
	init(&f);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct etc_str out;

		assert_true(etc_json_string(etc_str_of(all[i].token), &f.arena, &out));
		if (!etc_str_eq(out, etc_str_of(all[i].text)))
			fail_msg("%s: '" ETC_STR_FMT "'", all[i].token, ETC_STR_ARG(out));
	}
	stop(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_a_pointer_names),
		cmocka_unit_test(resolves_escapes),
	};
	return cmocka_run_group_tests_name("json_pointer", tests, NULL, NULL);
}
