/* test_nearest.c -- suggestions for misspelt words. */
#include "unit.h"

#include "base/nearest.h"

static const struct etc_str names[] = {
	{ "source_time_scale", 17 },
	{ "target_time_scale", 17 },
	{ "plugins", 7 },
	{ "o", 1 },
};

static struct etc_str nearest(const char *word)
{
	return etc_nearest(etc_str_of(word), names, sizeof names / sizeof names[0]);
}

static void a_slip_of_the_finger_is_found(void **state)
{
	(void)state;
	assert_str(nearest("source_time_scales"), "source_time_scale");
	assert_str(nearest("sorce_tme_scale"), "source_time_scale");
	assert_str(nearest("plugin"), "plugins");
	assert_str(nearest("plgins"), "plugins");
	assert_str(nearest("source_time_scale"), "source_time_scale");
	assert_str(nearest("lpugnis"), "plugins"); /* two transpositions of adjacent letters */
}

static void what_is_far_off_gets_no_guess(void **state)
{
	static const struct etc_str words[] = { { "dump", 4 }, { "diff", 4 } };
	char longest[400];

	(void)state;
	assert_str(nearest("colour"), "");
	assert_str(nearest("plugXYZ"), "");
	assert_str(nearest("x"), ""); /* one edit from "o", but that is the whole word */
	assert_str(nearest(""), "");
	assert_str(etc_nearest(ETC_STR("ramp"), words, 2), ""); /* half of the word would change */
	assert_str(etc_nearest(ETC_STR("dupm"), words, 2), "dump");
	memset(longest, 's', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	assert_str(nearest(longest), "");
	assert_str(etc_nearest(ETC_STR("x"), NULL, 0), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slip_of_the_finger_is_found),
		cmocka_unit_test(what_is_far_off_gets_no_guess),
	};

	return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
