/* test_operation.c -- the work of operators, computed from shapes. */
#include "unit.h"

#include "work/operation.h"

static struct etc_operand tensor(uint32_t rank, const uint64_t *size)
{
	struct etc_operand o = { .rank = rank, .bits = 32, .type = ETC_WORK_FP32 };

	memcpy(o.size, size, rank * sizeof *size);
	return o;
}

#define T(...)                                                         \
	tensor(sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), \
	       (const uint64_t[]){ __VA_ARGS__ })

static struct etc_work work(const char *stem, uint32_t count, const struct etc_operand *in,
                            struct etc_operand out)
{
	const struct etc_operation op = {
		.stem = etc_str_of(stem), .in = in, .in_count = count, .out = &out, .out_count = 1
	};

	return etc_work_of(&op);
}

static void products_have_two_operations_for_each_multiply_add(void **state)
{
	const struct etc_operand mm[] = { T(3, 5), T(5, 7) }, bmm[] = { T(2, 3, 5), T(2, 5, 7) },
				 linear[] = { T(2, 4, 5), T(7, 5), T(7) },
				 attention[] = { T(2, 4, 3, 8), T(2, 2, 5, 8), T(2, 2, 5, 8) };

	(void)state;
	assert_int_equal(work("mm", 2, mm, T(3, 7)).flops, 2 * 3 * 5 * 7);
	assert_int_equal(work("bmm", 2, bmm, T(2, 3, 7)).flops, 2 * 2 * 3 * 5 * 7);
	assert_int_equal(work("linear", 3, linear, T(2, 4, 7)).flops, 2 * 2 * 4 * 5 * 7);
	assert_int_equal(work("scaled_dot_product_attention", 3, attention, T(2, 4, 3, 8)).flops,
	                 2 * 2 * 4 * 3 * 5 * (8 + 8));
	assert_int_equal(work("mm", 2, mm, T(3, 7)).read, 4 * (15 + 35));
	assert_int_equal(work("mm", 2, mm, T(3, 7)).written, 4 * 21);
}

static void a_convolution_has_the_products_of_its_group(void **state)
{
	const struct etc_operand in[] = { T(1, 8, 9, 9), T(12, 2, 3, 3) },
				 back[] = { T(1, 4, 5, 5), T(4, 6, 3, 3) };
	struct etc_operand out = T(1, 12, 7, 7), wide = T(1, 6, 7, 7);
	struct etc_operation op = {
		.stem = ETC_STR("convolution"), .in = in, .in_count = 2, .out = &out, .out_count = 1
	};

	(void)state;
	assert_int_equal(etc_work_of(&op).flops, 2 * 12 * 49 * 2 * 9);
	op.in = back;
	op.out = &wide;
	op.transposed = true;
	assert_int_equal(etc_work_of(&op).flops, 2 * 4 * 25 * 6 * 9);
}

static void a_tensor_is_read_once(void **state)
{
	struct etc_operand in[] = { T(10), T(10) };

	(void)state;
	in[1].again = true;
	assert_int_equal(work("mul", 2, in, T(10)).read, 40);
	in[0].bits = 4; /* int4: half a byte, rounded up */
	in[0].size[0] = 9;
	assert_int_equal(work("mul", 1, in, T(10)).read, 5);
}

static void what_is_taken_of_a_tensor_is_read(void **state)
{
	const struct etc_operand in[] = { T(1000, 8), T(3) };

	(void)state;
	assert_int_equal(work("embedding", 2, in, T(3, 8)).read, 4 * (3 * 8 + 3));
	assert_int_equal(work("et_view", 1, in, T(8000)).read, 0);
}

