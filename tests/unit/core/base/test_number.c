/* test_number.c -- doubles as text. number_python.py compares many more numbers with Python; here
 * are special cases.
 *
 * number_python.py runs this program with the argument "-". The program then reads the bits of a
 * double from each line of standard input, as 16 hex digits. It prints repr, %g and three fixed
 * decimals of the double, separated by tabs. */
#include "unit.h"

#include <inttypes.h>
#include <math.h>

#include "base/number.h"

static struct etc_str repr(char to[ETC_NUMBER_MAX], double v)
{
	return (struct etc_str){ to, etc_number_repr(to, v) };
}

static struct etc_str g(char to[ETC_NUMBER_MAX], double v)
{
	return (struct etc_str){ to, etc_number_g(to, v) };
}

static struct etc_str fixed(char to[ETC_NUMBER_MAX], double v, int decimals)
{
	return (struct etc_str){ to, etc_number_fixed(to, v, decimals) };
}

static void repr_is_pythons(void **state)
{
	static const struct {
		double v;
		const char *want;
	} rows[] = {
		{ 0.0, "0.0" },
		{ -0.0, "-0.0" },
		{ 5, "5.0" },
		{ 0.1, "0.1" },
		{ 1e-4, "0.0001" },
		{ 9.999e-5, "9.999e-05" },
		{ 1e-5, "1e-05" },
		{ 123456789012345680.0, "1.2345678901234568e+17" },
		{ 9999999999999998.0, "9999999999999998.0" },
		{ 1e16, "1e+16" },
		{ 1e15, "1000000000000000.0" },
		{ 1.5e300, "1.5e+300" },
		{ -2.5e-300, "-2.5e-300" },
		{ 5e-324, "5e-324" },
		{ 2.2250738585072014e-308, "2.2250738585072014e-308" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
		{ -1.7976931348623157e308, "-1.7976931348623157e+308" },
		{ 0.022484, "0.022484" },
		{ 1.0 / 3, "0.3333333333333333" },
	};
	char to[ETC_NUMBER_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_str(repr(to, rows[i].v), rows[i].want);
	assert_str(repr(to, NAN), "nan");
	assert_str(repr(to, -NAN), "nan");
	assert_str(repr(to, INFINITY), "inf");
	assert_str(repr(to, -INFINITY), "-inf");
}

static void g_is_printfs(void **state)
{
	char to[ETC_NUMBER_MAX];

	(void)state;
	assert_str(g(to, 0), "0");
	assert_str(g(to, -0.0), "-0");
	assert_str(g(to, 100000), "100000");
	assert_str(g(to, 999999.5), "1e+06");
	assert_str(g(to, 0.0001), "0.0001");
	assert_str(g(to, 0.00001), "1e-05");
	assert_str(g(to, 1234567), "1.23457e+06");
	assert_str(g(to, NAN), "nan");
	assert_str(g(to, -INFINITY), "-inf");
}

static void fixed_has_its_decimals(void **state)
{
	char to[ETC_NUMBER_MAX];

	(void)state;
	assert_str(fixed(to, 1.005, 2), "1.00"); /* 1.00499999999999989... */
	assert_str(fixed(to, 0.5, 0), "0");      /* half to even, as printf */
	assert_str(fixed(to, 2.675, 2), "2.67");
	assert_str(fixed(to, 999999999999999.0, 12), "999999999999999.000000000000");
	assert_str(fixed(to, 1e15, 2), "1000000000000000.0");
	assert_str(fixed(to, -0.001, 2), "-0.00");
	assert_str(fixed(to, NAN, 2), "nan");
}

static void parses_whole_texts_only(void **state)
{
	double v = 0;
	uint64_t u = 0;

	(void)state;
	assert_true(etc_number_parse(ETC_STR("-12.5e3"), &v) && v == -12500);
	assert_true(etc_number_parse(ETC_STR("+1"), &v) && v == 1);
	assert_false(etc_number_parse(ETC_STR(""), &v));
	assert_false(etc_number_parse((struct etc_str){ NULL, 0 }, &v));
	assert_false(etc_number_parse(ETC_STR("+"), &v));
	assert_false(etc_number_parse(ETC_STR("+-1"), &v));
	assert_false(etc_number_parse(ETC_STR("1 "), &v));
	assert_false(etc_number_parse(ETC_STR(" 1"), &v));
	assert_false(etc_number_parse(ETC_STR("1x"), &v));
	assert_false(etc_number_parse(ETC_STR("0x10"), &v));
	assert_false(etc_number_parse(ETC_STR("1e999"), &v));
	assert_true(etc_number_parse_u64(ETC_STR("18446744073709551615"), &u) && u == UINT64_MAX);
	assert_false(etc_number_parse_u64(ETC_STR("18446744073709551616"), &u));
	assert_false(etc_number_parse_u64(ETC_STR("-1"), &u));
	assert_false(etc_number_parse_u64(ETC_STR("1.0"), &u));
	assert_false(etc_number_parse_u64((struct etc_str){ NULL, 0 }, &u));
}

static void repr_round_trips(void **state)
{
	uint64_t bits = 1;
	char to[ETC_NUMBER_MAX];

	(void)state;
	for (int i = 0; i < 200000; i++) {
		double v, back;

		bits = bits * 6364136223846793005u + 1442695040888963407u;
		memcpy(&v, &bits, sizeof v);
		if (!isfinite(v))
			continue;
		if (!etc_number_parse(repr(to, v), &back) || memcmp(&v, &back, sizeof v) != 0)
			fail_msg("%.17g", v);
	}
}

static void expect_printfs(double v)
{
	char to[ETC_NUMBER_MAX], want[ETC_NUMBER_MAX];
	struct etc_str found = g(to, v);
	int n = snprintf(want, sizeof want, "%g", v);

	const char *point = strpbrk(want, ".e");
	int behind = 0, sized = 0;

	if (found.len != (size_t)n || memcmp(found.ptr, want, found.len) != 0)
		fail_msg("%.17g: " ETC_STR_FMT " instead of %s", v, ETC_STR_ARG(found), want);
	assert_true(etc_number_g_point(to, v, &behind) == (size_t)n);
	assert_true(etc_number_g_size(v, &sized) == (size_t)n);
	assert_int_equal(behind, point ? n - (int)(point - want) - 1 : -1);
	assert_int_equal(sized, behind);
}

/* Checks numbers of every size for which there is a fast path. Also checks those for which it must
 * not be used: halves of the last digit, powers of ten, and their neighbours. */
static void g_of_any_number_is_printfs(void **state)
{
	static const double powers[] = { 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1,
		                         1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7 };
	uint64_t bits = 1;

	(void)state;
	for (int i = 0; i < 400000; i++) {
		double v, power = powers[i % 14], half;

		bits = bits * 6364136223846793005u + 1442695040888963407u;
		v = (double)(bits >> 11) / 9007199254740992.0 * power;
		half = ((double)(bits >> 44) + 0.5) * powers[(i / 14) % 7];
		expect_printfs(v);
		expect_printfs(-v);
		expect_printfs(half);
		expect_printfs(nextafter(half, 0));
		expect_printfs(nextafter(half, INFINITY));
	}
	for (int i = 0; i < 14; i++)
		for (double v = powers[i], k = 0; k < 40; k++, v = nextafter(v, 0))
			expect_printfs(v);
}

/* The fast path and the general one must give the same text. Near whole numbers of ticks the fast
 * path must not be used. */
static void repr_of_times_is_that_of_any_number(void **state)
{
	static const double units[] = { 1e3, 1e6, 1e9, 1e4, 1 };
	uint64_t bits = 1;

	(void)state;
	for (int i = 0; i < 400000; i++) {
		double v, near[3];

		bits = bits * 6364136223846793005u + 1442695040888963407u;
		v = (double)(bits >> (11 + i % 50)) / units[i % 5];
		near[0] = i % 3 ? v : -v;
		near[1] = nextafter(v, 0);
		near[2] = nextafter(v, INFINITY);
		for (int k = 0; k < 3; k++) {
			char to[ETC_NUMBER_MAX], any[ETC_NUMBER_MAX];
			struct etc_str want = { any, etc_number_repr_any(any, near[k]) };

			if (!etc_str_eq(repr(to, near[k]), want))
				fail_msg("%.17g: " ETC_STR_FMT, near[k], ETC_STR_ARG(want));
		}
	}
}

static int filter(void)
{
	uint64_t bits;

	while (scanf("%" SCNx64, &bits) == 1) {
		char a[ETC_NUMBER_MAX], b[ETC_NUMBER_MAX], c[ETC_NUMBER_MAX];
		double v;

		memcpy(&v, &bits, sizeof v);
		printf(ETC_STR_FMT "\t" ETC_STR_FMT "\t" ETC_STR_FMT "\n", ETC_STR_ARG(repr(a, v)),
		       ETC_STR_ARG(g(b, v)), ETC_STR_ARG(fixed(c, v, 3)));
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(repr_is_pythons),
		cmocka_unit_test(g_is_printfs),
		cmocka_unit_test(fixed_has_its_decimals),
		cmocka_unit_test(parses_whole_texts_only),
		cmocka_unit_test(repr_round_trips),
		cmocka_unit_test(g_of_any_number_is_printfs),
		cmocka_unit_test(repr_of_times_is_that_of_any_number),
	};

	if (argc == 2 && strcmp(argv[1], "-") == 0)
		return filter();
	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
