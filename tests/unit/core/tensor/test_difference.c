/* test_difference.c -- comparing tensors: distances in ULPs, the tolerance of a type, complex
 * elements. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "model/scalar_type.h"
#include "tensor/difference.h"

static const int64_t one = 1;

static struct etc_elements number(const struct etc_scalar_type *t, const uint16_t *code)
{
	return (struct etc_elements){ .bytes = { (const uint8_t *)code, t->bytes },
		                      .sizes = &one,
		                      .rank = 1,
		                      .count = 1,
		                      .kind = t->kind,
		                      .bits = t->bits,
		                      .parts = 1,
		                      .contiguous = true };
}

static uint64_t distance(const struct etc_scalar_type *t, uint16_t a, uint16_t b)
{
	const struct etc_tolerance none = { 0, 0 };
	const struct etc_elements x = number(t, &a), y = number(t, &b);
	struct etc_difference d;

	assert_int_equal(etc_difference_of(&x, &y, none, true, &d), ETC_COMPARED);
	assert_true(d.has_ulp);
	return d.max_ulp;
}

/* Ordered by value, non-negative numbers of a type have the codes 0, 1, 2, ... So their distance in
 * ULPs is the difference of their codes. */
static void codes_of_few_bits_count_the_numbers_between(void **state)
{
	uint32_t types = 0, seed = 1;

	(void)state;
	for (int8_t k = 0; k < 64; k++) {
		const struct etc_scalar_type *t = etc_scalar_type(k);
		uint16_t sign, most;

		if (!t || t->kind <= ETC_SCALAR_FLOAT || t->bits > 16)
			continue;
		types++;
		sign = (uint16_t)(1u << (t->bits - 1));
		for (most = 0; most + 1 < sign; most++) {
			uint16_t next = (uint16_t)(most + 1);
			const struct etc_elements e = number(t, &next);

			if (!isfinite(etc_element_real(&e, 0, 0)))
				break;
			assert_int_equal(distance(t, most, next), 1);
		}
		for (int i = 0; i < 2000; i++) {
			uint16_t a, b;

			seed = seed * 1664525u + 1013904223u;
			a = (uint16_t)((seed >> 8) % most);
			seed = seed * 1664525u + 1013904223u;
			b = (uint16_t)((seed >> 8) % most);
			assert_int_equal(distance(t, a, b), abs(a - b));
			if (a && b)
				assert_int_equal(distance(t, (uint16_t)(a | sign), b), a + b);
		}
	}
	assert_int_equal(types, 6);
}

/* Tolerances of torch.testing.assert_close for the types of torch.finfo. Integers must be equal. */
static void the_wider_tolerance_of_two_types_counts(void **state)
{
	static const struct {
		int8_t code;
		double epsilon, atol, rtol;
	} rows[] = {
		{ 7, 0x1p-52, 1e-7, 1e-7 },   /* DOUBLE */
		{ 0, 0, 0, 0 },               /* BYTE */
		{ 6, 0x1p-23, 1e-5, 1.3e-6 }, /* FLOAT */
		{ 5, 0x1p-10, 1e-5, 1e-3 },   /* HALF */
		{ 15, 0x1p-7, 1e-5, 1.6e-2 }, /* BFLOAT16 */
		{ 24, 0x1p-3, 1e-5, 0x1p-3 }, /* FLOAT8E4M3FN */
		{ 23, 0x1p-2, 1e-5, 0x1p-2 }, /* FLOAT8E5M2 */
	};
	static const uint16_t code;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
			const struct etc_elements a = number(etc_scalar_type(rows[i].code), &code),
						  b = number(etc_scalar_type(rows[k].code), &code);
			const size_t wider = rows[k].rtol > rows[i].rtol ? k : i;
			const struct etc_tolerance t = etc_tolerance_of(&a, &b);

			assert_true(etc_epsilon_of(&a) == rows[i].epsilon);
			assert_true(t.atol == rows[wider].atol && t.rtol == rows[wider].rtol);
		}
}

/* There are more elements than a block of lanes has. NaN in one of them makes the code add in its
 * other way. */
static void a_complex_element_counts_once(void **state)
{
	enum { COUNT = 9 };
	static const int64_t nine = COUNT;
	float a[2 * COUNT] = { 0 }, b[2 * COUNT] = { 0 };
	struct etc_elements x = { .bytes = { (const uint8_t *)a, sizeof a },
		                  .sizes = &nine,
		                  .rank = 1,
		                  .count = COUNT,
		                  .kind = ETC_SCALAR_FLOAT,
		                  .bits = 32,
		                  .parts = 2,
		                  .contiguous = true },
			    y = x;
	struct etc_difference d;

	(void)state;
	y.bytes.ptr = (const uint8_t *)b;
	b[2 * 3 + 1] = 1;
	b[2 * 5] = b[2 * 5 + 1] = 4;
	for (int with_nan = 0; with_nan < 2; with_nan++) {
		const struct etc_tolerance none = { 0, 0 };

		if (with_nan)
			a[2 * 7] = b[2 * 7] = b[2 * 7 + 1] = NAN;
		assert_int_equal(etc_difference_of(&x, &y, none, true, &d), ETC_COMPARED);
		assert_int_equal(d.count, COUNT);
		assert_int_equal(d.bad, 2 + with_nan);
		assert_int_equal(d.first_bad, 3);
		assert_int_equal(d.nan_reference, with_nan);
		assert_int_equal(d.nan_run, with_nan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wider_tolerance_of_two_types_counts),
		cmocka_unit_test(a_complex_element_counts_once),
		cmocka_unit_test(codes_of_few_bits_count_the_numbers_between),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
