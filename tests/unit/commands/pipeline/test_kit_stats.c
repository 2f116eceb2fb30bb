/* test_kit_stats.c -- the arithmetic of the kit (Arm's SME2 profiling kit). kit_robust.py compares
 * it with numpy, pandas and scipy; here are special cases.
 *
 * kit_robust.py runs this program with the argument "-". The program then reads numbers from each
 * line of standard input, and prints their statistics, each with its name. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "commands/pipeline/kit_csv.h"

static double read(const char *text)
{
	return etc_kit_read(etc_str_of(text));
}

static void numbers_are_read_as_pandas_reads_them(void **state)
{
	(void)state;
	assert_true(read("0.25") == 0.25);
	assert_true(read("-12.5e3") == -12500);
	assert_true(read("1e-05") == 1e-05);
	/* pandas drops what follows 17 digits; the 0 before the point is one of them */
	assert_true(read("0.028000000000247383") == 0.0280000000002473);
	assert_true(read("0.028000000000247383") != 0.028000000000247383);
	assert_true(read("123456789012345678901234567890") == 1.2345678901234567e29);
	assert_true(read("1e999") == HUGE_VAL);
	assert_true(read("1e-999") == 0);
	assert_true(isnan(read("")) && isnan(read("nan")) && isnan(read("-")));
}

static void groups_lose_nothing(void **state)
{
	struct etc_kit_group g = { 0 };

	(void)state;
	etc_kit_group_add(&g, 1e16);
	for (int i = 0; i < 10; i++)
		etc_kit_group_add(&g, 1);
	etc_kit_group_add(&g, NAN);
	assert_true(g.sum == 1e16 + 10);
	assert_int_equal(g.count, 11);
}

static void one_latency_has_no_deviation(void **state)
{
	struct etc_kit_robust r;
	struct etc_arena arena;
	double v = 5;

	(void)state;
	etc_arena_init(&arena, 1 << 16);
	assert_int_equal(etc_kit_robust_of(&v, 1, &arena, &r, NULL), ETC_OK);
	assert_true(isnan(r.sd) && isnan(r.cv) && r.median == 5 && r.clean_count == 1);
	etc_arena_release(&arena);
}

static void a_speedup_to_nothing_is_none(void **state)
{
	struct etc_kit_robust a = { .clean_median = 1, .trimmed_5 = 1 }, b = { 0 };
	struct etc_kit_speedup s = etc_kit_speedup_of(&a, &b);

	(void)state;
	assert_true(s.median == 0 && s.trimmed == 0 && s.cv_ratio == 0);
}

static void types_end_before_their_number(void **state)
{
	(void)state;
	assert_str(etc_kit_type(ETC_STR(" \"Add (ND) #12\"")), "Add (ND)");
	assert_str(etc_kit_type(ETC_STR("a #1 #2")), "a #1");
	assert_str(etc_kit_type(ETC_STR("a#1")), "a#1");
	assert_str(etc_kit_type((struct etc_str){ 0 }), "");
}

static void memory_that_is_used_up_is_an_error(void **state)
{
	double v[64] = { 0 };
	struct etc_kit_robust r;
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 0);
	assert_int_equal(etc_kit_robust_of(v, 64, &arena, &r, NULL), ETC_NOMEM);
	etc_arena_release(&arena);
}

static void put(const char *name, double v)
{
	char to[ETC_NUMBER_MAX];

	printf("%s " ETC_STR_FMT " ", name,
	       ETC_STR_ARG(((struct etc_str){ to, etc_number_repr(to, v) })));
}

static int filter(void)
{
	static char line[1 << 16];
	static double v[4096];

	while (fgets(line, sizeof line, stdin)) {
		struct etc_kit_robust r;
		struct etc_arena arena;
		size_t n = 0;

		for (char *at = line, *end; n < 4096; at = end) {
			v[n] = strtod(at, &end);
			if (end == at)
				break;
			n++;
		}
		etc_arena_init(&arena, 1 << 20);
		if (!n || etc_kit_robust_of(v, n, &arena, &r, NULL) != ETC_OK)
			return 1;
		put("mean_ms", r.mean);
		put("median_ms", r.median);
		put("std_dev_ms", r.sd);
		put("cv_percent", r.cv);
		put("min_ms", r.min);
		put("max_ms", r.max);
		put("p50", r.p50);
		put("p75", r.p75);
		put("p90", r.p90);
		put("p95", r.p95);
		put("p99", r.p99);
		put("lower", r.lower);
		put("upper", r.upper);
		put("trimmed_mean_5_ms", r.trimmed_5);
		put("trimmed_mean_10_ms", r.trimmed_10);
		put("clean_count", (double)r.clean_count);
		put("clean_mean_ms", r.clean_mean);
		put("clean_median_ms", r.clean_median);
		put("clean_std_dev_ms", r.clean_sd);
		put("clean_cv_percent", r.clean_cv);
		printf("\n");
		etc_arena_release(&arena);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_as_pandas_reads_them),
		cmocka_unit_test(groups_lose_nothing),
		cmocka_unit_test(one_latency_has_no_deviation),
		cmocka_unit_test(a_speedup_to_nothing_is_none),
		cmocka_unit_test(types_end_before_their_number),
		cmocka_unit_test(memory_that_is_used_up_is_an_error),
	};

	if (argc == 2 && strcmp(argv[1], "-") == 0)
		return filter();
	return cmocka_run_group_tests_name("kit_stats", tests, NULL, NULL);
}
