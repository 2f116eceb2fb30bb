/* test_metadata.c -- storing the positions of the samples' metadata, if only few of many samples
 * have metadata. */
#include "unit.h"

#include <stdlib.h>

#include "model/trace.h"

static void found_where_it_was(const uint32_t *at, size_t count)
{
	struct etc_metadata packed = { 0 };
	struct etc_arena arena;
	bool any = false;

	etc_arena_init(&arena, 4 << 20);
	assert_true(etc_metadata_pack(at, count, &arena, &packed));
	for (size_t i = 0; i < count; i++) {
		any = any || at[i];
		assert_int_equal(etc_metadata_at(&packed, i), at[i]);
	}
	assert_int_equal(packed.has != NULL, any);
	etc_arena_release(&arena);
}

/* Few and many samples. In the words of 64 bits that mark them, all, some or none have metadata. */
static void each_sample_keeps_its_place(void **state)
{
	static const size_t counts[] = { 0, 1, 63, 64, 65, 128, 1000 };
	static uint32_t at[1000];

	(void)state;
	for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
		for (uint32_t every = 1; every < 300; every = every * 2 + 1)
			for (uint32_t skip = 0; skip < 200; skip += 50) {
				for (uint32_t i = 0; i < 1000; i++)
					at[i] = i >= skip && i % every == 0 ? i + 7 : 0;
				found_where_it_was(at, counts[c]);
			}
}

/* Many samples. The number of those with metadata differs from word to word. */
static void each_of_many_keeps_its_place(void **state)
{
	enum { COUNT = (1 << 16) + 77 };
	uint32_t *at = calloc(COUNT, sizeof *at);

	(void)state;
	assert_non_null(at);
	found_where_it_was(at, COUNT);
	for (uint32_t i = 1; i < COUNT; i += 1 + i % 97)
		at[i] = i;
	found_where_it_was(at, COUNT);
	free(at);
}

static void without_any_there_is_nothing_to_ask(void **state)
{
	static const uint32_t none[100];

	(void)state;
	found_where_it_was(none, 100);
	assert_int_equal(etc_metadata_at(&(struct etc_metadata){ 0 }, 5), 0);
}

static void refused_memory_is_told(void **state)
{
	static const uint32_t at[100] = { 1 };
	struct etc_metadata packed = { 0 };
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 8);
	assert_false(etc_metadata_pack(at, 100, &arena, &packed));
	assert_null(packed.has);
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_sample_keeps_its_place),
		cmocka_unit_test(each_of_many_keeps_its_place),
		cmocka_unit_test(without_any_there_is_nothing_to_ask),
		cmocka_unit_test(refused_memory_is_told),
	};

	return cmocka_run_group_tests_name("metadata", tests, NULL, NULL);
}
