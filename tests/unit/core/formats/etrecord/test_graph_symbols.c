/* test_graph_symbols.c -- evaluating sizes that are expressions, with symbols known from other
 * tensors. */
#include "unit.h"

#include "formats/etrecord/graph_symbols.h"

static void assert_size(const struct etc_symbols *s, const char *expression, uint64_t size)
{
	uint64_t got = 0;

	assert_true(etc_symbols_size(s, etc_str_of(expression), &got));
	assert_int_equal(got, size);
}

static void assert_unknown(const struct etc_symbols *s, const char *expression)
{
	uint64_t got;

	assert_false(etc_symbols_size(s, etc_str_of(expression), &got));
}

static void expressions_are_evaluated(void **state)
{
	struct etc_arena arena;
	struct etc_symbols s;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	etc_symbols_init(&s, &arena);
	assert_true(etc_symbols_bind(&s, ETC_STR("s77"), 5));
	assert_true(etc_symbols_bind(&s, ETC_STR("Max(1, u0)"), 9));
	assert_size(&s, "s77", 5);
	assert_size(&s, "2*s77 + 1", 11);
	assert_size(&s, "s77 - 4", 1);
	assert_size(&s, "-s77 + 12", 7);
	assert_size(&s, "(s77//2)", 2);
	assert_size(&s, "3*(s77 + 1)//4", 4);
	assert_size(&s, "s77*s77", 25);
	assert_size(&s, "Max(1, u0)", 9);
	assert_unknown(&s, "u0");
	assert_unknown(&s, "Max(1, s77)");
	assert_unknown(&s, "s77**2");
	assert_unknown(&s, "s77 - 6");
	assert_unknown(&s, "s77//0");
	assert_unknown(&s, "s77 +");
	assert_unknown(&s, "(s77");
	assert_unknown(&s, "s77 s77");
	assert_unknown(&s, "");
	assert_unknown(&s, "9223372036854775807*s77");
	assert_unknown(&s, "99999999999999999999");
	etc_arena_release(&arena);
}

static void a_symbol_of_two_sizes_is_unknown(void **state)
{
	struct etc_arena arena;
	struct etc_symbols s;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	etc_symbols_init(&s, &arena);
	assert_true(etc_symbols_bind(&s, ETC_STR("s0"), 5));
	assert_true(etc_symbols_bind(&s, ETC_STR("s1"), 3));
	assert_true(etc_symbols_bind(&s, ETC_STR("s0"), 6));
	assert_true(etc_symbols_bind(&s, ETC_STR("s0"), 6));
	assert_unknown(&s, "s0");
	assert_unknown(&s, "s0 + 1");
	assert_size(&s, "s1", 3);
	etc_arena_release(&arena);
}

static void deep_expressions_end(void **state)
{
	struct etc_arena arena;
	struct etc_symbols s;
	char deep[200000];

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	etc_symbols_init(&s, &arena);
	memset(deep, '(', sizeof deep);
	deep[sizeof deep - 1] = '\0';
	assert_unknown(&s, deep);
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions_are_evaluated),
		cmocka_unit_test(a_symbol_of_two_sizes_is_unknown),
		cmocka_unit_test(deep_expressions_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
