/* test_keys.c -- the table of keys of --by: what each row has to have. Schemas: tests/docs/keys.py;
 * writer and reader of baselines: test_baseline.c; groups of a diff: test_diff.c. */
#include "unit.h"

#include "model/profile.h"

static bool is_offered(const char *choices, const char *word)
{
	char all[256], one[64];

	snprintf(all, sizeof all, "%s|", choices);
	snprintf(one, sizeof one, "|%s|", word);
	return strstr(all, one) != NULL;
}

static void each_key_has_a_word_and_a_title(void **state)
{
	(void)state;
	for (uint8_t by = 0; by < ETC_BY_COUNT; by++) {
		const struct etc_row_key *key = etc_row_key(by);

		assert_true(key->word && key->word[0] && key->title && key->title[0]);
		assert_non_null(key->detail);
		assert_int_equal(etc_by_parse(etc_str_of(key->word)), by); /* no word twice */
		assert_true(is_offered(etc_by_analyze, key->word) ||
		            is_offered(etc_by_compare, key->word));
	}
	assert_int_equal(etc_by_parse(ETC_STR("colour")), ETC_BY_COUNT);
	assert_int_equal(etc_by_parse(ETC_STR("")), ETC_BY_COUNT);
}

static void a_name_of_an_event_has_a_member_and_a_function(void **state)
{
	static const char *const functions[ETC_EVENT_KEYS] = {
#define ETC_EVENT_KEY(id, word, title, detail, offered, places, stored, function) \
	[ETC_BY_##id] = #function,
#include "model/keys.def"
	};

	(void)state;
	for (uint8_t by = 0; by < ETC_BY_COUNT; by++) {
		const char *stored = etc_row_key(by)->stored;

		assert_int_equal(stored != NULL, by < ETC_EVENT_KEYS);
		for (uint8_t other = 0; stored && other < by; other++)
			assert_string_not_equal(stored, etc_row_key(other)->stored);
		if (stored)
			assert_string_not_equal(functions[by], "NULL");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_key_has_a_word_and_a_title),
		cmocka_unit_test(a_name_of_an_event_has_a_member_and_a_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
