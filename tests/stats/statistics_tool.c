/* statistics_tool.c -- computes every statistic of core/stats on samples from standard input.
 *
 * Each line of input is one question and gets one line of JSON; what is undefined is null.
 *
 *   m n a_1 … a_m b_1 … b_n     all statistics of sample A, of sample B and of the pair; with
 *                               --rounds N the bootstrap draws N rounds
 *   --distribution p a b x      quantiles at p of the normal distribution and of Student's with a
 *                               degrees of freedom; the normal distribution function at b, and
 *                               the two-sided p-value of Student's at b; x is ignored
 *   --holm n p_1 … p_n          the n p-values adjusted by Holm's method
 *   --bca stat r m n …          the BCa interval of stat(B) - stat(A); behind the numbers follow r
 *                               bootstrap replicates, m samples of A and n of B
 *   --dumps j k n_1 … n_j+k …   the comparison of the means of j dumps of A and k of B, with n_i
 *                               samples each; the samples follow */
#include "model/profile.h"
#include "stats/compare.h"
#include "stats/dip.h"
#include "stats/distribution.h"
#include "stats/estimate.h"
#include "stats/holm.h"
#include "stats/sort.h"
#include "stats/trend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STATS = 3 };

static const uint8_t STAT[STATS] = { ETC_STAT_TYPICAL, ETC_STAT_MEAN, ETC_STAT_MEDIAN };
static const char *const STAT_NAME[STATS] = { "typical", "mean", "median" };

static void number(const char *name, double x, uint8_t why)
{
	if (why == ETC_DEFINED)
		printf("\"%s\": %.17g, ", name, x);
	else
		printf("\"%s\": null, ", name);
}

static void must(enum etc_status st)
{
	if (st != ETC_OK)
		exit((int)st);
}

static void of_one(const char *name, const double *v, size_t n, struct etc_arena *arena)
{
	double *sorted = etc_new(arena, double, n), *other = etc_new(arena, double, n);
	uint8_t why = (uint8_t)etc_samples_check(v, n);
	struct etc_autocorrelation r = etc_autocorrelation(v, n);
	struct etc_mann_kendall mk;
	struct etc_theil_slope ts;
	struct etc_dip dip = { .why = why };

	printf("\"%s\": {", name);
	must(etc_mann_kendall(v, n, &mk, arena, NULL));
	must(etc_theil_slope(v, n, &ts, arena, NULL));
	if (why == ETC_DEFINED) {
		memcpy(sorted, v, n * sizeof *v);
		etc_sort(sorted, n, other);
		must(etc_dip_test(sorted, n, &dip, arena, NULL));
	}
	for (int s = 0; s < STATS; s++)
		number(STAT_NAME[s], why ? 0 : etc_estimate(STAT[s], sorted, sorted, n), why);
	number("lag1", r.lag1, r.why);
	number("effective", r.effective, r.why);
	number("mk_s", mk.s, mk.why);
	number("mk_variance", mk.variance, mk.why);
	number("mk_z", mk.z, mk.why);
	number("mk_p", mk.p, mk.why);
	number("slope", ts.slope, ts.why);
	number("dip", dip.dip, dip.why);
	number("dip_p", dip.p, dip.why);
	printf("\"why\": %u}, ", why);
}

static void intervals(const double *a, size_t m, const double *b, size_t n, uint32_t rounds,
                      struct etc_arena *arena)
{
	/* The samples are both the values and the times of the runs, by which typical runs are
	 * chosen. */
	struct etc_dump_samples da = { .runs = m, .time = a, .rows = a },
				db = { .runs = n, .time = b, .rows = b };
	struct etc_sample_group ga = { .dumps = &da, .dump_count = 1 },
				gb = { .dumps = &db, .dump_count = 1 };
	struct etc_compare_options options = etc_compare_defaults();
	struct etc_comparison c;

