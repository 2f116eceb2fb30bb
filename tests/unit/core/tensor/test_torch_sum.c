/* test_torch_sum.c -- sums must have the same bits as those of torch 2.13 */
#include "unit.h"

#include "tensor/torch_sum.h"

enum { MOST = 140000 };

/* The results of torch.sum for the first `count` numbers of fill(), as float32 and as float64. */
static const struct {
	uint32_t count;
	float f32;
	double f64;
} sums[] = {
	/* clang-format off */
	{ 0, 0x0.0p+0f, 0x0.0p+0 },
	{ 1, -0x1.0e1bf60000000p+7f, -0x1.0e1bf5999999ap+7 },
	{ 3, -0x1.030ac60000000p+8f, -0x1.030ac5999999ap+8 },
	{ 4, -0x1.ba1b300000000p+7f, -0x1.ba1b306666667p+7 },
	{ 5, -0x1.a65aee0000000p+6f, -0x1.a65aef999999ap+6 },
	{ 7, -0x1.afc11c0000000p+7f, -0x1.afc11bccccccep+7 },
	{ 8, -0x1.9486360000000p+7f, -0x1.9486360000001p+7 },
	{ 9, -0x1.5e66960000000p+7f, -0x1.5e6693999999bp+7 },
	{ 15, -0x1.63e8cc0000000p+6f, -0x1.63e8cf999999cp+6 },
	{ 16, -0x1.90a25a0000000p+6f, -0x1.90a2553333332p+6 },
	{ 31, 0x1.072d360000000p+6f, 0x1.072d366666666p+6 },
	{ 32, -0x1.240f200000000p+6f, -0x1.240f1eccccccep+6 },
	{ 33, -0x1.4e1c600000000p+6f, -0x1.4e1c5f999999bp+6 },
	{ 63, 0x1.20d9ac0000000p+9f, 0x1.20d9ac8000001p+9 },
	{ 64, 0x1.dd20e80000000p+8f, 0x1.dd20e4ccccccep+8 },
	{ 100, 0x1.0fa7be0000000p+10f, 0x1.0fa7bcacccccep+10 },
	{ 127, 0x1.2a49a80000000p+10f, 0x1.2a49a6e666667p+10 },
	{ 128, 0x1.488eb40000000p+10f, 0x1.488eb13333334p+10 },
	{ 511, 0x1.0088340000000p+10f, 0x1.008830fffffffp+10 },
	{ 512, 0x1.1e67100000000p+10f, 0x1.1e670cbfffffep+10 },
	{ 513, 0x1.1c99c00000000p+10f, 0x1.1c99be6666664p+10 },
	{ 1000, 0x1.ff115a0000000p+10f, 0x1.ff115ab999999p+10 },
	{ 4096, -0x1.0054ca0000000p+11f, -0x1.0054cd0000002p+11 },
	{ 5000, -0x1.2154ea0000000p+11f, -0x1.2154f01000002p+11 },
	{ 32768, -0x1.3976640000000p+14f, -0x1.397666999999bp+14 },
	{ 65537, -0x1.892bd00000000p+13f, -0x1.892bd17000004p+13 },
	{ 140000, -0x1.f8daec0000000p+13f, -0x1.f8daeb5f3333cp+13 },
	/* clang-format on */
};

static double f64[MOST];
static float f32[MOST];

static int fill(void **state)
{
	uint32_t x = 12345;

	(void)state;
	for (uint32_t i = 0; i < MOST; i++) {
		x = x * 1664525 + 1013904223;
		f64[i] = ((double)(x >> 8) / 65536.0 - 128.0) * 1.1;
		f32[i] = (float)f64[i];
	}
	return 0;
}

static uint32_t piece(uint32_t i, uint32_t step, uint32_t count)
{
	return count - i < step ? count - i : step;
}

static void sums_have_the_bits_of_torch_whatever_the_pieces(void **state)
{
	static const uint32_t steps[] = { 1, 7, 32, 100, 2048, MOST };

	(void)state;
	for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++)
		for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
			uint32_t count = sums[k].count;
			struct etc_torch_sum_f32 a;
			struct etc_torch_sum_f64 b;

			etc_torch_sum_f32_begin(&a, count);
			etc_torch_sum_f64_begin(&b, count);
			for (uint32_t i = 0; i < count; i += steps[s]) {
				etc_torch_sum_f32_add(&a, f32 + i, piece(i, steps[s], count));
				etc_torch_sum_f64_add(&b, f64 + i, piece(i, steps[s], count));
			}
			assert_true(etc_torch_sum_f32_end(&a) == sums[k].f32);
			assert_true(etc_torch_sum_f64_end(&b) == sums[k].f64);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_have_the_bits_of_torch_whatever_the_pieces),
	};

	return cmocka_run_group_tests(tests, fill, NULL);
}
