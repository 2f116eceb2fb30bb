/* dip_table.c -- prints the table of core/stats/dip_table.h: quantiles of Hartigan's dip statistic
 * of uniform samples, by simulation.
 *
 * dip_table ROUNDS: ROUNDS samples of each size, fewer of sizes above 500. 1000000 take some
 * minutes. */
#include "stats/dip.h"
#include "stats/random.h"
#include "stats/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const unsigned SIZES[] = { 4,  5,  6,  7,   8,   9,   10,   12,   15,
	                          20, 30, 50, 100, 200, 500, 1000, 2000, 5000 };
static const double PARTS[] = { 0.99, 0.95, 0.9,  0.8,  0.7,   0.6,   0.5,   0.4,    0.3,   0.2,
	                        0.1,  0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0001 };

enum { ROWS = sizeof SIZES / sizeof *SIZES, COLUMNS = sizeof PARTS / sizeof *PARTS };

/* Fills `dips` with the dips of `rounds` random samples of size `n`, each times sqrt(n), in
 * ascending order. `other` is scratch memory for as many numbers. */
static void simulate(unsigned n, size_t rounds, double *dips, double *other)
{
	double *v = malloc(2 * n * sizeof *v);
	struct etc_random random;

	etc_random_seed(&random, 217, n);
	for (size_t i = 0; v && i < rounds; i++) {
		struct etc_arena arena;
		struct etc_dip dip;

		etc_arena_init(&arena, 1 << 24);
		for (unsigned k = 0; k < n; k++)
			v[k] = etc_random_unit(&random);
		etc_sort(v, n, v + n);
		if (etc_dip_test(v, n, &dip, &arena, NULL) != ETC_OK)
			exit(1);
		dips[i] = sqrt(n) * dip.dip;
		etc_arena_release(&arena);
	}
	free(v);
	etc_sort(dips, rounds, other);
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
	double *dips = malloc(2 * (rounds + 1) * sizeof *dips);

	if (!dips || rounds < 1000)
		return 1;
	for (int r = 0; r < ROWS; r++)
		printf("%s%u", r ? ", " : "sizes { ", SIZES[r]);
	for (int c = 0; c < COLUMNS; c++)
		printf("%s%g", c ? ", " : " }\np { ", PARTS[c]);
	printf(" }\n");
	for (int r = 0; r < ROWS; r++) {
		size_t n = SIZES[r] > 500 ? rounds * 500 / SIZES[r] : rounds;

		simulate(SIZES[r], n, dips, dips + rounds);
		for (int c = 0; c < COLUMNS; c++)
			printf("%s%.5f", c ? ", " : "\t{ ",
			       dips[(size_t)((1 - PARTS[c]) * (double)(n - 1) + 0.5)]);
		printf(" },\n");
	}
	free(dips);
	return 0;
}
