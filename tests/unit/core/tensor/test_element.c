/* test_element.c -- reading elements of tensors of every type, with strides, in both byte
 * orders. */
#include "unit.h"

#include <math.h>

#include "tensor/element.h"

static struct etc_elements of(uint8_t kind, uint8_t bits, const void *bytes, size_t len,
                              const int64_t *sizes, const int64_t *strides, uint32_t rank)
{
	struct etc_elements e = { .bytes = { bytes, len }, .sizes = sizes, .strides = strides };

	e.rank = rank;
	e.kind = kind;
	e.bits = bits;
	e.parts = 1;
	e.count = 1;
	for (uint32_t i = 0; i < rank; i++)
		e.count *= (uint64_t)sizes[i];
	e.contiguous = !strides;
	return e;
}

static void channels_last_reads_in_logical_order(void **state)
{
	/* sizes N C H W = 2, 3, 2, 2; in memory the order is N H W C */
	static const int64_t sizes[] = { 2, 3, 2, 2 }, strides[] = { 12, 1, 6, 3 };
	int32_t stored[24] = { 0 };
	struct etc_elements e = of(ETC_SCALAR_SIGNED, 32, stored, sizeof stored, sizes, strides, 4);
	struct etc_element_walk w;
	double got[ETC_ELEMENT_BLOCK];

	(void)state;
	for (int n = 0, i = 0; n < 2; n++)
		for (int h = 0; h < 2; h++)
			for (int x = 0; x < 2; x++)
				for (int c = 0; c < 3; c++)
					stored[i++] = n * 1000 + c * 100 + h * 10 + x;
	etc_element_walk_begin(&w, &e);
	assert_int_equal(etc_element_walk_real(&w, got, 5), 5);
	assert_int_equal(etc_element_walk_real(&w, got + 5, ETC_ELEMENT_BLOCK), 19);
	for (int i = 0; i < 24; i++)
		assert_true(got[i] == i / 12 * 1000 + i / 4 % 3 * 100 + i / 2 % 2 * 10 + i % 2);
	assert_int_equal(etc_element_walk_real(&w, got, 1), 0);
	for (uint64_t i = 0; i < 24; i++) {
		double want = (double)(i / 12 * 1000 + i / 4 % 3 * 100 + i / 2 % 2 * 10 + i % 2);

		assert_true(etc_element_real(&e, i, 0) == want);
		assert_int_equal(etc_element_integer(&e, i), (int64_t)want);
	}
}

static void a_stride_of_0_repeats_and_a_transposed_matrix_turns(void **state)
{
	static const int64_t sizes[] = { 3, 2 }, repeated[] = { 0, 1 }, turned[] = { 1, 3 };
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6 };
	struct etc_elements e = of(ETC_SCALAR_UNSIGNED, 8, bytes, 2, sizes, repeated, 2);
	struct etc_element_walk w;
	uint8_t room[8];
	const uint8_t *got;

	(void)state;
	etc_element_walk_begin(&w, &e);
	assert_int_equal(etc_element_walk_bytes(&w, room, 8, &got), 6);
	assert_memory_equal(got, "\1\2\1\2\1\2", 6);
	e = of(ETC_SCALAR_UNSIGNED, 8, bytes, 6, sizes, turned, 2);
	etc_element_walk_begin(&w, &e);
	assert_int_equal(etc_element_walk_bytes(&w, room, 8, &got), 6);
	assert_memory_equal(got, "\1\4\2\5\3\6", 6);
}

static void every_half_is_the_float_that_ldexp_says(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 65536; i++) {
		uint16_t half = (uint16_t)i;
		double fraction = half & 1023, got, want;
		int power = half >> 10 & 31;

		etc_elements_decode(ETC_SCALAR_HALF, 16, (const uint8_t *)&half, 1, &got);
		if (power == 31)
			want = fraction > 0 ? (double)NAN : (double)INFINITY;
		else
			want = ldexp(power ? 1024 + fraction : fraction, (power ? power : 1) - 25);
		if (isnan(want) ? !isnan(got) : got != (half >> 15 ? -want : want))
			fail_msg("%04x is %g, not %g", i, got, want);
		assert_int_equal(!!signbit(got), half >> 15);
	}
}