	for (int s = 0; s < STATS; s++) {
		options.stat = STAT[s];
		options.rounds = rounds;
		must(etc_compare(&ga, &gb, 1, &options, &c, arena, NULL));
		must(etc_compare_adjust(&c, 1, 0.95, arena, NULL));
		printf("\"%s\": {", STAT_NAME[s]);
		number("difference", c.difference, c.why);
		number("ratio", c.ratio, c.ratio_why);
		number("low", c.difference_interval.low, c.difference_interval.why);
		number("high", c.difference_interval.high, c.difference_interval.why);
		number("ratio_low", c.ratio_interval.low, c.ratio_interval.why);
		number("ratio_high", c.ratio_interval.high, c.ratio_interval.why);
		printf("\"method\": %u, \"p_method\": %u, \"p\": %.17g, \"caveats\": %u, "
		       "\"significant\": %s}, ",
		       c.difference_interval.method, c.p_method, c.p, (unsigned)c.caveats,
		       c.significant ? "true" : "false");
	}
}

static void of_pair(const double *a, size_t m, const double *b, size_t n, struct etc_arena *arena)
{
	static const char *const NAME[] = { "auto", "exact", "asymptotic", "permutation" };
	double *x = etc_new(arena, double, m), *y = etc_new(arena, double, n);
	double *other = etc_new(arena, double, m + n);
	struct etc_pairs pairs;
	struct etc_shift shift;
	double k;

	memcpy(x, a, m * sizeof *x);
	memcpy(y, b, n * sizeof *y);
	etc_sort(x, m, other);
	etc_sort(y, n, other);
	for (int method = ETC_U_AUTO; method <= ETC_U_PERMUTATION; method++) {
		struct etc_mann_whitney u;

		must(etc_mann_whitney(x, m, y, n, (enum etc_u_method)method, &u, NULL, arena,
		                      NULL));
		number("u", u.u, u.why);
		number(NAME[method], u.p, u.why);
		printf("\"%s_by\": \"%s\", ", NAME[method], NAME[u.method]);
	}
	pairs = etc_pairs(x, m, y, n);
	must(etc_u_rank(m, n, 0.05, &k, arena, NULL));
	shift = etc_hodges_lehmann(x, m, y, n, k);
	number("pair_tie_term", pairs.tie_term, 0);
	number("shift", shift.shift, shift.why);
	number("k", k, shift.why);
	number("shift_low", shift.low, shift.no_interval);
	number("shift_high", shift.high, shift.no_interval);
}

static void answer(const double *a, size_t m, const double *b, size_t n, uint32_t rounds)
{
	struct etc_arena arena;

	etc_arena_init(&arena, (size_t)1 << 30);
	printf("{");
	of_one("a", a, m, &arena);
	of_one("b", b, n, &arena);
	intervals(a, m, b, n, rounds, &arena);
	if (etc_samples_check(a, m) == ETC_DEFINED && etc_samples_check(b, n) == ETC_DEFINED)
		of_pair(a, m, b, n, &arena);
	printf("\"m\": %zu, \"n\": %zu}\n", m, n);
	etc_arena_release(&arena);
}

/* Reads `n` numbers from standard input into memory of the arena. */
static double *numbers(size_t n, struct etc_arena *arena)
{
	double *v = etc_new(arena, double, n + 1);

	for (size_t i = 0; v && i < n; i++)
		if (scanf("%lf", &v[i]) != 1)
			exit(1);
	if (!v)
		exit(1);
	return v;
}

static void pairs_of_samples(uint32_t rounds)
{
	size_t m, n;

	while (scanf("%zu %zu", &m, &n) == 2) {
		struct etc_arena arena;
		double *v;

		etc_arena_init(&arena, (size_t)1 << 30);
		v = numbers(m + n, &arena);
		answer(v, m, v + m, n, rounds);
		etc_arena_release(&arena);
	}
}

