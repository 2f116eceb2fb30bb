/* test_map.c -- the hash map from texts to indices. */
#define _POSIX_C_SOURCE 200809L
#include "unit.h"

#include "base/map.h"

enum { MANY = 20000 };

static void finds_what_was_added_and_nothing_else(void **state)
{
	struct etc_arena a;
	struct etc_map m;

	(void)state;
	etc_arena_init(&a, 64 << 20);
	etc_map_init(&m, &a);
	assert_true(etc_map_get(&m, ETC_STR("x")) == ETC_MAP_NONE);
	for (size_t i = 0; i < MANY; i++) {
		struct etc_str key = etc_arena_printf(&a, "key%zu", i);

		assert_int_equal(etc_map_add(&m, key, i), i);
	}
	assert_int_equal(m.count, MANY);
	for (size_t i = 0; i < MANY; i++) {
		char key[32];

		snprintf(key, sizeof key, "key%zu", i);
		assert_int_equal(etc_map_get(&m, etc_str_of(key)), i);
		snprintf(key, sizeof key, "kez%zu", i);
		assert_true(etc_map_get(&m, etc_str_of(key)) == ETC_MAP_NONE);
	}
	etc_arena_release(&a);
}

static void the_first_value_of_a_key_stays(void **state)
{
	struct etc_arena a;
	struct etc_map m;

	(void)state;
	etc_arena_init(&a, 1 << 20);
	etc_map_init(&m, &a);
	assert_int_equal(etc_map_add(&m, ETC_STR("k"), 5), 5);
	assert_int_equal(etc_map_add(&m, ETC_STR("k"), 6), 5);
	assert_int_equal(etc_map_get(&m, ETC_STR("k")), 5);
	assert_int_equal(m.count, 1);
	etc_arena_release(&a);
}

static void a_new_key_is_copied_on_demand(void **state)
{
	struct etc_arena a;
	struct etc_map m;
	char key[] = "first";

	(void)state;
	etc_arena_init(&a, 1 << 20);
	etc_map_init(&m, &a);
	assert_int_equal(etc_map_intern(&m, etc_str_of(key), 5), 5);
	memcpy(key, "other", sizeof key);
	assert_int_equal(etc_map_intern(&m, etc_str_of(key), 6), 6);
	assert_int_equal(etc_map_intern(&m, ETC_STR("first"), 7), 5);
	assert_int_equal(etc_map_get(&m, ETC_STR("other")), 6);
	assert_int_equal(m.count, 2);
	etc_arena_release(&a);
}

/* Keys are bytes: NULs and lengths are significant, and the empty key is valid. */
static void keys_are_bytes(void **state)
{
	struct etc_arena a;
	struct etc_map m;

	(void)state;
	etc_arena_init(&a, 1 << 20);
	etc_map_init(&m, &a);
	assert_int_equal(etc_map_add(&m, ETC_STR(""), 1), 1);
	assert_int_equal(etc_map_add(&m, ETC_STR("\0"), 2), 2);
	assert_int_equal(etc_map_add(&m, ETC_STR("\0\0"), 3), 3);
	assert_int_equal(etc_map_add(&m, ETC_STR("12345678"), 4), 4);
	assert_int_equal(etc_map_add(&m, ETC_STR("12345678\0"), 5), 5);
	assert_int_equal(etc_map_get(&m, (struct etc_str){ NULL, 0 }), 1);
	assert_int_equal(etc_map_get(&m, ETC_STR("\0")), 2);
	assert_int_equal(etc_map_get(&m, ETC_STR("\0\0")), 3);
	assert_int_equal(etc_map_get(&m, ETC_STR("12345678")), 4);
	assert_int_equal(etc_map_get(&m, ETC_STR("12345678\0")), 5);
	etc_arena_release(&a);
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* In a hash that multiplies by a constant and shifts by 29, bit 63 of a word changes bits 63 and 34
 * of the hash, whatever the seed is. Bits 63 and 34 of the next word then cancel the change. Texts
 * that differ in such pairs of words must have different hashes. */
static void pairs_of_words_do_not_cancel(void **state)
{
	static uint64_t hashes[1 << 12];
	size_t same = 0;

	(void)state;
	for (size_t i = 0; i < 1 << 12; i++) {
		uint64_t words[24] = { 0 };

		for (size_t k = 0; k < 12; k++)
			if (i >> k & 1) {
				words[2 * k] = (uint64_t)1 << 63;
				words[2 * k + 1] = (uint64_t)1 << 63 | (uint64_t)1 << 34;
			}
		hashes[i] = etc_hash((struct etc_str){ (const char *)words, sizeof words });
	}
	qsort(hashes, 1 << 12, sizeof *hashes, by_number);
	for (size_t i = 1; i < 1 << 12; i++)
		same += hashes[i] == hashes[i - 1];
	assert_int_equal(same, 0);
}

static void the_environment_fixes_the_seed(void **state)
{
	uint64_t one, two;

	(void)state;
	setenv("ETCORE_SEED", "1", 1);
	one = etc_hash(ETC_STR("name"));
	assert_true(etc_hash(ETC_STR("name")) == one);
	setenv("ETCORE_SEED", "2", 1);
	two = etc_hash(ETC_STR("name"));
	assert_true(one != two);
	setenv("ETCORE_SEED", "1", 1);
	assert_true(etc_hash(ETC_STR("name")) == one);
	unsetenv("ETCORE_SEED");
	assert_true(etc_hash(ETC_STR("name")) != one);
}

static void no_memory_is_said(void **state)
{
	struct etc_arena a;
	struct etc_map m;
	size_t added = 0;
	char keys[4096][8];

	(void)state;
	etc_arena_init(&a, 20000);
	etc_map_init(&m, &a);
	for (; added < 4096; added++) {
		snprintf(keys[added], sizeof keys[added], "%zu", added);
		if (etc_map_add(&m, etc_str_of(keys[added]), added) == ETC_MAP_NONE)
			break;
	}
	assert_true(added > 10 && added < 4096);
	for (size_t i = 0; i < added; i++)
		assert_int_equal(etc_map_get(&m, etc_str_of(keys[i])), i);
	etc_arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_added_and_nothing_else),
		cmocka_unit_test(the_first_value_of_a_key_stays),
		cmocka_unit_test(a_new_key_is_copied_on_demand),
		cmocka_unit_test(keys_are_bytes),
		cmocka_unit_test(pairs_of_words_do_not_cancel),
		cmocka_unit_test(the_environment_fixes_the_seed),
		cmocka_unit_test(no_memory_is_said),
	};

	return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
