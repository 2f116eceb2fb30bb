/* test_select.c -- mean and percentiles to the last bit of numpy 2.4.6. */
#include "unit.h"

#include <math.h>

#include "inspector/select.h"

/* numpy's answers for the first n values of samples(). */
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

static void percentiles_are_numpys(void **state)
{
	(void)state;
	for (int i = 0; i < CASES; i++) {
		double v[MOST];
		size_t sorted_to = 0;

		samples(v, numpy[i].n);
		same(etc_insp_percentile(v, numpy[i].n, 0.1, &sorted_to), numpy[i].p10);
		same(etc_insp_percentile(v, numpy[i].n, 0.5, &sorted_to), numpy[i].p50);
		same(etc_insp_percentile(v, numpy[i].n, 0.9, &sorted_to), numpy[i].p90);
	}
}

static void documented_example(void **state)
{
	double v[] = { 10, 1, 3, 2 };
	size_t sorted_to = 0;

	(void)state;
	same(etc_insp_percentile(v, 4, 0.1, &sorted_to), 1.3);
	same(etc_insp_percentile(v, 4, 0.5, &sorted_to), 2.5);
	same(etc_insp_percentile(v, 4, 0.9, &sorted_to), 7.900000000000001);
}

/* -0.0 stays in a percentile and is lost in a mean. */
static void minus_zero_as_in_numpy(void **state)
{
	double v[] = { -0.0 };
	size_t sorted_to = 0;

	(void)state;
	same(etc_insp_mean(v, 1), 0.0);
	same(etc_insp_percentile(v, 1, 0.5, &sorted_to), -0.0);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Also with long runs of equal values, sorted and reversed input. */
static void selection_is_what_sorting_gives(void **state)
{
	(void)state;
	for (size_t n = 1; n < 200; n += 7)
		for (int shape = 0; shape < 4; shape++)
			for (size_t k = 0; k < n; k += 3) {
				double v[200], sorted[200];

				samples(v, n);
				for (size_t i = 0; i < n; i++)
					v[i] = shape == 0   ? v[i]
					       : shape == 1 ? (double)(i % 3)
					       : shape == 2 ? (double)i
					                    : (double)(n - i);
				memcpy(sorted, v, sizeof v);
				qsort(sorted, n, sizeof *sorted, by_value);
				etc_insp_select(v, 0, n, k);
				same(v[k], sorted[k]);
				for (size_t i = 0; i < n; i++)
					assert_true(i < k ? v[i] <= v[k] : v[i] >= v[k]);
			}
}

/* Orders that a pivot from fixed places falls for; square time would be hours. */
static void no_order_of_the_numbers_is_slow(void **state)
{
	enum { N = 2000000, ORDERS = 6 };
	static double v[N];

	(void)state;
	for (int order = 0; order < ORDERS; order++)
		for (size_t k = N / 10; k < N; k += N / 10 * 4) {
			size_t below = 0, equal = 0;

			for (size_t i = 0; i < N; i++) {
				size_t there[ORDERS] = { i,        N - i,    i < N / 2 ? i : N - i,
					                 i % 1000, i & 1023, i * 7919 % 13 };

				v[i] = (double)there[order];
			}
			etc_insp_select(v, 0, N, k);
			for (size_t i = 0; i < N; i++) {
				below += v[i] < v[k];
				equal += v[i] == v[k];
			}
			assert_true(below <= k && k < below + equal);
		}
}

/* Each draw from numbers of such a scale splits off a handful. */
static void numbers_of_all_sizes_are_not_slow(void **state)
{
	enum { N = 1000 };
	double v[N];

	(void)state;
	for (size_t i = 0; i < N; i++)
		v[i] = ldexp(i % 2 ? -1.0 : 1.0, (int)i);
	etc_insp_select(v, 0, N, N / 2);
	same(v[N / 2], 1.0);
	etc_insp_select(v, 0, N, 0);
	same(v[0], ldexp(-1.0, N - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_are_numpys),
		cmocka_unit_test(percentiles_are_numpys),
		cmocka_unit_test(documented_example),
		cmocka_unit_test(minus_zero_as_in_numpy),
		cmocka_unit_test(selection_is_what_sorting_gives),
		cmocka_unit_test(no_order_of_the_numbers_is_slow),
		cmocka_unit_test(numbers_of_all_sizes_are_not_slow),
	};

	return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
