/* test_vlq.c -- encoding whole numbers as letters of Base64. */
#include "unit.h"

#include "base/vlq.h"

static void a_number_has_a_sign_and_five_bits_per_letter(void **state)
{
	static const struct {
		int64_t d;
		const char *text;
	} known[] = { { 0, "A" },   { 1, "C" },   { -1, "B" },   { 15, "e" },
		      { 16, "gB" }, { -16, "f" }, { 123, "2H" }, { 1000, "w+B" } };

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct etc_text t = { 0 };
		struct etc_str rest;
		uint64_t d;

		etc_vlq_put(&t, (uint64_t)known[i].d);
		assert_str(etc_text_str(&t), known[i].text);
		rest = etc_text_str(&t);
		assert_true(etc_vlq_take(&rest, &d));
		assert_int_equal((int64_t)d, known[i].d);
		assert_int_equal(rest.len, 0);
		etc_text_release(&t);
	}
}

static void any_number_comes_back(void **state)
{
	struct etc_text t = { 0 };
	struct etc_str rest;
	uint64_t d;

	(void)state;
	for (unsigned shift = 0; shift < 64; shift++)
		for (int by = -1; by <= 1; by++)
			etc_vlq_put(&t, (UINT64_C(1) << shift) + (uint64_t)(int64_t)by);
	rest = etc_text_str(&t);
	for (unsigned shift = 0; shift < 64; shift++)
		for (int by = -1; by <= 1; by++) {
			assert_true(etc_vlq_take(&rest, &d));
			assert_true(d == (UINT64_C(1) << shift) + (uint64_t)(int64_t)by);
		}
	assert_int_equal(rest.len, 0);
	etc_text_release(&t);
}

static void what_is_no_number_is_refused(void **state)
{
	static const char *const bad[] = { "", "g", "gg", "!", "ggggggggggggQ", "gggggggggggggA" };

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct etc_str rest = etc_str_of(bad[i]);
		uint64_t d;

		assert_false(etc_vlq_take(&rest, &d));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_has_a_sign_and_five_bits_per_letter),
		cmocka_unit_test(any_number_comes_back),
		cmocka_unit_test(what_is_no_number_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
