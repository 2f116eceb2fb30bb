/* summary.h -- what `etcore pipeline report` knows of a run, dump by dump and experiment
 * by experiment, and the documents made of it.
 *
 * Times are sums of integers over the executions that count, in 1/den ns: so
 *
 *   end to end = leaves + delegate overhead + operator overhead + framework
 *
 * holds to the last bit, and is looked at, for every dump and every experiment. */
#ifndef ETC_PIPELINE_SUMMARY_H
#define ETC_PIPELINE_SUMMARY_H

#include "base/exact.h"
#include "commands/pipeline/folder.h"
#include "commands/pipeline/kit_csv.h"
#include "stats/compare.h"

/* Whose categories. */
enum etc_category_profile { ETC_PROFILE_ETCORE, ETC_PROFILE_V1, ETC_PROFILE_V2, ETC_PROFILES };
extern const char *const etc_profile_names[ETC_PROFILES]; /* "etcore", "kit-v1", "kit-v2" */

struct etc_leaf {
	struct etc_str category;
	etc_u128 time;
};

struct etc_leaves {
	struct etc_leaf *v;
	uint32_t count, room;
};

/* Adds to the leaf of that category. False when memory is exhausted. */
bool etc_leaves_add(struct etc_leaves *l, struct etc_str category, etc_u128 time,
                    struct etc_arena *arena);

/* An operator of an experiment: all events of one name. */
struct etc_summary_operator {
	struct etc_str name, category, backend;
	etc_u128 time;
	uint64_t calls;
};

/* Sums over executions. */
struct etc_breakdown {
	size_t executions; /* those that count */
	size_t set_aside;  /* as warm-up */
	uint64_t den;
	etc_u128 end_to_end, delegate_overhead, rounding, operator_overhead, framework;
	etc_u128 delegated; /* DELEGATE_CALLs as a whole */
	etc_u128 detached;  /* beside all of this: measured, but by no clock of the runtime */
	struct etc_leaves leaves[ETC_PROFILES];
};

/* Does the identity hold, under every profile? */
bool etc_breakdown_holds(const struct etc_breakdown *b);

/* A sum as ms per execution. */
double etc_breakdown_ms(const struct etc_breakdown *b, etc_u128 sum);

/* A dump of the folder. */
struct etc_summary_dump {
	const struct etc_folder_entry *entry;
	struct etc_str id; /* its name without suffix */
	struct etc_str experiment;
	uint64_t threads;
	uint64_t order;           /* of recording, among all of the run, from 1; 0: not known */
	uint32_t of;              /* experiment in the summary */
	struct etc_error why;     /* code ETC_CODE_NONE: it was read */
	struct etc_error kit_why; /* the same of the kit's tables */
	struct etc_breakdown times;
	double load_ms;                          /* Program::load_method; negative: none */
	const double *latency_ms;                /* of each execution that counts */
	const char *timeline, *all_runs, *stats; /* paths of the tables; NULL: not made */
	uint32_t rows;                           /* of the Inspector's table */
	const char *kit_category[5]; /* as the kit adds them up (D6), NULL behind the last */
	double kit_ms[5];
	uint32_t hints[3];           /* __neonsme2, sme2, neon in names */
	struct etc_kit_analysis kit; /* without operators; runs 0: none */
};

/* An experiment at one number of threads. */
struct etc_summary_experiment {
	struct etc_str name, label; /* label: with "_t<T>" where it has several */
	uint64_t threads;
	struct etc_breakdown times;
	const struct etc_summary_operator *operators; /* slowest first */
	uint32_t operator_count;
	uint32_t dumps, first_dump;
	const double *latency_ms; /* of all its dumps */
	size_t latency_count;
	struct etc_kit_robust robust; /* of them; count 0: none */
};

struct etc_summary_comparison {
	uint32_t base, candidate; /* experiments */
	struct etc_comparison end_to_end;
	/* "faster", "slower", "negligible" (a difference below min_effect_pct), "no difference"
	 * (the whole interval is within the regression that the gates allow), "cannot tell" */
	const char *verdict;
	const char *why;  /* of "cannot tell"; else "" */
	bool order_known; /* the order in which the dumps of both were recorded is known */
	bool regressed;   /* beyond the gate, where one is set */
};

/* An experiment that was not measured as it should have been. */
struct etc_summary_failure {
	struct etc_str experiment, code, why; /* code: empty where the run gave none */
	uint64_t threads, block;              /* block 0: all of them */
};

/* A pair that the run's configuration asks for. */
struct etc_summary_pair {
	struct etc_str base, candidate;
	uint64_t base_threads, candidate_threads;
	bool no_base, no_candidate; /* that side was not measured: it cannot be compared */
};

/* [gates] of the manifest, or their defaults. */
struct etc_summary_gates {
	double alpha, min_effect, regression; /* the last two as shares: 0.05 */
	bool regression_set;
};

struct etc_summary {
	const struct etc_run_folder *folder;
	const char *etrecord; /* NULL: none */
	uint8_t shown;        /* enum etc_category_profile of report.md */
	struct etc_summary_dump *dumps;
	uint32_t dump_count;
	struct etc_summary_experiment *experiments;
	uint32_t experiment_count;
	struct etc_summary_comparison *comparisons;
	uint32_t comparison_count;
	struct etc_summary_pair *pairs; /* declared; 0: those that names and roles tell */
	uint32_t pair_count;
	struct etc_summary_failure *failures;
	uint32_t failure_count;
	struct etc_summary_gates gates;
	double process_spread;         /* assumed where fewer dumps than it takes measure it */
	const struct etc_str *kernels; /* files of evidence about kernels */
	uint32_t kernel_count;
	struct etc_arena *arena;
};

/* Sums the dumps up to experiments, and pairs these as the manifest declares; where it does
 * not, the baseline is the one whose role it says, else the one called …_off, else the first,
 * at equal numbers of threads. E0904. */
enum etc_status etc_summary_finish(struct etc_summary *s, struct etc_error *err) ETC_MUST_CHECK;

/* What the exit status tells of it: E1073 a declared pair without a side, E1074 a candidate
 * beyond its gate. */
enum etc_status etc_summary_verdict(const struct etc_summary *s,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* analysis_summary.json: every key of both generations of the kit, and ours. */
void etc_summary_json(const struct etc_summary *s, struct etc_text *out);

/* report.md, and what a person sees at once. */
void etc_summary_markdown(const struct etc_summary *s, struct etc_text *out);
void etc_summary_text(const struct etc_summary *s, struct etc_text *out);

#endif