static void bytes_of_the_other_order_are_swapped_and_signs_applied(void **state)
{
	/* the big-endian floats 1 and 2 */
	static const uint8_t big[] = { 0x3f, 0x80, 0, 0, 0x40, 0, 0, 0 };
	static const int64_t sizes[] = { 1 };
	struct etc_elements e = of(ETC_SCALAR_FLOAT, 32, big, sizeof big, sizes, NULL, 1);
	struct etc_element_walk w;
	double got[ETC_ELEMENT_BLOCK];

	(void)state;
	e.parts = 2;
	e.swap = true;
	e.conj = true;
	etc_element_walk_begin(&w, &e);
	assert_int_equal(etc_element_walk_real(&w, got, 9), 1);
	assert_true(got[0] == 1 && got[1] == -2);
	e.neg = true;
	assert_true(etc_element_real(&e, 0, 0) == -1 && etc_element_real(&e, 0, 1) == 2);
}

static void packed_nibbles_come_lowest_first(void **state)
{
	static const uint8_t bytes[] = { 0x21, 0x03 };
	static const int64_t sizes[] = { 3 };
	struct etc_elements e = of(ETC_SCALAR_UNSIGNED, 4, bytes, 2, sizes, NULL, 1);
	struct etc_element_walk w;
	double got[ETC_ELEMENT_BLOCK];

	(void)state;
	etc_element_walk_begin(&w, &e);
	assert_int_equal(etc_element_walk_real(&w, got, ETC_ELEMENT_BLOCK), 3);
	assert_true(got[0] == 1 && got[1] == 2 && got[2] == 3);
}

static void zeros_have_no_bytes(void **state)
{
	static const int64_t sizes[] = { 5000 };
	struct etc_elements e = of(ETC_SCALAR_FLOAT, 32, NULL, 0, sizes, NULL, 1);
	struct etc_element_walk w;
	double got[ETC_ELEMENT_BLOCK];
	size_t n, all = 0;

	(void)state;
	e.zeros = true;
	etc_element_walk_begin(&w, &e);
	while ((n = etc_element_walk_real(&w, got, ETC_ELEMENT_BLOCK)) > 0) {
		assert_true(got[0] == 0 && got[n - 1] == 0);
		all += n;
	}
	assert_int_equal(all, 5000);
	assert_true(etc_element_real(&e, 4999, 0) == 0);
}

static void a_bundled_tensor_goes_by_its_dim_order(void **state)
{
	static const int32_t dims[] = { 2, 3 };
	static const uint8_t order[] = { 1, 0 }, data[] = { 1, 2, 3, 4, 5, 6 }, twice[] = { 1, 1 };
	struct etc_bundled_value v = { .kind = ETC_BUNDLED_TENSOR, .data = { data, 6 } };
	int64_t sizes[ETC_LIMIT_TENSOR_RANK], strides[ETC_LIMIT_TENSOR_RANK];
	struct etc_elements e;

	(void)state;
	v.sizes = (struct etc_numbers){ (const uint8_t *)dims, 2 };
	v.dim_order = (struct etc_span){ order, 2 };
	assert_true(etc_elements_of_bundled(&v, sizes, strides, &e));
	assert_true(etc_element_integer(&e, 0) == 1 && etc_element_integer(&e, 1) == 3 &&
	            etc_element_integer(&e, 3) == 2);
	v.dim_order.ptr = twice;
	assert_false(etc_elements_of_bundled(&v, sizes, strides, &e));
	v.dim_order.ptr = order;
	v.data.len = 5;
	assert_false(etc_elements_of_bundled(&v, sizes, strides, &e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(channels_last_reads_in_logical_order),
		cmocka_unit_test(a_stride_of_0_repeats_and_a_transposed_matrix_turns),
		cmocka_unit_test(every_half_is_the_float_that_ldexp_says),
		cmocka_unit_test(bytes_of_the_other_order_are_swapped_and_signs_applied),
		cmocka_unit_test(packed_nibbles_come_lowest_first),
		cmocka_unit_test(zeros_have_no_bytes),
		cmocka_unit_test(a_bundled_tensor_goes_by_its_dim_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
