/* test_decode.c -- metadata of events for which no plugin has a parser. */
#include "hosted.h"

#include "host/sink.h"

static void decodes_metadata_without_a_plugin(void **state)
{
	static const uint8_t json[] = "{\"a\":1}", odd[] = { 0xff, 0x00, 0x0a };
	const struct etcore_bytes blobs[] = { { json, 7 }, { NULL, 0 }, { odd, 3 } };
	struct etc_parsed p;
	struct fixture f;

	(void)state;
	init(&f);
	assert_ok(etc_host_decode(ETC_DECODE_NONE, blobs, 3, &f.arena, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_NONE);
	assert_ok(etc_host_decode(ETC_DECODE_HEX, blobs, 3, &f.arena, &p, &f.err), &f.err);
	assert_int_equal(p.count, 3);
	assert_str(p.items[0].text, "7b2261223a317d");
	assert_int_equal(p.items[1].kind, ETC_DATUM_NULL);
	assert_ok(etc_host_decode(ETC_DECODE_TEXT, blobs, 3, &f.arena, &p, &f.err), &f.err);
	assert_str(p.items[0].text, "{\"a\":1}");
	assert_str(p.items[2].text, "ff000a");
	assert_ok(etc_host_decode(ETC_DECODE_JSON, blobs, 3, &f.arena, &p, &f.err), &f.err);
	assert_int_equal(p.items[0].kind, ETC_DATUM_JSON);
	assert_int_equal(p.items[2].kind, ETC_DATUM_STR);
	assert_ok(etc_host_decode(ETC_DECODE_LIST, blobs, 3, &f.arena, &p, &f.err), &f.err);
	assert_str(p.items[2].text, "[255,0,10]");
	assert_str(p.items[1].text, "[]");
	assert_ok(etc_host_decode(ETC_DECODE_HEX, blobs + 1, 1, &f.arena, &p, &f.err), &f.err);
	assert_int_equal(p.form, ETC_PARSED_NONE);
	stop(&f);
}

static void knows_json_from_other_text(void **state)
{
	static const char *const good[] = { "1",
		                            " [ ] ",
		                            "{}",
		                            "[[],{},[1,2.5e-3,-0]]",
		                            "\"\\u00e9\\n\"",
		                            "{\"a\":{\"b\":[true,false,null]},\"c\":1}",
		                            "[NaN,Infinity,-Infinity]" };
	static const char *const bad[] = { "",      " ",       "[",         "]",
		                           "{",     "[1,]",    "{\"a\"}",   "{\"a\":1,}",
		                           "01",    "1.",      "--1",       "nul",
		                           "\"",    "\"\\x\"", "\"\n\"",    "1 2",
		                           "{1:2}", "[1}",     "{\"a\":1]", "\"\\u12g4\"",
		                           "+1",    "[,1]",    "{,}" };
	enum { DEEP = ETC_LIMIT_JSON_DEPTH };
	static char deep[2 * DEEP + 2];

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		if (!etc_json_valid(etc_str_of(good[i])))
			fail_msg("refuses %s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (etc_json_valid(etc_str_of(bad[i])))
			fail_msg("accepts %s", bad[i]);
	memset(deep, '[', DEEP);
	memset(deep + DEEP, ']', DEEP);
	assert_true(etc_json_valid((struct etc_str){ deep, (size_t)2 * DEEP }));
	memset(deep, '[', DEEP + 1);
	memset(deep + DEEP + 1, ']', DEEP + 1);
	assert_false(etc_json_valid((struct etc_str){ deep, (size_t)2 * DEEP + 2 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decodes_metadata_without_a_plugin),
		cmocka_unit_test(knows_json_from_other_text),
	};
	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
