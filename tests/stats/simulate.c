/* simulate.c -- measures on simulated recordings how often etcore claims a change.
 *
 * simulate PAIRS ROUNDS [SHIFT...] simulates PAIRS pairs of groups of profiles for each kind of
 * noise; ROUNDS is that of the bootstrap. It prints in which part of the pairs the gate of `etcore
 * check` (commands/compare/gate_judge.h) finds a significant change, and in which part a regression
 * (limit 0). For pairs without a shift these are false positives. For pairs in which B is slower by
 * a SHIFT (0.05: 5 %) the part with a regression is the power. A check with several rules finds a
 * change if any rule does. Without SHIFT, only the quick kinds are simulated. The status is 1 if a
 * nominal kind has more than 5 % false positives. The gate assumes no spread between processes
 * here.
 *
 * simulate --words PAIRS ROUNDS [quick] prints how often `etcore diff` gives a verdict on simulated
 * recordings, and the limit of each rate: the rows of a table in docs/statistics.md. The status is
 * 1 if a rate is outside its limits. With a further argument, only the quick scenes are simulated.
 *
 * simulate --typical SERIES prints the error of the typical run (stats/typical.h), of the mean, and
 * of the mean over the middle half, over SERIES simulated series of 30 runs. The status is 1 if the
 * typical run's error is outside its limits.
 *
 * The random numbers are seeded, so every run prints the same. */
#include "commands/compare/gate_judge.h"
#include "stats/random.h"
#include "stats/typical.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DUMPS = 10, MOST_RUNS = 400, MOST_ROWS = 4, NS = 1000 };

/* A kind of noise. A run takes level * exp(noise) µs, rounded to multiples of `tick`. The level is
 * 1000 µs, other in each dump; the noise is an AR(1) series. */
struct noise {
	const char *name;
	size_t dumps, runs; /* dumps of each group, runs of each dump */
	double sd, part;    /* sd: standard deviation of the noise; part: its autocorrelation */
	double between;     /* standard deviation of the dumps' levels (0.02: 2 %) */
	double drift;       /* standard deviation of the change from first to last run */
	/* spike: probability of a run ten times as long; tick: resolution of the clock in µs */
	double spike, tick;
	bool nominal;   /* at most 5 % false positives are guaranteed */
	bool quick;     /* is also simulated without SHIFT */
	uint8_t metric; /* enum etc_stat */
	uint32_t rows;  /* number of kernels that share the time, each with its own rule */
};

static const struct noise NOISE[] = {
	{ "5 runs", 1, 5, 0.03, 0, 0, 0, 0, 0, true, true, 0, 0 },
	{ "10 runs", 1, 10, 0.03, 0, 0, 0, 0, 0, true, true, 0, 0 },
	{ "30 runs", 1, 30, 0.03, 0, 0, 0, 0, 0, true, true, 0, 0 },
	{ "100 runs", 1, 100, 0.03, 0, 0, 0, 0, 0, true, false, 0, 0 },
	{ "30 runs, spikes", 1, 30, 0.03, 0, 0, 0, 0.05, 0, true, true, 0, 0 },
	{ "30 runs, coarse clock", 1, 30, 0.03, 0, 0, 0, 0, 50, true, true, 0, 0 },
	{ "100 runs, autocorrelated (0.5)", 1, 100, 0.03, 0.5, 0, 0, 0, 0, true, true, 0, 0 },
	{ "100 runs, autocorrelated (0.9)", 1, 100, 0.03, 0.9, 0, 0, 0, 0, true, false, 0, 0 },
	{ "100 runs, drift", 1, 100, 0.02, 0, 0, 0.05, 0, 0, true, false, 0, 0 },
	{ "2 dumps of 20, dumps vary", 2, 20, 0.03, 0, 0.02, 0, 0, 0, true, true, 0, 0 },
	{ "3 dumps of 20, dumps vary", 3, 20, 0.03, 0, 0.02, 0, 0, 0, true, true, 0, 0 },
	{ "5 dumps of 20, dumps vary", 5, 20, 0.03, 0, 0.02, 0, 0, 0, true, false, 0, 0 },
	{ "5 dumps of 20, autocorrelated", 5, 20, 0.03, 0.5, 0.02, 0, 0, 0, true, true, 0, 0 },
	{ "30 runs, 4 rules", 1, 30, 0.03, 0, 0, 0, 0, 0, true, true, 0, 4 },
	{ "3 dumps of 20, 4 rules", 3, 20, 0.03, 0, 0.02, 0, 0, 0, true, false, 0, 4 },
	{ "30 runs, median", 1, 30, 0.03, 0, 0, 0, 0, 0, true, true, ETC_STAT_MEDIAN, 0 },
	{ "30 runs, p90", 1, 30, 0.03, 0, 0, 0, 0, 0, true, true, ETC_STAT_P90, 0 },
	{ "100 runs, p95", 1, 100, 0.03, 0, 0, 0, 0, 0, true, false, ETC_STAT_P95, 0 },
	{ "100 runs, autocorrelated (0.5), p90", 1, 100, 0.03, 0.5, 0, 0, 0, 0, true, false,
	  ETC_STAT_P90, 0 },
	{ "3 dumps of 20, dumps vary, p90", 3, 20, 0.03, 0, 0.02, 0, 0, 0, true, false,
	  ETC_STAT_P90, 0 },
	{ "5 dumps of 30, 10 % spikes, p90", 5, 30, 0.03, 0, 0, 0, 0.1, 0, true, true, ETC_STAT_P90,
	  0 },
	{ "5 dumps of 30, 50 % spikes, median", 5, 30, 0.03, 0, 0, 0, 0.5, 0, true, true,
	  ETC_STAT_MEDIAN, 0 },
	{ "1 dump of 30, dumps vary", 1, 30, 0.03, 0, 0.02, 0, 0, 0, false, false, 0, 0 },
};