/* A scatter puts as many elements into its first argument as its index, the second one, has. */
static void a_scatter_puts_as_many_elements_as_its_index_has(void **state)
{
	struct etc_operand in[] = { T(100, 8), T(3, 8), T(5, 8) };
	struct etc_work w;

	(void)state;
	in[1].bits = 64;
	w = work("scatter_add", 3, in, T(100, 8));
	assert_int_equal(w.flops, 3 * 8);
	assert_int_equal(w.read, 4 * 800 + 8 * 24 + 4 * 24);
	assert_int_equal(w.written, 4 * 800);
	assert_int_equal(work("scatter_reduce", 3, in, T(100, 8)).flops, 3 * 8);
	assert_int_equal(work("scatter", 3, in, T(100, 8)).flops, 0);
	assert_int_equal(work("scatter", 2, in, T(100, 8)).read, 4 * 800 + 8 * 24);
	assert_int_equal(work("scatter_add", 1, in, T(100, 8)).why, ETC_WORK_CONTRADICTS);
	in[2] = T(2, 8); /* fewer elements than the index */
	assert_int_equal(work("scatter_add", 3, in, T(100, 8)).why, ETC_WORK_CONTRADICTS);
	assert_int_equal(work("slice_scatter", 2, (struct etc_operand[]){ T(9), T(3) }, T(9)).read,
	                 4 * 12);
}

static void an_empty_result_takes_nothing(void **state)
{
	const uint64_t one = 1;
	const struct etc_operand scalar[] = { T(0, 6), tensor(0, &one) }, row[] = { T(0, 6), T(6) },
				 some[] = { T(2, 6), T(2, 6, 3) };
	const struct etc_work by_scalar = work("mul", 2, scalar, T(0, 6)),
			      by_row = work("add", 2, row, T(0, 6));

	(void)state;
	assert_int_equal(by_scalar.why, ETC_WORK_KNOWN);
	assert_int_equal(by_scalar.flops + by_scalar.read + by_scalar.written, 0);
	assert_int_equal(by_row.why, ETC_WORK_KNOWN);
	assert_int_equal(by_row.flops + by_row.read + by_row.written, 0);
	assert_int_equal(work("mul", 2, some, T(2, 6)).why, ETC_WORK_CONTRADICTS);
}

/* Attention of three queries with four heads, from position 5 on. The caches have room for 32 keys
 * of two heads. */
static void attention_uses_the_keys_up_to_its_last_query(void **state)
{
	const struct etc_operand in[] = { T(1, 3, 4, 8), T(1, 32, 2, 8), T(1, 32, 2, 8), T(3, 20) },
				 put[] = { T(1, 3, 4, 8), T(1, 3, 2, 8), T(1, 3, 2, 8),
		                           T(1, 32, 2, 8), T(1, 32, 2, 8) };
	const struct etc_operand out = T(1, 3, 4, 8);
	struct etc_operation op = { .stem = ETC_STR("custom_sdpa"),
		                    .in = in,
		                    .in_count = 3,
		                    .out = &out,
		                    .out_count = 1,
		                    .start = 5 };
	struct etc_work w = etc_work_of(&op);

	(void)state;
	assert_int_equal(w.why, ETC_WORK_KNOWN);
	assert_int_equal(w.flops, 2 * 4 * 3 * 8 * (8 + 8));
	assert_int_equal(w.read, 4 * (96 + 2 * 8 * 2 * 8));
	assert_int_equal(w.written, 4 * 96);
	op.start = -1;
	assert_int_equal(etc_work_of(&op).why, ETC_WORK_DYNAMIC);
	op.start = 30; /* the last query would need more keys than the cache has */
	assert_int_equal(etc_work_of(&op).why, ETC_WORK_CONTRADICTS);
	op.start = -1;
	op.in_count = 4; /* with the mask, which is for 20 keys */
	w = etc_work_of(&op);
	assert_int_equal(w.flops, 2 * 4 * 3 * 20 * (8 + 8));
	assert_int_equal(w.read, 4 * (96 + 2 * 20 * 2 * 8 + 60));
	op = (struct etc_operation){ .stem = ETC_STR("sdpa_with_kv_cache"),
		                     .in = put,
		                     .in_count = 5,
		                     .out = &out,
		                     .out_count = 1,
		                     .start = 4 };
	w = etc_work_of(&op);
	assert_int_equal(w.flops, 2 * 4 * 3 * 7 * (8 + 8));
	assert_int_equal(w.read, 4 * (96 + 2 * 48 + 2 * 7 * 2 * 8));
	assert_int_equal(w.written, 4 * (96 + 2 * 48));
}

