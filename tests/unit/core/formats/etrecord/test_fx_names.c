/* test_fx_names.c -- names of graph nodes; expected names are from torch.fx (2.13) */
#include "unit.h"

#include "formats/etrecord/fx_names.h"

static void names_are_given_in_the_order_asked_for(void **state)
{
	static const char *const names[][2] = {
		{ "add", "add" },
		{ "add", "add_1" },
		{ "add_1", "add_2" },
		{ "add_1", "add_3" },
		{ "add_7", "add_7" },
		{ "add", "add_8" },
		{ "x_01", "x_01" },
		{ "x_01", "x_2" },
		{ "x", "x" },
		{ "1a", "_1a" },
		{ "", "_unnamed" },
		{ "a.b-c", "a_b_c" },
		{ "aten.native_layer_norm.default", "aten_native_layer_norm_default" },
		{ "in", "in_1" },
		{ "in", "in_2" },
		{ "input", "input_1" },
		{ "input_1", "input_2" },
		{ "_1", "_1" },
		{ "_1", "_1_1" },
		{ "__1", "__1" },
		{ "a_1_2", "a_1_2" },
		{ "a_1_2", "a_1_3" },
		{ "a_1", "a_1" },
		{ "None", "None" },
		{ "inf", "inf_1" },
		{ "torch", "torch_1" },
		{ "\xc3\xa9", "_" },
		{ "getitem", "getitem" },
		{ "getitem", "getitem_1" },
		{ "getitem_1", "getitem_2" },
		{ "getitem_3", "getitem_3" },
		{ "getitem", "getitem_4" },
		{ "True", "True_1" },
		{ "lambda", "lambda_1" },
		{ "_", "__2" },
		{ "_", "__3" },
		{ "x_", "x_" },
		{ "x_", "x__1" },
		{ "device_2", "device_2" },
		{ "device", "device_3" },
		{ "device", "device_4" },
		{ "len", "len_1" },
		{ "len_1", "len_2" },
	};
	struct etc_arena arena;
	struct etc_fx_names n;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	etc_fx_names_init(&n, &arena);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_str(etc_fx_name(&n, etc_str_of(names[i][0])), names[i][1]);
	etc_arena_release(&arena);
}

static void a_hundred_thousand_equal_names_take_no_quadratic_time(void **state)
{
	struct etc_arena arena;
	struct etc_fx_names n;
	struct etc_str s = { 0 };

	(void)state;
	etc_arena_init(&arena, 64 << 20);
	etc_fx_names_init(&n, &arena);
	for (int i = 0; i < 100000; i++)
		s = etc_fx_name(&n, ETC_STR("aten_split_copy"));
	assert_str(s, "aten_split_copy_99999");
	etc_arena_release(&arena);
}

static void names_stay_taken_however_many_come(void **state)
{
	struct etc_arena arena;
	struct etc_fx_names n;

	(void)state;
	etc_arena_init(&arena, 64 << 20);
	etc_fx_names_init(&n, &arena);
	for (int i = 0; i < 5000; i++) {
		struct etc_str s = etc_arena_printf(&arena, "node%d", i);

		assert_true(i != 700 || etc_fx_names_reserve(&n, 3000));
		assert_true(etc_str_eq(etc_fx_name(&n, s), s));
	}
	for (int i = 0; i < 5000; i++) {
		struct etc_str s = etc_arena_printf(&arena, "node%d", i);
		struct etc_str next = etc_arena_printf(&arena, "node%d_1", i);

		assert_true(etc_str_eq(etc_fx_name(&n, s), next));
	}
	assert_false(etc_fx_names_reserve(&n, SIZE_MAX));
	etc_arena_release(&arena);
}

static void capitals_become_snakes(void **state)
{
	static const char *const names[][2] = {
		{ "aten.addMM.default", "aten.add_mm.default" },
		{ "TrueFalse", "true_false" },
		{ "a.B", "a.b" },
		{ "ABC", "abc" },
		{ "aBC", "a_bc" },
		{ "", "" },
	};
	struct etc_arena arena;

	(void)state;
	etc_arena_init(&arena, 1 << 20);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_str(etc_fx_snake_case(&arena, etc_str_of(names[i][0])), names[i][1]);
	etc_arena_release(&arena);
}

static void lack_of_memory_gives_no_name(void **state)
{
	struct etc_arena arena;
	struct etc_fx_names n;

	(void)state;
	etc_arena_init(&arena, 0);
	etc_fx_names_init(&n, &arena);
	assert_int_equal(etc_fx_name(&n, ETC_STR("add")).len, 0);
	etc_arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_given_in_the_order_asked_for),
		cmocka_unit_test(a_hundred_thousand_equal_names_take_no_quadratic_time),
		cmocka_unit_test(names_stay_taken_however_many_come),
		cmocka_unit_test(capitals_become_snakes),
		cmocka_unit_test(lack_of_memory_gives_no_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