enum { KINDS = sizeof NOISE / sizeof *NOISE };

/* Returns two standard errors of the rate `part` if it was counted in fewer than 500 pairs. Returns
 * 0 for more pairs, as in the gate `simulate`, where the rate itself must keep its limit. */
static double error_of(double part, unsigned pairs)
{
	return pairs < 500 ? 2 * sqrt(part * (1 - part) / pairs) : 0;
}

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

/* ---- profiles ------------------------------------------------------------------------ */

static void *need(struct etc_arena *arena, size_t size, size_t count)
{
	void *p = etc_arena_alloc(arena, size, _Alignof(max_align_t), count);

	if (!p)
		exit(1);
	return p;
}

#define NEW(arena, type, count) ((type *)need((arena), sizeof(type), (count)))

static const struct etc_row_event *event_of(struct etc_arena *arena, uint32_t i)
{
	static const char *const names[MOST_ROWS] = { "a", "b", "c", "d" };
	struct etc_row_event *keys = NEW(arena, struct etc_row_event, 1);
	struct etc_event *event = NEW(arena, struct etc_event, 1);

	*event = (struct etc_event){ .instruction_id = (int32_t)i, .delegate_id = -1 };
	*keys = (struct etc_row_event){ .event = event };
	keys->key[ETC_BY_OP] = etc_str_of(names[i]);
	return keys;
}

/* Makes a profile of `n` runs that take v[i] µs each. `rows` kernels have an equal share of the
 * time each, with additional noise of their own. */
static struct etc_profile *profile(struct etc_arena *arena, struct etc_random *r, const double *v,
                                   size_t n, uint32_t rows)
{
	struct etc_profile *p = NEW(arena, struct etc_profile, 1);
	struct etc_profile_path *path = NEW(arena, struct etc_profile_path, 1);
	struct etc_profile_row *row = NEW(arena, struct etc_profile_row, rows);
	struct etc_run_sample *runs = NEW(arena, struct etc_run_sample, n);
	uint64_t *samples = NEW(arena, uint64_t, n);
	uint32_t width = ETC_VALUES_ROWS + rows;

	for (size_t i = 0; i < n; i++) {
		uint64_t *of_run = NEW(arena, uint64_t, width);

		memset(of_run, 0, width * sizeof *of_run);
		samples[i] = (uint64_t)(v[i] * NS + 0.5);
		for (uint32_t k = 0; k < rows; k++)
			of_run[ETC_VALUES_ROWS + k] =
				(uint64_t)(v[i] * NS / rows * exp(0.03 * etc_random_normal(r)));
		runs[i] = (struct etc_run_sample){ i, samples[i], of_run, width };
	}
	for (uint32_t k = 0; k < rows; k++) {
		row[k] = (struct etc_profile_row){ .event = event_of(arena, k),
			                           .unit = ETC_UNIT_NS,
			                           .native = true,
			                           .calls = n,
			                           .value = ETC_VALUES_ROWS + k };
		row[k].name = row[k].event->key[ETC_BY_OP];
	}
	*path = (struct etc_profile_path){
		.number = 1, .runs = n, .kept = n, .den = 1, .samples = samples, .values = runs
	};
	*p = (struct etc_profile){ .unit = ETC_UNIT_NS,
		                   .by = ETC_BY_EVENT,
		                   .den = 1,
		                   .paths = path,
		                   .path_count = 1,
		                   .rows = row,
		                   .row_count = rows };
	return p;
}