static void a_normalisation_that_measures_has_seven_operations_for_each_element(void **state)
{
	const struct etc_operand in[] = { T(1, 8, 4, 4), T(8), T(8) };

	(void)state;
	assert_int_equal(work("native_group_norm", 3, in, T(1, 8, 4, 4)).flops, 7 * 128);
	assert_int_equal(work("native_batch_norm_legit", 3, in, T(1, 8, 4, 4)).flops, 7 * 128);
	assert_int_equal(work("native_batch_norm_legit_no_training", 3, in, T(1, 8, 4, 4)).flops,
	                 2 * 128);
}

static void unknown_is_no_number(void **state)
{
	const struct etc_operand wrong[] = { T(3, 5), T(4, 7) },
				 large[] = { T(1u << 31, 1u << 31), T(1u << 31, 1u << 31) };
	struct etc_operand in[] = { T(3, 5), T(5, 7) };

	(void)state;
	assert_int_equal(work("mm", 2, wrong, T(3, 7)).why, ETC_WORK_CONTRADICTS);
	assert_int_equal(work("mm", 1, in, T(3, 7)).why, ETC_WORK_CONTRADICTS);
	assert_int_equal(work("linear", 1, in, T(3, 7)).why, ETC_WORK_CONTRADICTS);
	assert_int_equal(work("mm", 2, large, T(1u << 31, 1u << 31)).why, ETC_WORK_BEYOND);
	assert_int_equal(work("mm", 2, large, T(1u << 31, 1u << 31)).flops, 0);
	assert_int_equal(work("unheard_of", 2, in, T(3, 7)).why, ETC_WORK_NO_FORMULA);
	assert_int_equal(work("max_pool2d", 1, in, T(3, 5)).why, ETC_WORK_NO_SHAPES);
	assert_int_equal(work("custom_sdpa", 2, in, T(3, 7)).why, ETC_WORK_CONTRADICTS);
	assert_int_equal(work("relu", 0, in, T(3, 7)).why, ETC_WORK_KNOWN);
	in[0].dynamic = true;
	assert_int_equal(work("mm", 2, in, T(3, 7)).why, ETC_WORK_DYNAMIC);
	in[0] = T(3, 5);
	in[0].bits = 0;
	assert_int_equal(work("mm", 2, in, T(3, 7)).why, ETC_WORK_NO_TYPE);
}

static void sums_stay_unknown(void **state)
{
	struct etc_work sum = { .why = ETC_WORK_NONE };
	const struct etc_work one = { .flops = 3, .read = 4, .written = 5, .why = ETC_WORK_KNOWN },
			      unknown = { .why = ETC_WORK_NO_NODE };

	(void)state;
	etc_work_add(&sum, &one);
	etc_work_add(&sum, &one);
	assert_int_equal(sum.flops, 6);
	etc_work_add(&sum, &unknown);
	etc_work_add(&sum, &one);
	assert_int_equal(sum.why, ETC_WORK_NO_NODE);
	assert_int_equal(sum.flops, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_have_two_operations_for_each_multiply_add),
		cmocka_unit_test(a_convolution_has_the_products_of_its_group),
		cmocka_unit_test(a_tensor_is_read_once),
		cmocka_unit_test(what_is_taken_of_a_tensor_is_read),
		cmocka_unit_test(a_scatter_puts_as_many_elements_as_its_index_has),
		cmocka_unit_test(an_empty_result_takes_nothing),
		cmocka_unit_test(attention_uses_the_keys_up_to_its_last_query),
		cmocka_unit_test(
			a_normalisation_that_measures_has_seven_operations_for_each_element),
		cmocka_unit_test(unknown_is_no_number),
		cmocka_unit_test(sums_stay_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
