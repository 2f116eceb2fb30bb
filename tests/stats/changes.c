/* changes.c -- measures the delay and the false alarms of the change points of `etcore farm
 * changes`.
 *
 * changes SERIES -- simulates SERIES series for each kind of noise, with one value a day for 400
 * days. Each series is examined every day with all values so far, as the command does. Prints for
 * each kind how many change points a year are found without a change. For series with a change,
 * prints after how many days it is found (median, 90 %), and how often it is not found within 60
 * days.
 *
 * The status is 1 if a kind has more false alarms than docs/claims.md says, or if a change of 5
 * standard deviations is missed. The random numbers are seeded, so every run prints the same. */
#include "stats/change_points.h"
#include "stats/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DAYS = 400, STEP = 250, PATIENCE = 60, NEAR = 10 };

static const struct kind {
	const char *name;
	double sd;    /* standard deviation of a day's value (0.01: 1 %) */
	double part;  /* correlation of the noise with that of the day before */
	double spike; /* probability of a day that is 20 % slower */
	double tick;  /* resolution of the clock (0.005: 0.5 %); 0: exact times */
	bool two;     /* each day at one of two speeds, which is most of the noise */
	double most;  /* largest number of false alarms a year that docs/claims.md allows */
} KINDS[] = {
	{ "1 %", 0.01, 0, 0, 0, false, 0.1 },
	{ "3 %", 0.03, 0, 0, 0, false, 0.1 },
	{ "1 %, 3 % of the days 20 % slower", 0.01, 0, 0.03, 0, false, 0.1 },
	{ "1 %, half of it that of the day before", 0.01, 0.5, 0, 0, false, 1 },
	{ "0.1 %, a coarse clock", 0.001, 0, 0, 0.005, false, 0.1 },
	{ "5 %, two speeds 10 % apart", 0.05, 0, 0, 0, true, 0.1 },
};

enum { KINDS_COUNT = sizeof KINDS / sizeof *KINDS };

static void make(struct etc_random *r, const struct kind *k, double step, double *v)
{
	double last = etc_random_normal(r);

	for (size_t i = 0; i < DAYS; i++) {
		v[i] = k->sd * (k->two ? (etc_random_unit(r) < 0.5 ? -1 : 1) + last / 10 : last) +
		       (i >= STEP ? step : 0);
		if (k->spike > 0 && etc_random_unit(r) < k->spike)
			v[i] += 0.2;
		if (k->tick > 0)
			v[i] = floor(v[i] / k->tick + 0.5) * k->tick;
		last = k->part * last + sqrt(1 - k->part * k->part) * etc_random_normal(r);
	}
}

/* Examines the series day by day. Returns the number of change points, where those within NEAR days
 * of an earlier one are not counted again. *delay gets the days from STEP until a change point near
 * STEP is found, PATIENCE if none is. */
static size_t follow(const double *v, size_t days, int *delay)
{
	size_t known[DAYS], count = 0, found[DAYS], n;
	struct etc_error err = { 0 };
	struct etc_arena arena;

	*delay = PATIENCE;
	for (size_t day = ETC_CHANGE_FEW; day <= days; day++) {
		etc_arena_init(&arena, 1 << 24);
		if (etc_change_points(v, day, 0.001, found, &n, &arena, &err) != ETC_OK)
			exit(1);
		etc_arena_release(&arena);
		for (size_t i = 0; i < n; i++) {
			size_t j = 0;

			while (j < count &&
			       (found[i] > known[j] + NEAR || known[j] > found[i] + NEAR))
				j++;
			if (j < count)
				continue;
			known[count++] = found[i];
			if (*delay == PATIENCE && found[i] + NEAR >= STEP &&
			    found[i] <= STEP + NEAR && day >= STEP)
				*delay = (int)(day - STEP);
		}
	}
	return count;
}

static int by_int(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static bool steps(size_t kind, size_t series, double size)
{
	int *delays = malloc(series * sizeof *delays);
	size_t missed = 0;
	double v[DAYS];

	if (!delays)
		exit(1);
	for (size_t i = 0; i < series; i++) {
		struct etc_random r;

		etc_random_seed(&r, 20261127 + kind, 2 * i + 1);
		make(&r, &KINDS[kind], size, v);
		follow(v, STEP + PATIENCE, &delays[i]);
		missed += delays[i] == PATIENCE;
	}
	qsort(delays, series, sizeof *delays, by_int);
	printf("  +%.1f %%: found after %d days (90 %%: %d), not in %d days: %.1f %%\n",
	       100 * (exp(size) - 1), delays[series / 2], delays[series * 9 / 10], PATIENCE,
	       100.0 * (double)missed / (double)series);
	free(delays);
	return missed == 0;
}

int main(int argc, char **argv)
{
	size_t series = argc > 1 ? (size_t)atol(argv[1]) : 20;
	bool bad = false;
	double v[DAYS];
	int delay;

	for (size_t k = 0; k < KINDS_COUNT; k++) {
		double rate, years = (double)series * (DAYS - ETC_CHANGE_FEW) / 365;
		size_t alarms = 0;

		for (size_t i = 0; i < series; i++) {
			struct etc_random r;

			etc_random_seed(&r, 20261127 + k, 2 * i);
			make(&r, &KINDS[k], 0, v);
			alarms += follow(v, DAYS, &delay);
		}
		rate = (double)alarms / years;
		printf("%s: %.3f false alarms a year (%zu in %.0f years)\n", KINDS[k].name, rate,
		       alarms, years);
		/* bad: more than three standard deviations above the number in docs/claims.md */
		bad = bad ||
		      (double)alarms > KINDS[k].most * years + 3 * sqrt(KINDS[k].most * years) + 1;
		steps(k, series, log1p(2 * KINDS[k].sd));
		bad = !steps(k, series, log1p(5 * KINDS[k].sd)) || bad;
	}
	return bad;
}
