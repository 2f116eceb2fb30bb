/* test_keys.c -- the table of the keys of --by: each key must have all that it needs, in the table
 * and in the JSON schemas, which tests/docs/keys.py writes. Other tests check what keys do:
 * test_baseline.c that baselines store them, test_diff.c that `diff` groups by them. */
#include "unit.h"

#include "base/file.h"
#include "formats/container/json.h"
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
		assert_int_equal(etc_by_parse(etc_str_of(key->word)), by); /* words are unique */
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

static void rows_are_whole_runs_of_three_keys_only(void **state)
{
	static const char *const functions[ETC_BY_COUNT] = {
#define ETC_KEY(id, word, title, detail, offered, places, function) [ETC_BY_##id] = #function,
#include "model/keys.def"
	};

	(void)state;
	for (uint8_t by = 0; by < ETC_BY_COUNT; by++)
		assert_int_equal(strcmp(functions[by], "NULL") == 0,
		                 by == ETC_BY_METHOD || by == ETC_BY_FILE || by == ETC_BY_RUN);
}

/* Replaces the object *v by a member inside of it with this path, such as "properties/by/enum".
 * Returns false if there is none. */
static bool find(struct etc_json_value *v, const char *path)
{
	struct etc_str key, name;
	struct etc_json_value of = *v;
	struct etc_json_iter it;
	const char *end = strchr(path, '/');

	name = end ? (struct etc_str){ path, (size_t)(end - path) } : etc_str_of(path);
	if (!etc_json_enter(&of, &it))
		return false;
	while (etc_json_next(&it, &key, v))
		if (etc_str_eq(key, name))
			return !end || find(v, end + 1);
	return false;
}

/* Calls `each` for everything at `path` in a schema: for the names of an object's members, or a
 * list's strings. */
static void each_in_schema(const char *schema, const char *path,
                           void (*each)(struct etc_str word, void *arg), void *arg)
{
	struct etc_error err = { 0 };
	struct etc_json_value at, value;
	struct etc_json_iter it;
	struct etc_arena arena;
	struct etc_json *doc;
	struct etc_file file;
	struct etc_str key;

	etc_arena_init(&arena, 1 << 20);
	assert_ok(etc_file_open(&file, schema, 1 << 20, &err), &err);
	assert_ok(etc_json_open((struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len }, 0,
	                        &arena, &doc, &err),
	          &err);
	etc_json_root(doc, &at);
	assert_true(find(&at, path) && etc_json_enter(&at, &it));
	while (etc_json_next(&it, &key, &value))
		each(key.ptr && key.len ? key : etc_str_sub(value.raw, 1, value.raw.len - 1), arg);
	assert_ok(etc_json_check(doc, &err), &err);
	etc_json_close(doc);
	etc_file_release(&file);
	etc_arena_release(&arena);
}

static void mark_by(struct etc_str word, void *arg)
{
	bool *known = arg;
	uint8_t by = etc_by_parse(word);

	assert_true(by < ETC_BY_COUNT); /* each word must be a key */
	known[by] = true;
}

static void mark_stored(struct etc_str member, void *arg)
{
	bool *known = arg;

	for (uint8_t by = 0; by < ETC_EVENT_KEYS; by++)
		if (etc_str_eq(member, etc_str_of(etc_row_key(by)->stored)))
			known[by] = true;
}

static void each_key_stands_in_the_schemas(void **state)
{
	bool analyze[ETC_BY_COUNT] = { 0 }, diff[ETC_BY_COUNT] = { 0 },
	     stored[ETC_BY_COUNT] = { 0 };

	(void)state;
	each_in_schema("docs/analyze.schema.json", "properties/by/enum", mark_by, analyze);
	each_in_schema("docs/diff.schema.json", "properties/by/enum", mark_by, diff);
	each_in_schema("docs/baseline.schema.json", "$defs/event/properties", mark_stored, stored);
	for (uint8_t by = 0; by < ETC_BY_COUNT; by++) {
		const struct etc_row_key *key = etc_row_key(by);

		assert_int_equal(analyze[by], is_offered(etc_by_analyze, key->word));
		assert_int_equal(diff[by], is_offered(etc_by_compare, key->word));
		assert_int_equal(stored[by], key->stored != NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_key_has_a_word_and_a_title),
		cmocka_unit_test(a_name_of_an_event_has_a_member_and_a_function),
		cmocka_unit_test(rows_are_whole_runs_of_three_keys_only),
		cmocka_unit_test(each_key_stands_in_the_schemas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
