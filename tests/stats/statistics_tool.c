/* statistics_tool.c -- every statistic of core/stats on samples from standard input.
 *
 * A line "m n a_1 … a_m b_1 … b_n" asks for all statistics of A, of B and of the
 * pair; the answer is one line of JSON. An undefined statistic is null. With
 * --rounds N the bootstrap draws N rounds (0: none). */
#include "model/profile.h"
#include "stats/compare.h"
#include "stats/dip.h"
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
		exit(st);
}

static void of_one(const char *name, const double *v, size_t n, struct etc_arena *arena)
{
	double *sorted = etc_new(arena, double, n), *other = etc_new(arena, double, n);
	uint8_t why = (uint8_t)etc_samples_check(v, n);
	struct etc_autocorrelation r = etc_autocorrelation(v, n);
	struct etc_mann_kendall mk;
	struct etc_theil_sen ts;
	struct etc_dip dip = { .why = why };

	printf("\"%s\": {", name);
	must(etc_mann_kendall(v, n, &mk, arena, NULL));
	must(etc_theil_sen(v, n, &ts, arena, NULL));
	if (why == ETC_DEFINED) {
		memcpy(sorted, v, n * sizeof *v);
		etc_sort(sorted, n, other);
		must(etc_dip_test(sorted, n, &dip, arena, NULL));
		number("tie_term", etc_midranks(sorted, n, other), why);
	}
	for (int s = 0; s < STATS; s++)
		number(STAT_NAME[s], why ? 0 : etc_estimate(STAT[s], sorted, n), why);
	number("lag1", r.lag1, r.why);
	number("effective", r.effective, r.why);
	number("mk_s", mk.s, mk.why);
	number("mk_variance", mk.variance, mk.why);
	number("mk_z", mk.z, mk.why);
	number("mk_p", mk.p, mk.why);
	number("slope", ts.slope, ts.why);
	number("intercept", ts.intercept, ts.why);
	number("dip", dip.dip, dip.why);
	number("dip_p", dip.p, dip.why);
	printf("\"why\": \"%s\"}, ", etc_undefined_text(why));
}

static void intervals(const double *a, size_t m, const double *b, size_t n, uint32_t rounds,
                      struct etc_arena *arena)
{
	/* The tool's samples have no other time: the typical run is of their own values. */
	struct etc_dump_samples da = { m, a, a }, db = { n, b, b };
	struct etc_sample_group ga = { &da, 1 }, gb = { &db, 1 };
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

	memcpy(x, a, m * sizeof *x);
	memcpy(y, b, n * sizeof *y);
	etc_sort(x, m, other);
	etc_sort(y, n, other);
	for (int method = ETC_U_AUTO; method <= ETC_U_PERMUTATION; method++) {
		struct etc_mann_whitney u;

		must(etc_mann_whitney(x, m, y, n, (enum etc_u_method)method, &u, arena, NULL));
		number("u", u.u, u.why);
		number(NAME[method], u.p, u.why);
		printf("\"%s_by\": \"%s\", ", NAME[method], NAME[u.method]);
	}
	pairs = etc_pairs(x, m, y, n);
	must(etc_hodges_lehmann(x, m, y, n, 0.95, &shift, arena, NULL));
	number("pair_tie_term", pairs.tie_term, 0);
	number("cliff", etc_cliffs_delta(pairs, m, n), 0);
	number("shift", shift.shift, shift.why);
	number("k", shift.k, shift.why);
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

int main(int argc, char **argv)
{
	uint32_t rounds = argc == 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : ETC_COMPARE_ROUNDS;
	size_t m, n;

	while (scanf("%zu %zu", &m, &n) == 2) {
		double *v = malloc((m + n + 1) * sizeof *v);

		if (!v)
			return 1;
		for (size_t i = 0; i < m + n; i++)
			if (scanf("%lf", &v[i]) != 1)
				return 1;
		answer(v, m, v + m, n, rounds);
		free(v);
	}
	return 0;
}