static struct etc_diff_group group(struct etc_arena *arena, struct etc_random *r,
                                   const struct noise *k, double level, const char *name)
{
	const struct etc_profile **dumps = NEW(arena, const struct etc_profile *, k->dumps);
	double v[MOST_RUNS];

	for (size_t d = 0; d < k->dumps; d++) {
		one_dump(r, k, level, v);
		dumps[d] = profile(arena, r, v, k->runs, k->rows);
	}
	return (struct etc_diff_group){ .name = etc_str_of(name),
		                        .dumps = dumps,
		                        .count = (uint32_t)k->dumps };
}

struct verdicts {
	unsigned significant, stopped;
};

static void check_pair(const struct noise *k, const struct etc_diff_group *groups,
                       const struct etc_diff_options *options, struct etc_arena *arena,
                       struct verdicts *out)
{
	struct etc_gate_rule rules[1 + MOST_ROWS] = { { .stat = k->metric } };
	bool changed = false;
	struct etc_gate gate;

	for (uint32_t i = 0; i < k->rows; i++)
		rules[1 + i] = (struct etc_gate_rule){ .stat = k->metric,
			                               .op = event_of(arena, i)->key[ETC_BY_OP] };
	if (etc_gate_make(groups, rules, 1 + k->rows, options, NULL, arena, &gate, NULL) !=
	            ETC_OK ||
	    gate.count != 1 + k->rows)
		exit(1);
	for (uint32_t i = 0; i < gate.count; i++)
		changed = changed || gate.lines[i].c.significant;
	out->significant += changed;
	out->stopped += gate.by_verdict[ETC_GATE_REGRESSION] > 0;
}

static struct verdicts judge(const struct noise *k, unsigned pairs, double shift,
                             const struct etc_diff_options *options)
{
	struct verdicts out = { 0, 0 };
	struct etc_random random;

	etc_random_seed(&random, 2024, (uint64_t)(k - NOISE));
	for (unsigned i = 0; i < pairs; i++) {
		struct etc_diff_group groups[2];
		struct etc_arena arena;

		etc_arena_init(&arena, (size_t)1 << 28);
		groups[0] = group(&arena, &random, k, 1000, "before");
		groups[1] = group(&arena, &random, k, 1000 * (1 + shift), "now");
		check_pair(k, groups, options, &arena, &out);
		etc_arena_release(&arena);
	}
	return out;
}

/* ---- words ------------------------------------------------------------------------------- */

enum word { DIFFERS, CHANGED, CLAIMS, SLOWER, CANNOT, TAILS };

/* The course of a drift from 0 at the first recording to its full size at the last: linear, or
 * exponential, so that it becomes slower. */
enum course { STEADY, SETTLING };

/* The runs that take place on the slower core. WHOLE: each recording, with the probability `on`.
 * RUNS: each run, with the probability `on`. PARTS: of each recording any part of its runs, from
 * none to all. VISITS: the part `on` of the runs of half of the recordings, and the part 1 - `on`
 * of the runs of the other half. */
enum of { WHOLE, RUNS, PARTS, VISITS };

struct scene {
	const char *name;
	size_t dumps[2], runs;
	/* sd, between: standard deviations of runs and of recordings; ramp: change inside each
	 * recording */
	double sd, between, ramp;
	double drift; /* drift over all recordings */
	double slow;  /* fraction of the new runs that take five times as long */
	double shift;
	/* order of recording: "AB" alternates; "" is one group after the other */
	const char *order;
	bool told; /* the comparison is told the order */
	uint8_t course, word, stat;
	double least, most; /* limits for the rate of `word` */
	bool quick;         /* the scene is simulated in the tests, too */
	double core, on;    /* core: a core is slower by it (.3: 30 %); on: see enum of */
	uint8_t of;
};

