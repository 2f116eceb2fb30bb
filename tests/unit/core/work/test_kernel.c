/* test_kernel.c -- the work of a kernel's call. The last arguments of a call are its results. */
#include "unit.h"

#include "work/kernel.h"

#define NUMBERS(...)                                                              \
	((struct etc_numbers){ (const uint8_t *)(const int32_t[]){ __VA_ARGS__ }, \
	                       sizeof((int32_t[]){ __VA_ARGS__ }) / sizeof(int32_t) })

enum { INT64 = 4, FLOAT = 6 };

/* A call that gives a list has it twice among its last arguments: as the list to fill, and as the
 * list that is returned. They are two values with the same tensors. */
static void a_list_of_results_is_not_read(void **state)
{
	const struct etc_evalue_tensor whole = { .sizes = NUMBERS(4, 6), .scalar_type = FLOAT },
				       half = { .sizes = NUMBERS(2, 6), .scalar_type = FLOAT };
	const struct etc_evalue values[] = {
		{ .kind = ETC_EVALUE_TENSOR, .tensor = &whole },
		{ .kind = ETC_EVALUE_TENSOR, .tensor = &half },
		{ .kind = ETC_EVALUE_TENSOR, .tensor = &half },
		{ .kind = ETC_EVALUE_TENSOR_LIST, .items = NUMBERS(1, 2) },
		{ .kind = ETC_EVALUE_TENSOR_LIST, .items = NUMBERS(1, 2) },
		{ .kind = ETC_EVALUE_TENSOR_LIST, .items = NUMBERS(0, 1) },
	};
	const struct etc_operator operators[] = { { .name = ETC_STR("aten::split_copy") },
		                                  { .name = ETC_STR("aten::cat") } };
	const struct etc_program_method m = {
		.values = values, .value_count = 6, .operators = operators, .operator_count = 2
	};
	const struct etc_instruction split = { .index = 0, .args = NUMBERS(0, 3, 4) },
				     cat = { .index = 1, .args = NUMBERS(5, 2, 2) };
	struct etc_arena scratch;
	const struct etc_formula *formulas[4] = { NULL };
	struct etc_work w;

	(void)state;
	etc_arena_init(&scratch, 1 << 20);
	assert_true(etc_work_of_kernel(&m, &split, formulas, NULL, &scratch, &w));
	assert_int_equal(w.why, ETC_WORK_KNOWN);
	assert_int_equal(w.read, 4 * 24);
	assert_int_equal(w.written, 4 * 24);
	assert_true(etc_work_of_kernel(&m, &cat, formulas, NULL, &scratch, &w));
	assert_int_equal(w.read, 4 * (24 + 12));
	assert_int_equal(w.written, 4 * 12);
	etc_arena_release(&scratch);
}

/* In a product of dynamic matrices the sizes of the run count, not their upper bounds in the
 * program. */
static void a_dynamic_tensor_has_the_sizes_of_the_run(void **state)
{
	const struct etc_evalue_tensor a = { .sizes = NUMBERS(64, 3),
		                             .scalar_type = FLOAT,
		                             .dynamism = ETC_SHAPE_DYNAMIC_BOUND },
				       b = { .sizes = NUMBERS(3, 2), .scalar_type = FLOAT },
				       c = { .sizes = NUMBERS(64, 2),
		                             .scalar_type = FLOAT,
		                             .dynamism = ETC_SHAPE_DYNAMIC_BOUND };
	const struct etc_evalue values[] = {
		{ .kind = ETC_EVALUE_TENSOR, .tensor = &a },
		{ .kind = ETC_EVALUE_TENSOR, .tensor = &b },
		{ .kind = ETC_EVALUE_TENSOR, .tensor = &c },
	};
	const struct etc_operator mm = { .name = ETC_STR("aten::mm") };
	const struct etc_program_method m = {
		.values = values, .value_count = 3, .operators = &mm, .operator_count = 1
	};
	const struct etc_instruction call = { .args = NUMBERS(0, 1, 2, 2) };
	const uint64_t of_a[] = { 5, 3 }, of_c[] = { 5, 2 };
	const uint64_t *some[] = { NULL, NULL, of_c }, *all[] = { of_a, NULL, of_c };
	struct etc_arena scratch;
	const struct etc_formula *formulas[4] = { NULL };
	struct etc_work w;

	(void)state;
	etc_arena_init(&scratch, 1 << 20);
	assert_true(etc_work_of_kernel(&m, &call, formulas, NULL, &scratch, &w));
	assert_int_equal(w.why, ETC_WORK_DYNAMIC);
	assert_true(etc_work_of_kernel(&m, &call, formulas, some, &scratch, &w));
	assert_int_equal(w.why, ETC_WORK_DYNAMIC);
	assert_true(etc_work_of_kernel(&m, &call, formulas, all, &scratch, &w));
	assert_int_equal(w.why, ETC_WORK_KNOWN);
	assert_int_equal(w.flops, 2 * 5 * 3 * 2);
	assert_int_equal(w.read, 4 * (15 + 6));
	assert_int_equal(w.written, 4 * 10);
	etc_arena_release(&scratch);
}

/* The arguments are those of index_put(x, [i], y, accumulate). */
static void what_is_put_is_counted_if_it_is_added(void **state)
{
	const struct etc_evalue_tensor x = { .sizes = NUMBERS(100, 8), .scalar_type = FLOAT },
				       i = { .sizes = NUMBERS(3), .scalar_type = INT64 },
				       y = { .sizes = NUMBERS(3, 8), .scalar_type = FLOAT };
	struct etc_evalue values[] = {
		{ .kind = ETC_EVALUE_TENSOR, .tensor = &x },
		{ .kind = ETC_EVALUE_TENSOR, .tensor = &i },
		{ .kind = ETC_EVALUE_OPTIONAL_TENSOR_LIST, .items = NUMBERS(1) },
		{ .kind = ETC_EVALUE_TENSOR, .tensor = &y },
		{ .kind = ETC_EVALUE_BOOL },
		{ .kind = ETC_EVALUE_TENSOR, .tensor = &x },
	};
	const struct etc_operator put = { .name = ETC_STR("aten::index_put") };
	const struct etc_program_method m = {
		.values = values, .value_count = 6, .operators = &put, .operator_count = 1
	};
	const struct etc_instruction copy = { .args = NUMBERS(0, 2, 3, 4, 5, 5) },
				     in_place = { .args = NUMBERS(0, 2, 3, 4, 0) };
	struct etc_arena scratch;
	const struct etc_formula *formulas[1] = { NULL };
	struct etc_work w;

	(void)state;
	etc_arena_init(&scratch, 1 << 20);
	assert_true(etc_work_of_kernel(&m, &copy, formulas, NULL, &scratch, &w));
	assert_int_equal(w.flops, 0);
	assert_true(etc_work_of_kernel(&m, &in_place, formulas, NULL, &scratch, &w));
	assert_int_equal(w.read, 8 * 3 + 4 * 24);
	values[4].integer = 1;
	assert_true(etc_work_of_kernel(&m, &copy, formulas, NULL, &scratch, &w));
	assert_int_equal(w.flops, 24);
	assert_true(etc_work_of_kernel(&m, &in_place, formulas, NULL, &scratch, &w));
	assert_int_equal(w.flops, 24);
	assert_int_equal(w.read, 8 * 3 + 2 * 4 * 24);
	assert_int_equal(w.written, 4 * 24);
	etc_arena_release(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_of_results_is_not_read),
		cmocka_unit_test(a_dynamic_tensor_has_the_sizes_of_the_run),
		cmocka_unit_test(what_is_put_is_counted_if_it_is_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