static void distributions(void)
{
	double p, a, b, x;

	while (scanf("%lf %lf %lf %lf", &p, &a, &b, &x) == 4)
		printf("{\"normal_quantile\": %.17g, \"normal_cdf\": %.17g, \"t_quantile\": %.17g, "
		       "\"t_two_sided\": %.17g}\n",
		       etc_normal_quantile(p), etc_normal_cdf(b), etc_student_quantile(p, a),
		       etc_student_two_sided(b, a));
}

static void holm(struct etc_arena *arena)
{
	size_t n;

	while (scanf("%zu", &n) == 1) {
		double *p = numbers(n, arena);

		must(etc_holm(p, n, p, arena, NULL));
		printf("[");
		for (size_t i = 0; i < n; i++)
			printf("%s%.17g", i ? ", " : "", p[i]);
		printf("]\n");
	}
}

static double *placed(uint8_t stat, double *v, size_t n, struct etc_arena *arena)
{
	if (stat != ETC_STAT_MEAN)
		etc_sort(v, n, etc_new(arena, double, n));
	return v;
}

static void bca(struct etc_arena *arena)
{
	size_t which, rounds, m, n;

	while (scanf("%zu %zu %zu %zu", &which, &rounds, &m, &n) == 4 && which < STATS) {
		double *replicates = numbers(rounds, arena);
		double *a = placed(STAT[which], numbers(m, arena), m, arena);
		double *b = placed(STAT[which], numbers(n, arena), n, arena);
		double *without_a = etc_new(arena, double, m),
		       *without_b = etc_new(arena, double, n),
		       *sums = etc_new(arena, double, m + n);
		double acceleration, difference;
		struct etc_interval i;

		etc_estimate_without(STAT[which], a, a, m, without_a, sums);
		etc_estimate_without(STAT[which], b, b, n, without_b, sums);
		for (size_t k = 0; k < m; k++)
			without_a[k] = -without_a[k];
		acceleration = etc_acceleration(without_a, m, without_b, n);
		difference =
			etc_estimate(STAT[which], b, b, n) - etc_estimate(STAT[which], a, a, m);
		i = etc_bca(replicates, rounds, difference, acceleration, 0.95,
		            etc_new(arena, uint64_t, rounds));
		printf("{\"low\": %.17g, \"high\": %.17g, \"acceleration\": %.17g, \"why\": %u}\n",
		       i.low, i.high, acceleration, i.why);
	}
}

static void dumps(struct etc_arena *arena)
{
	size_t j, k;

	while (scanf("%zu %zu", &j, &k) == 2) {
		double *sizes = numbers(j + k, arena);
		struct etc_dump_samples *d = etc_new(arena, struct etc_dump_samples, j + k);
		struct etc_sample_group a = { .dumps = d, .dump_count = j },
					b = { .dumps = d + j, .dump_count = k };
		struct etc_compare_options options = etc_compare_defaults();
		struct etc_comparison c;

		for (size_t i = 0; i < j + k; i++) {
			double *v = numbers((size_t)sizes[i], arena);

			d[i] = (struct etc_dump_samples){ .runs = (size_t)sizes[i],
				                          .time = v,
				                          .rows = v };
		}
		options.stat = ETC_STAT_MEAN;
		must(etc_compare(&a, &b, 1, &options, &c, arena, NULL));
		printf("{\"p\": %.17g, \"low\": %.17g, \"high\": %.17g, \"p_method\": %u}\n", c.p,
		       c.difference_interval.low, c.difference_interval.high, c.p_method);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	struct etc_arena arena;

	etc_arena_init(&arena, SIZE_MAX / 2);
	if (strcmp(mode, "--distribution") == 0)
		distributions();
	else if (strcmp(mode, "--holm") == 0)
		holm(&arena);
	else if (strcmp(mode, "--bca") == 0)
		bca(&arena);
	else if (strcmp(mode, "--dumps") == 0)
		dumps(&arena);
	else
		pairs_of_samples(argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 10)
		                           : ETC_COMPARE_ROUNDS);
	etc_arena_release(&arena);
	return 0;
}
