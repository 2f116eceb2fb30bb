#include "unit.h"

#include "base/arena.h"
#include "read/pickle.h"

#define SPAN(s) ((struct etc_span){ (const uint8_t *)(s), sizeof(s) - 1 })

/* pickle.dumps(value, 2), tensors as torch.save writes them shortened to one
 * persistent id. */
static const char two_cases[] = "\x80\x02}q\x00X\x07\x00\x00\x00"
				"forwardq\x01]q\x02(]q\x03X\x01\x00\x00\x00"
				"0q\x04"
				"Qa]q\x05h\x04Qaes.";
static const char other_method[] = "\x80\x02}q\x00X\x06\x00\x00\x00"
				   "decodeq\x01]q\x02s.";
static const char nothing[] = "\x80\x02N.";
static const char by_tuple[] = "\x80\x02}q\x00X\x07\x00\x00\x00"
			       "forwardq\x01)s.";

static enum etc_pickle_found look(struct etc_span pickle, uint32_t *count)
{
	struct etc_arena arena;
	enum etc_pickle_found found;

	etc_arena_init(&arena, 1 << 24);
	found = etc_pickle_list(pickle, ETC_STR("forward"), &arena, count);
	etc_arena_release(&arena);
	return found;
}

static void counts_the_items_of_the_list_under_the_key(void **state)
{
	uint32_t count;

	(void)state;
	assert_int_equal(look(SPAN(two_cases), &count), ETC_PICKLE_LIST);
	assert_int_equal(count, 2);
}

static void says_when_the_key_is_missing_or_is_no_list(void **state)
{
	uint32_t count;

	(void)state;
	assert_int_equal(look(SPAN(other_method), &count), ETC_PICKLE_NO_KEY);
	assert_int_equal(look(SPAN(nothing), &count), ETC_PICKLE_UNKNOWN);
	assert_int_equal(look(SPAN(by_tuple), &count), ETC_PICKLE_UNKNOWN);
}

/* A pickle that ends early, or with any byte changed, is at most misjudged. */
static void survives_damage(void **state)
{
	uint8_t bytes[sizeof two_cases];
	uint32_t count;

	(void)state;
	for (size_t n = 0; n + 1 < sizeof two_cases; n++)
		if (n + 2 < sizeof two_cases)
			assert_int_equal(
				look((struct etc_span){ (const uint8_t *)two_cases, n }, &count),
				ETC_PICKLE_UNKNOWN);
	for (size_t at = 0; at + 1 < sizeof two_cases; at++)
		for (unsigned b = 0; b < 256; b++) {
			memcpy(bytes, two_cases, sizeof bytes);
			bytes[at] = (uint8_t)b;
			look((struct etc_span){ bytes, sizeof bytes - 1 }, &count);
			assert_true(count <= sizeof bytes);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_the_items_of_the_list_under_the_key),
		cmocka_unit_test(says_when_the_key_is_missing_or_is_no_list),
		cmocka_unit_test(survives_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