static const struct scene SCENES[] = {
	/* One scene a line, with its members in the order of struct scene. */
	/* clang-format off */
	{ "1 and 1 | second group 3 % slower | they differ", { 1, 1 }, 30, .03, 0, 0, 0, 0, .03, "", 0, 0, DIFFERS, 0, .90, 1, true, 0, 0, WHOLE },
	{ "1 and 1 | second group 3 % slower | slower", { 1, 1 }, 30, .03, 0, 0, 0, 0, .03, "", 0, 0, CLAIMS, 0, 0, .01, true, 0, 0, WHOLE },
	{ "1 and 1 | recordings vary by 5 % | slower or faster", { 1, 1 }, 30, .03, .05, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, true, 0, 0, WHOLE },
	{ "1 and 1 | second group takes 3 times as long | slower", { 1, 1 }, 30, .03, .05, 0, 0, 0, 2, "", 0, 0, SLOWER, 0, .99, 1, true, 0, 0, WHOLE },
	{ "5 and 5 | second group 3 % slower | slower", { 5, 5 }, 30, .03, 0, 0, 0, 0, .03, "", 0, 0, SLOWER, 0, .95, 1, true, 0, 0, WHOLE },
	{ "5 and 5 | recordings vary by 1 %, second group 3 % slower | slower", { 5, 5 }, 30, .03, .01, 0, 0, 0, .03, "", 0, 0, SLOWER, 0, .90, 1, true, 0, 0, WHOLE },
	{ "5 and 5 | recordings vary by 5 % | slower or faster", { 5, 5 }, 30, .03, .05, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, true, 0, 0, WHOLE },
	{ "5 and 5 | recordings vary by 5 %, runs vary by 0.3 % only | slower or faster", { 5, 5 }, 30, .003, .05, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, true, 0, 0, WHOLE },
	{ "3 and 3 | recordings vary by 5 % | slower or faster", { 3, 3 }, 30, .03, .05, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, true, 0, 0, WHOLE },
	{ "5 and 1 | recordings vary by 5 % | slower or faster", { 5, 1 }, 30, .03, .05, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, true, 0, 0, WHOLE },
	{ "5 and 2 | recordings vary by 5 % | slower or faster", { 5, 2 }, 30, .03, .05, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, false, 0, 0, WHOLE },
	{ "1 and 5 | recordings vary by 5 % | slower or faster", { 1, 5 }, 30, .03, .05, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, false, 0, 0, WHOLE },
	{ "2 and 2 | recordings vary by 5 % | slower or faster", { 2, 2 }, 30, .03, .05, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, false, 0, 0, WHOLE },
	{ "5 and 5 | times rise by 5 % within each recording | slower or faster", { 5, 5 }, 30, .03, 0, .05, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, true, 0, 0, WHOLE },
	{ "5 and 5 | times rise by 5 % within each recording, second group 3 % slower | cannot tell", { 5, 5 }, 30, .03, 0, .05, 0, 0, .03, "", 0, 0, CANNOT, 0, .90, 1, true, 0, 0, WHOLE },
	{ "5 and 5 | recorded in the order ABAB, drift of 20 %, second group 3 % slower | slower", { 5, 5 }, 30, .03, .01, 0, .2, 0, .03, "AB", 1, 0, SLOWER, 0, .85, 1, true, 0, 0, WHOLE },
	{ "5 and 5 | recorded in the order ABAB, drift of 20 % | slower or faster", { 5, 5 }, 30, .03, .01, 0, .2, 0, 0, "AB", 1, 0, CLAIMS, 0, 0, .05, true, 0, 0, WHOLE },
	{ "5 and 5 | recorded in the order ABAB, drift of 20 %, runs vary by 0.3 % only | slower or faster", { 5, 5 }, 30, .03, 0, 0, .2, 0, 0, "AB", 1, 0, CLAIMS, 0, 0, .05, true, 0, 0, WHOLE },
	{ "5 and 5 | recorded in the order ABBA, drift of 20 %, second group 3 % slower | slower", { 5, 5 }, 30, .03, .01, 0, .2, 0, .03, "ABBA", 1, 0, SLOWER, 0, .85, 1, false, 0, 0, WHOLE },
	{ "5 and 5 | recorded in the order ABBA, drift of 20 % | slower or faster", { 5, 5 }, 30, .03, .01, 0, .2, 0, 0, "ABBA", 1, 0, CLAIMS, 0, 0, .05, false, 0, 0, WHOLE },
	{ "5 and 5 | recorded in the order ABAB, drift of 20 % that slows down, second group 3 % slower | slower", { 5, 5 }, 30, .03, .01, 0, .2, 0, .03, "AB", 1, SETTLING, SLOWER, 0, .75, 1, false, 0, 0, WHOLE },
	{ "5 and 5 | recorded in the order ABAB, drift of 20 % that slows down | slower or faster", { 5, 5 }, 30, .03, .01, 0, .2, 0, 0, "AB", 1, SETTLING, CLAIMS, 0, 0, .05, true, 0, 0, WHOLE },
	{ "5 and 5 | recorded one group after the other, drift of 20 %, order known | slower or faster", { 5, 5 }, 30, .03, .01, 0, .2, 0, 0, "", 1, 0, CLAIMS, 0, 0, .05, true, 0, 0, WHOLE },
	{ "1 and 1, 150 runs each | 10 % of the second group's runs take 5 times as long | the tails differ", { 1, 1 }, 150, .03, 0, 0, 0, .1, 0, "", 0, 0, TAILS, 0, .95, 1, true, 0, 0, WHOLE },
	{ "3 and 3, 50 runs each | 10 % of the second group's runs take 5 times as long | the tails differ", { 3, 3 }, 50, .03, .02, 0, 0, .1, 0, "", 0, 0, TAILS, 0, .60, 1, false, 0, 0, WHOLE },
	{ "1 and 1, 150 runs each | no difference | the tails differ", { 1, 1 }, 150, .03, 0, 0, 0, 0, 0, "", 0, 0, TAILS, 0, 0, .05, true, 0, 0, WHOLE },
	{ "5 and 5 | recordings vary by 5 % | the tails differ", { 5, 5 }, 30, .03, .05, 0, 0, 0, 0, "", 0, 0, TAILS, 0, 0, .05, true, 0, 0, WHOLE },
	{ "1 and 1, 150 runs each | 10 % of the second group's runs take 5 times as long, `--stat mean` | significant", { 1, 1 }, 150, .03, 0, 0, 0, .1, 0, "", 0, 0, CHANGED, ETC_STAT_MEAN, .95, 1, true, 0, 0, WHOLE },
	{ "1 and 1 | no difference, `--stat mean` | significant", { 1, 1 }, 30, .03, 0, 0, 0, 0, 0, "", 0, 0, CHANGED, ETC_STAT_MEAN, 0, .05, true, 0, 0, WHOLE },
	{ "3 and 3, 33 runs each | recorded in the order ABBA, drift of 10 %, second group 5 % slower | slower", { 3, 3 }, 33, .03, .01, 0, .1, 0, .05, "ABBA", 1, 0, SLOWER, 0, .85, 1, true, 0, 0, WHOLE },
	{ "3 and 3, 33 runs each | recorded in the order ABBA, drift of 10 % | slower or faster", { 3, 3 }, 33, .03, .01, 0, .1, 0, 0, "ABBA", 1, 0, CLAIMS, 0, 0, .05, true, 0, 0, WHOLE },
	{ "3 and 3, 33 runs each | recorded in the order ABBA, drift of 10 % that slows down | slower or faster", { 3, 3 }, 33, .03, .01, 0, .1, 0, 0, "ABBA", 1, SETTLING, CLAIMS, 0, 0, .05, false, 0, 0, WHOLE },
	{ "1 and 1 | runs vary by 20 %, recordings vary by 20 % | slower or faster", { 1, 1 }, 30, .2, .2, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, true, 0, 0, WHOLE },
	{ "1 and 1 | runs vary by 20 %, second group takes 3 times as long | slower", { 1, 1 }, 30, .2, .2, 0, 0, 0, 2, "", 0, 0, SLOWER, 0, .90, 1, true, 0, 0, WHOLE },
	{ "2 and 2 | runs vary by 20 %, recordings vary by 20 % | slower or faster", { 2, 2 }, 30, .2, .2, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, false, 0, 0, WHOLE },
	{ "10 and 1 | 30 % of the recordings on a core that is 30 % slower | slower or faster", { 10, 1 }, 30, .003, 0, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, true, .3, .3, WHOLE },
	{ "10 and 3, 10 runs each | recordings vary by 5 %, `--stat p90` | slower or faster", { 10, 3 }, 10, .005, .05, 0, 0, 0, 0, "", 0, 0, CLAIMS, ETC_STAT_P90, 0, .07, true, 0, 0, WHOLE },
	{ "3 and 10, 10 runs each | recordings vary by 5 %, `--stat p90` | slower or faster", { 3, 10 }, 10, .005, .05, 0, 0, 0, 0, "", 0, 0, CLAIMS, ETC_STAT_P90, 0, .07, false, 0, 0, WHOLE },
	{ "4 and 4 | half of the recordings on a core that is 15 % slower | slower or faster", { 4, 4 }, 30, .003, 0, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .07, true, .15, .5, WHOLE },
	{ "1 and 1 | two speeds 50 % apart, half of the runs at the lower speed | the tails differ", { 1, 1 }, 30, .01, 0, 0, 0, 0, 0, "", 0, 0, TAILS, 0, 0, .05, true, .5, .5, RUNS },
	{ "3 and 3, 3 runs each | recorded in the order ABBA, 10 % of the runs take 4 times as long | slower or faster", { 3, 3 }, 3, .03, .01, 0, 0, 0, 0, "ABBA", 1, 0, CLAIMS, 0, 0, .05, true, 3, .1, RUNS },
	{ "3 and 3, 3 runs each | recorded in the order ABBA, 10 % of the runs take 4 times as long, second group takes twice as long | slower", { 3, 3 }, 3, .03, .01, 0, 0, 0, 1, "ABBA", 1, 0, SLOWER, 0, .8, 1, true, 3, .1, RUNS },
	{ "3 and 3, 3 runs each | 10 % of the runs take 4 times as long | slower or faster", { 3, 3 }, 3, .03, .01, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, true, 3, .1, RUNS },
	{ "1 and 1 | each recording at one of two speeds 15 % apart, 5 % of its runs at the other speed | slower or faster", { 1, 1 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, false, .15, .05, VISITS },
	{ "1 and 1 | each recording at one of two speeds 50 % apart, 15 % of its runs at the other speed | slower or faster", { 1, 1 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, true, .5, .15, VISITS },
	{ "1 and 1 | two speeds 5 % apart, any part of the runs at the lower speed | slower or faster", { 1, 1 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, false, .05, 0, PARTS },
	{ "1 and 1 | two speeds 15 % apart, any part of the runs at the lower speed | slower or faster", { 1, 1 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, true, .15, 0, PARTS },
	{ "1 and 1 | two speeds 50 % apart, any part of the runs at the lower speed | slower or faster", { 1, 1 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, false, .5, 0, PARTS },
	{ "1 and 1 | two speeds 15 % apart, half of the runs at the lower speed | significant", { 1, 1 }, 30, .005, 0, 0, 0, 0, 0, "", 0, 0, CHANGED, 0, 0, .07, true, .15, .5, RUNS },
	{ "1 and 1 | two speeds 15 % apart, any part of the runs at the lower speed, second group takes 3 times as long | slower", { 1, 1 }, 30, .005, .005, 0, 0, 0, 2, "", 0, 0, SLOWER, 0, .95, 1, true, .15, 0, PARTS },
	{ "3 and 3 | two speeds 15 % apart, any part of the runs at the lower speed | slower or faster", { 3, 3 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, true, .15, 0, PARTS },
	{ "5 and 5 | two speeds 15 % apart, any part of the runs at the lower speed | slower or faster", { 5, 5 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, false, .15, 0, PARTS },
	{ "5 and 5 | two speeds 50 % apart, any part of the runs at the lower speed | slower or faster", { 5, 5 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, false, .5, 0, PARTS },
	{ "2 and 2 | two speeds 15 % apart, any part of the runs at the lower speed | slower or faster", { 2, 2 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, false, .15, 0, PARTS },
	{ "3 and 3 | each recording at one of two speeds 15 % apart, 15 % of its runs at the other speed | slower or faster", { 3, 3 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, false, .15, .15, VISITS },
	{ "5 and 1 | two speeds 15 % apart, any part of the runs at the lower speed | slower or faster", { 5, 1 }, 30, .005, .005, 0, 0, 0, 0, "", 0, 0, CLAIMS, 0, 0, .05, false, .15, 0, PARTS },
	/* clang-format on */
};

enum { SCENE_COUNT = sizeof SCENES / sizeof *SCENES };

/* Fills places[g] with the positions of the dumps of group `g` in the order of recording of all
 * dumps. */
static void put_places(const struct scene *s, double places[2][MOST_DUMPS])
{
	size_t taken[2] = { 0, 0 }, all = s->dumps[0] + s->dumps[1];

	for (size_t i = 0; i < all; i++) {
		size_t n = strlen(s->order),
		       g = n ? (size_t)(s->order[i % n] - 'A') : i >= s->dumps[0];

		places[g][taken[g]++] = (double)i;
	}
}

static double course_at(uint8_t course, double at)
{
	return course == SETTLING ? (1 - exp(-4 * at)) / (1 - exp(-4)) : at;
}

/* Returns the part of a recording's runs that is on the slower core, at random if `s` says so. */
static double part_of(const struct scene *s, struct etc_random *r)
{
	double x = s->core > 0 && s->of != RUNS ? etc_random_unit(r) : 1;

	return s->of == WHOLE    ? x < s->on
	       : s->of == PARTS  ? x
	       : s->of == VISITS ? x < 0.5 ? s->on : 1 - s->on
	                         : s->on;
}

static struct etc_diff_group recorded(struct etc_arena *arena, struct etc_random *r,
                                      const struct scene *s, int g, const double *places)
{
	const struct etc_profile **dumps = NEW(arena, const struct etc_profile *, s->dumps[g]);
	double all = (double)(s->dumps[0] + s->dumps[1]), v[MOST_RUNS];

	for (size_t d = 0; d < s->dumps[g]; d++) {
		double level =
			1000 * (1 + (g ? s->shift : 0)) * (1 + s->between * etc_random_normal(r));
		double part = part_of(s, r);

		for (size_t i = 0; i < s->runs; i++) {
			double at = (double)i / (double)s->runs;
			bool is_slow;

			v[i] = level *
			       (1 + s->drift * course_at(s->course, (places[d] + at) / all)) *
			       (1 + s->ramp * (at - 0.5)) * exp(s->sd * etc_random_normal(r));
			if (g && s->slow > 0 && etc_random_unit(r) < s->slow)
				v[i] *= 5;
			is_slow = part == 1 || (part > 0 && etc_random_unit(r) < part);
			v[i] *= is_slow ? 1 + s->core : 1;
		}
		dumps[d] = profile(arena, r, v, s->runs, 0);
	}
	return (struct etc_diff_group){ .name = etc_str_of(g ? "now" : "before"),
		                        .dumps = dumps,
		                        .count = (uint32_t)s->dumps[g],
		                        .places = s->told ? places : NULL };
}

static bool is_said(const struct scene *s, const struct etc_diff_row *end)
{
	const struct etc_comparison *c = end->against[1];
	enum etc_change change = etc_diff_change(end, 1);

	switch (s->word) {
	case DIFFERS:
		return change == ETC_CHANGE_DIFFERS;
	case CHANGED:
		return c->significant;
	case CLAIMS:
		return change == ETC_CHANGE_SLOWER || change == ETC_CHANGE_FASTER;
	case SLOWER:
		return change == ETC_CHANGE_SLOWER;
	case CANNOT:
		return change == ETC_CHANGE_DROWNED;
	default:
		return c->caveats & ETC_CAVEAT_TAILS && !etc_compare_claims(c);
	}
}

static unsigned count_word(const struct scene *s, unsigned pairs, struct etc_diff_options options)
{
	double places[2][MOST_DUMPS];
	struct etc_random random;
	unsigned said = 0;

	put_places(s, places);
	options.by = ETC_BY_METHOD;
	options.compare.stat = s->stat;
	etc_random_seed(&random, 2026, (uint64_t)(s - SCENES));
	for (unsigned i = 0; i < pairs; i++) {
		struct etc_diff_group groups[2];
		struct etc_diff diff;
		struct etc_arena arena;

		etc_arena_init(&arena, (size_t)1 << 28);
		for (int g = 0; g < 2; g++)
			groups[g] = recorded(&arena, &random, s, g, places[g]);
		if (etc_diff_make(groups, 2, &options, &arena, &diff, NULL) != ETC_OK ||
		    diff.section_count != 1)
			exit(1);
		said += is_said(s, &diff.sections[0].rows[0]);
		etc_arena_release(&arena);
	}
	return said;
}

/* Prints how often the words of each scene are said. `all`: also for scenes that are not quick.
 * Returns 1 if a rate is outside its limits. */
static int say_words(unsigned pairs, const struct etc_diff_options *options, bool all)
{
	int bad = 0;

	for (int i = 0; i < SCENE_COUNT; i++) {
		const struct scene *s = &SCENES[i];
		double part;
		bool wrong;

		if (!s->quick && !all)
			continue;
		part = (double)count_word(s, pairs, *options) / pairs;
		wrong = part < s->least - error_of(s->least, pairs) ||
		        part > s->most + error_of(s->most, pairs);
		printf("| %s | %.1f %% | %s %g %% |%s\n", s->name, 100 * part,
		       s->most < 1 ? "at most" : "at least",
		       100 * (s->most < 1 ? s->most : s->least), wrong ? "   WRONG" : "");
		bad |= wrong;
	}
	return bad;
}

/* ---- the typical run ------------------------------------------------------------------------ */

enum { SERIES_RUNS = 30, ESTIMATES = 3 };

/* A kind of series of runs, and limits of the root mean square error of its typical run. */
struct series {
	const char *name;
	unsigned doubled;   /* number of runs that take twice as long */
	double chance;      /* else the probability of such a run */
	double least, most; /* limits of the typical run's error in % */
};

static const struct series SERIES[] = {
	{ "noise of 3 %", 0, 0, .55, .58 },
	{ "and 10 % of the runs doubled", 3, 0, .55, .60 },
	{ "and 20 % of the runs doubled", 6, 0, .55, .63 },
	{ "and each doubled in 20 %", 0, .2, .55, 1.25 },
};

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static double mean_of(const uint64_t *v, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += (double)v[i];
	return sum / (double)(to - from);
}

static void estimate(uint64_t *v, size_t n, double *out, struct etc_arena *arena)
{
	uint8_t use[SERIES_RUNS];
	struct etc_typical t;
	double sum = 0;

	memset(use, ETC_USE_KEPT, sizeof use);
	if (etc_typical_runs(v, n, ETC_STAT_TYPICAL, use, &t, arena, NULL) != ETC_OK)
		exit(1);
	for (size_t i = 0; i < n; i++)
		sum += use[i] == ETC_USE_TYPICAL ? (double)v[i] : 0;
	out[0] = sum / (double)t.typical;
	out[1] = mean_of(v, 0, n);
	qsort(v, n, sizeof *v, by_size);
	out[2] = mean_of(v, n / 4, n - n / 4);
}

static bool is_doubled(const struct series *s, size_t run, struct etc_random *random)
{
	return run < s->doubled || (s->chance > 0 && etc_random_unit(random) < s->chance);
}

static int say_typical(unsigned count)
{
	const double level = 1e6; /* ns */
	int bad = 0;

	printf("%-30s %8s %8s %12s   error of %u runs, %%\n", "", "typical", "mean", "middle half",
	       SERIES_RUNS);
	for (size_t k = 0; k < sizeof SERIES / sizeof *SERIES; k++) {
		const struct series *s = &SERIES[k];
		/* If each run may be doubled, few of the series make most of the error, so more are
		 * needed. */
		const unsigned tried = s->chance > 0 ? count : count / 5;
		double squares[ESTIMATES] = { 0 }, error[ESTIMATES];
		struct etc_random random;

		etc_random_seed(&random, 2027, k);
		for (unsigned i = 0; i < tried; i++) {
			uint64_t v[SERIES_RUNS];
			double got[ESTIMATES];
			struct etc_arena arena;

			for (size_t r = 0; r < SERIES_RUNS; r++)
				v[r] = (uint64_t)(level * (1 + .03 * etc_random_normal(&random)) *
				                  (is_doubled(s, r, &random) ? 2 : 1));
			etc_arena_init(&arena, 1 << 20);
			estimate(v, SERIES_RUNS, got, &arena);
			etc_arena_release(&arena);
			for (size_t e = 0; e < ESTIMATES; e++)
				squares[e] += pow(got[e] / level - 1, 2);
		}
		for (size_t e = 0; e < ESTIMATES; e++)
			error[e] = 100 * sqrt(squares[e] / tried);
		bad |= error[0] < s->least || error[0] > s->most;
		printf("%-30s %8.3f %8.3f %12.3f   wanted %g to %g%s\n", s->name, error[0],
		       error[1], error[2], s->least, s->most,
		       error[0] < s->least || error[0] > s->most ? "   WRONG" : "");
	}
	return bad;
}

int main(int argc, char **argv)
{
	unsigned pairs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2000;
	struct etc_diff_options options = { .most_bootstraps = 100,
		                            .compare = etc_compare_defaults() };
	int bad = 0;

	if (argc > 1 && strcmp(argv[1], "--words") == 0) {
		pairs = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000;
		options.compare.rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1000;
		return say_words(pairs, &options, argc <= 4);
	}
	if (argc > 1 && strcmp(argv[1], "--typical") == 0)
		return say_typical(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100000);
	options.compare.process_spread = 0;
	options.compare.rounds = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000;
	printf("%-40s %14s %8s", "of each group", "no change: any", "slower");
	for (int s = 3; s < argc; s++)
		printf("  +%g %%", 100 * strtod(argv[s], NULL));
	printf("\n");
	for (int i = 0; i < KINDS; i++) {
		const struct noise *k = &NOISE[i];
		struct verdicts none;

		if (argc <= 3 && !k->quick)
			continue;
		none = judge(k, pairs, 0, &options);
		printf("%-40s %12.2f %% %6.2f %%", k->name, 100.0 * none.significant / pairs,
		       100.0 * none.stopped / pairs);
		for (int s = 3; s < argc; s++)
			printf(" %4.0f %%",
			       100.0 * judge(k, pairs, strtod(argv[s], NULL), &options).stopped /
			               pairs);
		printf("%s\n", k->nominal ? "" : "   one dump tells nothing of others");
		bad |= k->nominal && none.significant > pairs * (0.05 + error_of(0.05, pairs));
	}
	return bad;
}
