/* test_numpy.c -- mean and percentiles, bit by bit as numpy 2.4.6 computes them. */
#include "unit.h"

#include "inspector/numpy.h"

/* The results of numpy for the first n values of samples(). */
static const struct {
	size_t n;
	double mean, p10, p50, p90;
} numpy[] = {
	{ 1, 0x1.cb9b126e978d5p+10, 0x1.cb9b126e978d5p+10, 0x1.cb9b126e978d5p+10,
	  0x1.cb9b126e978d5p+10 },
	{ 2, 0x1.892d95810624ep+11, 0x1.067a58793dd98p+11, 0x1.892d95810624ep+11,
	  0x1.05f0694467382p+12 },
	{ 7, 0x1.1ad691b358a63p+13, 0x1.a9da64c2f837cp+11, 0x1.25d94dd2f1aa0p+13,
	  0x1.c0a10aa64c2f8p+13 },
	{ 8, 0x1.1123ecccccccdp+13, 0x1.ca873404ea4aap+11, 0x1.f31ab851eb852p+12,
	  0x1.be0379a6b50b1p+13 },
	{ 9, 0x1.22476f8091a2cp+13, 0x1.eb340346dc5d7p+11, 0x1.25d94dd2f1aa0p+13,
	  0x1.bb65e8a71de6ap+13 },
	{ 127, 0x1.07c158f370179p+13, 0x1.a0766cf41f213p+10, 0x1.0d402f1a9fbe7p+13,
	  0x1.d90dfb7e90ffap+13 },
	{ 128, 0x1.0647f220c49bap+13, 0x1.a140ea4a8c155p+10, 0x1.0cd4ea7ef9db2p+13,
	  0x1.d8decf0d844d0p+13 },
	{ 129, 0x1.078678e12f4b7p+13, 0x1.a20b67a0f9097p+10, 0x1.0d402f1a9fbe7p+13,
	  0x1.d8afa29c779a7p+13 },
	{ 300, 0x1.090092bb7cd1ap+13, 0x1.c3e31de69ad42p+10, 0x1.0cd4ea7ef9db2p+13,
	  0x1.deacb6113404fp+13 },
	{ 1000, 0x1.0bd661c15097dp+13, 0x1.d152d42c3c9efp+10, 0x1.09a7ed916872bp+13,
	  0x1.e22b73b645a1dp+13 },
};
enum { CASES = sizeof numpy / sizeof numpy[0], MOST = 1000 };

static void samples(double *v, size_t n)
{
	uint64_t s = 12345;

	for (size_t i = 0; i < n; i++) {
		s = s * 6364136223846793005u + 1442695040888963407u;
		v[i] = (double)(s >> 40) / 1e3;
	}
}

static void same(double a, double b)
{
	if (memcmp(&a, &b, sizeof a) != 0)
		fail_msg("%a, expected %a", a, b);
}

static void means_are_numpys(void **state)
{
	double v[MOST];

	(void)state;
	samples(v, MOST);
	for (int i = 0; i < CASES; i++)
		same(etc_insp_mean(v, numpy[i].n), numpy[i].mean);
}

static void percentiles(const double *v, size_t n, double p10, double p50, double p90)
{
	uint64_t keys[MOST];
	double out[3];

	etc_insp_percentiles(v, n, keys, out);
	same(out[0], p10);
	same(out[1], p50);
	same(out[2], p90);
}

static void percentiles_are_numpys(void **state)
{
	(void)state;
	for (int i = 0; i < CASES; i++) {
		double v[MOST];

		samples(v, numpy[i].n);
		percentiles(v, numpy[i].n, numpy[i].p10, numpy[i].p50, numpy[i].p90);
	}
}

static void documented_example(void **state)
{
	double v[] = { 10, 1, 3, 2 };

	(void)state;
	percentiles(v, 4, 1.3, 2.5, 7.900000000000001);
}

/* A percentile of -0.0 is -0.0, but its mean is 0.0. */
static void minus_zero_as_in_numpy(void **state)
{
	double v[] = { -0.0 };

	(void)state;
	same(etc_insp_mean(v, 1), 0.0);
	percentiles(v, 1, -0.0, -0.0, -0.0);
}

/* If one value is nan, all results are nan. */
static void nan_as_in_numpy(void **state)
{
	uint64_t keys[3];
	double v[] = { 1, __builtin_nan(""), 2 }, out[3];

	(void)state;
	etc_insp_percentiles(v, 3, keys, out);
	for (int i = 0; i < 3; i++)
		assert_true(out[i] != out[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_are_numpys),   cmocka_unit_test(percentiles_are_numpys),
		cmocka_unit_test(documented_example), cmocka_unit_test(minus_zero_as_in_numpy),
		cmocka_unit_test(nan_as_in_numpy),
	};

	return cmocka_run_group_tests_name("numpy", tests, NULL, NULL);
}
