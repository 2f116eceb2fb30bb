/* test_percent.c -- parsing percentages. */
#include "unit.h"

#include "base/percent.h"

static enum etc_status parse(const char *text, double *percent, struct etc_error *err)
{
	*percent = -1;
	return etc_percent_parse("--limit", etc_str_of(text), 0, 1000, E0505, percent, err);
}

static void a_bare_number_is_percent(void **state)
{
	static const struct {
		const char *text;
		double percent;
	} good[] = {
		{ "5", 5 },       { "5%", 5 },    { "5 %", 5 },   { " 5% ", 5 },    { "1", 1 },
		{ "1.0", 1 },     { "0", 0 },     { "0%", 0 },    { "0.0", 0 },     { "0.5%", 0.5 },
		{ "0.05%", .05 }, { "2.5", 2.5 }, { "1e2", 100 }, { "1000", 1000 }, { "7", 7 },
	};
	struct etc_error err = { .at = -1 };
	double percent;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_ok(parse(good[i].text, &percent, &err), &err);
		assert_true(percent == good[i].percent);
	}
}

static void a_share_is_refused_with_both_readings(void **state)
{
	static const char *const shares[] = { "0.5", "0.05", ".05", "0.999", " 1e-3 ", "0.95" };
	struct etc_error err = { .at = -1 };
	double percent;

	(void)state;
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		assert_fails(parse(shares[i], &percent, &err), &err, E0550);
	assert_fails(parse("0.05", &percent, &err), &err, E0550);
	assert_non_null(strstr(err.text, "--limit '0.05': 0.05% or 5%?"));
}

static void what_is_no_percentage_is_refused(void **state)
{
	static const char *const bad[] = { "",    "%",    "5%%",  "-1%", "-0.5", "nan",  "inf",
		                           "5 p", "1001", "1e9%", "%5",  "0x5",  "5 % %" };
	struct etc_error err = { .at = -1 };
	double percent;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_fails(parse(bad[i], &percent, &err), &err, E0505);
	assert_fails(parse("1001", &percent, &err), &err, E0505);
	assert_non_null(strstr(err.text, "expected 0% to 1000%"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bare_number_is_percent),
		cmocka_unit_test(a_share_is_refused_with_both_readings),
		cmocka_unit_test(what_is_no_percentage_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
