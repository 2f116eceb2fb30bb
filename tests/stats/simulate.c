/* simulate.c -- how often the rule of `diff` and `check` claims a change.
 *
 * simulate PAIRS ROUNDS [SHIFT...]: for each kind of noise, the part of PAIRS simulated
 * pairs of groups that etc_compare calls significant (in either direction) and that
 * the gate of `check` stops (limit 0): of no shift, the false positives; of each SHIFT
 * (0.05: B is 5 % slower), the power. Without SHIFT only the quick kinds. Status 1
 * when a kind that the rule is made for has more than 5 % false positives. Seeded:
 * every run prints the same. */
#include "stats/compare.h"
#include "stats/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DUMPS = 8, MOST_RUNS = 400 };

/* A run takes 1000 * (1 + dump) * exp(noise) ticks of `tick`; noise is an AR(1) series. */
struct noise {
	const char *name;
	size_t dumps, runs; /* of each group */
	double sd, part;    /* of the noise; how much of it is that of the run before */
	double between;     /* sd of the dumps' own level */
	double drift;       /* sd of the slope, over a whole dump */
	double spike, tick; /* chance of a run ten times as long; what the clock counts */
	bool nominal;       /* the rule holds what it says: at most 5 % */
	bool quick;         /* of the tests */
};

static const struct noise NOISE[] = {
	{ "5 runs", 1, 5, 0.03, 0, 0, 0, 0, 0, true, true },
	{ "10 runs", 1, 10, 0.03, 0, 0, 0, 0, 0, true, true },
	{ "30 runs", 1, 30, 0.03, 0, 0, 0, 0, 0, true, true },
	{ "100 runs", 1, 100, 0.03, 0, 0, 0, 0, 0, true, false },
	{ "30 runs, spikes", 1, 30, 0.03, 0, 0, 0, 0.05, 0, true, true },
	{ "30 runs, coarse clock", 1, 30, 0.03, 0, 0, 0, 0, 50, true, true },
	{ "100 runs, each like the last (0.5)", 1, 100, 0.03, 0.5, 0, 0, 0, 0, true, true },
	{ "100 runs, each like the last (0.9)", 1, 100, 0.03, 0.9, 0, 0, 0, 0, true, false },
	{ "100 runs, drift", 1, 100, 0.02, 0, 0, 0.05, 0, 0, true, false },
	{ "2 dumps of 20, levels differ", 2, 20, 0.03, 0, 0.02, 0, 0, 0, true, true },
	{ "3 dumps of 20, levels differ", 3, 20, 0.03, 0, 0.02, 0, 0, 0, true, true },
	{ "5 dumps of 20, levels differ", 5, 20, 0.03, 0, 0.02, 0, 0, 0, true, false },
	{ "5 dumps of 20, each like the last", 5, 20, 0.03, 0.5, 0.02, 0, 0, 0, true, true },
	{ "1 dump of 30, levels differ", 1, 30, 0.03, 0, 0.02, 0, 0, 0, false, false },
};

enum { KINDS = sizeof NOISE / sizeof *NOISE };

static void one_dump(struct etc_random *r, const struct noise *k, double level, double *v)
{
	double slope = k->drift * etc_random_normal(r), last = etc_random_normal(r);

	level *= 1 + k->between * etc_random_normal(r);
	for (size_t i = 0; i < k->runs; i++) {
		double place = (double)i / (double)k->runs - 0.5;

		v[i] = level * exp(k->sd * last + slope * place);
		if (k->spike > 0 && etc_random_unit(r) < k->spike)
			v[i] *= 10;
		if (k->tick > 0)
			v[i] = floor(v[i] / k->tick + etc_random_unit(r)) * k->tick;
		last = k->part * last + sqrt(1 - k->part * k->part) * etc_random_normal(r);
	}
}

static void group(struct etc_random *r, const struct noise *k, double level, double *v,
                  struct etc_dump_samples *dumps)
{
	for (size_t d = 0; d < k->dumps; d++, v += k->runs) {
		one_dump(r, k, level, v);
		dumps[d] = (struct etc_dump_samples){ k->runs, v, v };
	}
}

struct verdicts {
	unsigned significant, stopped;
};

static struct verdicts judge(const struct noise *k, unsigned pairs, double shift,
                             const struct etc_compare_options *options)
{
	static double v[2][MOST_DUMPS * MOST_RUNS];
	struct etc_dump_samples dumps[2][MOST_DUMPS];
	struct etc_sample_group a = { dumps[0], k->dumps }, b = { dumps[1], k->dumps };
	struct verdicts out = { 0, 0 };
	struct etc_random random;

	etc_random_seed(&random, 2024, (uint64_t)(k - NOISE));
	for (unsigned i = 0; i < pairs; i++) {
		struct etc_comparison c;
		struct etc_arena arena;

		etc_arena_init(&arena, (size_t)1 << 28);
		group(&random, k, 1000, v[0], dumps[0]);
		group(&random, k, 1000 * (1 + shift), v[1], dumps[1]);
		if (etc_compare(&a, &b, 1, options, &c, &arena, NULL) != ETC_OK ||
		    etc_compare_adjust(&c, 1, options->level, &arena, NULL) != ETC_OK)
			exit(1);
		out.significant += c.significant;
		out.stopped += etc_compare_regressed(&c, 0);
		etc_arena_release(&arena);
	}
	return out;
}

int main(int argc, char **argv)
{
	unsigned pairs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2000;
	struct etc_compare_options options = etc_compare_defaults();
	int bad = 0;

	options.rounds = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000;
	printf("%-36s %14s %8s", "of each group", "no change: any", "slower");
	for (int s = 3; s < argc; s++)
		printf("  +%g %%", 100 * strtod(argv[s], NULL));
	printf("\n");
	for (int i = 0; i < KINDS; i++) {
		const struct noise *k = &NOISE[i];
		struct verdicts none;

		if (argc <= 3 && !k->quick)
			continue;
		none = judge(k, pairs, 0, &options);
		printf("%-36s %12.2f %% %6.2f %%", k->name, 100.0 * none.significant / pairs,
		       100.0 * none.stopped / pairs);
		for (int s = 3; s < argc; s++)
			printf(" %4.0f %%",
			       100.0 * judge(k, pairs, strtod(argv[s], NULL), &options).stopped /
			               pairs);
		printf("%s\n", k->nominal ? "" : "   one dump tells nothing of others");
		bad |= k->nominal && none.significant * 20 > pairs;
	}
	return bad;
}
