/* summary.h -- the data of `etcore pipeline report` by dump and by experiment, and the functions
 * that write the documents.
 *
 * Times are sums of integers over the counted executions, in 1/den ns. So this equation holds
 * exactly, and is checked for every dump and every experiment:
 *
 * end to end = leaves + delegate overhead + operator overhead + framework
 *
 * The leaves are the times of the rows that are neither operator overhead nor framework, summed by
 * category. */
#ifndef ETC_COMMANDS_PIPELINE_SUMMARY_H
#define ETC_COMMANDS_PIPELINE_SUMMARY_H

#include "base/exact.h"
#include "commands/pipeline/folder.h"
#include "commands/pipeline/kit_csv.h"
#include "stats/compare.h"

/* The categorisers: sets of rules that give each event a category. */
enum etc_category_profile { ETC_PROFILE_ETCORE, ETC_PROFILE_V1, ETC_PROFILE_V2, ETC_PROFILES };
/* names of the categorisers (sets of rules that give each event a category): "etcore" … */
extern const char *const etc_profile_names[ETC_PROFILES];

struct etc_leaf {
	struct etc_str category;
	etc_u128 time;
};

struct etc_leaves {
	struct etc_leaf *v;
	uint32_t count, room;
};

/* Adds `time` to the leaf that has this category; makes the leaf if there is none. False: out of
 * memory. */
bool etc_leaves_add(struct etc_leaves *l, struct etc_str category, etc_u128 time,
                    struct etc_arena *arena);

/* An operator of an experiment: all events with the same name. */
struct etc_summary_operator {
	struct etc_str name, category, backend;
	etc_u128 time;
	uint64_t calls;
};

/* Sums of times over executions, in 1/den ns. */
struct etc_breakdown {
	size_t executions; /* number of executions that count: those that are not set aside */
	size_t set_aside;  /* number of executions that are set aside as warm-up */
	uint64_t den;
	etc_u128 end_to_end, delegate_overhead, rounding, operator_overhead, framework;
	etc_u128 delegated; /* inclusive time of DELEGATE_CALLs */
	/* time of events whose times were not measured by the runtime's clock; not part of
	 * end_to_end */
	etc_u128 detached;
	struct etc_leaves leaves[ETC_PROFILES];
};

/* Converts a time from 1/from ns to 1/to ns. The result is exact if `to` is a multiple of
 * `from`. */
static inline etc_u128 etc_breakdown_parts(etc_u128 time, uint64_t from, uint64_t to)
{
	return time / from * to + time % from * to / from;
}

/* Is end_to_end exactly the sum leaves + delegate_overhead + operator_overhead + framework, for
 * each of the ETC_PROFILES sets of leaves? */
bool etc_breakdown_holds(const struct etc_breakdown *b);

/* Converts a sum of times over all executions to ms per execution. */
double etc_breakdown_ms(const struct etc_breakdown *b, etc_u128 sum);

/* A dump in the run folder. */
struct etc_summary_dump {
	const struct etc_folder_entry *entry;
	struct etc_str id; /* the dump's file name without extension */
	struct etc_str experiment;
	uint64_t threads;
	/* position of the dump in the order of recording of the whole run, from 1; 0: unknown */
	uint64_t order;
	uint32_t of;        /* index of the dump's experiment */
	const char *sha256; /* SHA-256 of the dump; NULL: it cannot be read */
	/* why the dump does not count; N0180: it is a copy of another dump. The code is
	 * ETC_CODE_NONE if the dump counts */
	struct etc_error why;
	struct etc_error kit_why; /* why the kit's tables could not be made */
	struct etc_breakdown times;
	double load_ms; /* time of Program::load_method; negative: unknown */
	/* the latency of each execution that is not set aside (times.executions) */
	const double *latency_ms;
	const char *timeline, *all_runs, *stats; /* paths of the tables; NULL: not made */
	uint32_t rows;                           /* number of rows of the Inspector's table */
	/* names of the categories, in the order in which the kit adds up their times (kit_ms).
	 * Items after the last category are NULL */
	const char *kit_category[5];
	double kit_ms[5];
	/* how often "__neonsme2", "sme2" and "neon" occur in the names of all rows */
	uint32_t hints[3];
	/* the kit's analysis of the dump, without the list of operators; `runs` is 0 if it was not
	 * made */
	struct etc_kit_analysis kit;
};

/* An experiment at one number of threads. */
struct etc_summary_experiment {
	/* label: the name, followed by "_t<T>" if there are several numbers of threads */
	struct etc_str name, label;
	uint64_t threads;
	/* before etc_summary_finish(), only times.den is set. The times of `operators` are in 1/den
	 * ns */
	struct etc_breakdown times;
	const struct etc_summary_operator *operators; /* slowest first */
	uint32_t operator_count;
	uint32_t dumps; /* number of dumps; a copy of another dump is not counted */
	/* a number of threads that a log names and that differs from `threads`; only set if
	 * `other_threads` is true */
	uint32_t told_threads;
	bool other_threads;
	size_t latency_count; /* number of latencies of all dumps of the experiment */
	/* statistics of the latencies; count 0: there are no latencies */
	struct etc_kit_robust robust;
};

struct etc_summary_comparison {
	uint32_t base, candidate; /* indices of experiments */
	struct etc_comparison end_to_end;
	/* how the candidate differs from the base: "faster"; "slower"; "negligible": the difference
	 * is below min_effect_pct; "no difference": the whole interval is within the regression
	 * that the gates allow; "cannot tell" */
	const char *verdict;
	const char *why; /* reason for the verdict "cannot tell"; else "" */
	/* If the two experiments have dumps with the same bytes: `shared` is such a dump of the
	 * base, `shared_with` the equal dump of the candidate. Otherwise both are NULL */
	const struct etc_summary_dump *shared, *shared_with;
	/* the order in which the dumps of both experiments were recorded is known */
	bool order_known;
	bool regressed; /* slower than the regression gate allows; false if there is no gate */
};

/* Returns the interval that decided the verdict, for printing. It is an interval of the ratio. If
 * no change is claimed, the interval includes the assumed spread between processes. Returns NULL if
 * no interval is known; if the interval excludes 1, although no change is claimed; if an end is not
 * positive; or if one end is more than a hundred times the other. */
const struct etc_interval *etc_summary_interval(const struct etc_comparison *c);

/* An experiment of which nothing, or only a part, was measured. */
struct etc_summary_failure {
	struct etc_str experiment, code, why; /* code: empty if the run has no code for it */
	uint64_t threads, block;              /* block 0: all blocks */
};

/* A pair of experiments that are compared. It was declared by the configuration. For a regression
 * gate, it may instead have been found by names and roles. */
struct etc_summary_pair {
	struct etc_str base, candidate;
	uint64_t base_threads, candidate_threads;
	bool no_base, no_candidate; /* the base, or the candidate, was not measured */
};

/* The gates in the manifest's section [gates], or their defaults. */
struct etc_summary_gates {
	double alpha;
	double min_effect, regression; /* as fractions: 0.05 is 5 % */
	bool regression_set;
};

struct etc_summary {
	const struct etc_run_folder *folder;
	const char *etrecord; /* NULL: none */
	uint8_t shown;        /* the categories that report.md shows: enum etc_category_profile */
	struct etc_summary_dump *dumps;
	uint32_t dump_count;
	struct etc_summary_experiment *experiments;
	uint32_t experiment_count;
	struct etc_summary_comparison *comparisons;
	uint32_t comparison_count;
	/* the pairs that the configuration declares or, if `by_name`, the pairs that follow from
	 * names and roles; pair_count 0: there are no pairs */
	struct etc_summary_pair *pairs;
	uint32_t pair_count;
	/* the configuration did not declare the pairs; they follow from names and roles. They are
	 * needed for a regression gate, which requires that both sides of each pair were
	 * measured */
	bool by_name;
	struct etc_summary_failure *failures;
	uint32_t failure_count;
	/* experiments whose configuration asked for no ETDump */
	struct etc_str *dumpless;
	uint32_t dumpless_count;
	struct etc_summary_gates gates;
	/* contradiction: the first contradiction that was found between files of the run;
	 * contradiction_count: number of all contradictions */
	struct etc_str contradiction;
	uint32_t contradiction_count;
	/* options of comparisons; their level of significance is that of the gates */
	struct etc_compare_options compare;
	/* paths of the tables that were written about micro-kernels */
	const struct etc_str *kernels;
	uint32_t kernel_count;
	struct etc_text page; /* the page for -o html; else empty */
	struct etc_arena *arena;
};

/* Adds up the dumps of each experiment, and compares the pairs that the manifest declares. If it
 * declares none, compares each experiment with the baseline at the same number of threads. The
 * baseline is the experiment with the role baseline; if there is none, the experiment whose name
 * ends with _off or -off; else the first experiment. An experiment with another role is never the
 * baseline. E0904. */
enum etc_status etc_summary_finish(struct etc_summary *s, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the status of the command. E1073: a side of a pair in s->pairs was not measured. (With a
 * regression gate, s->pairs includes pairs that follow from names and roles.) E1074: a candidate is
 * slower than its regression gate allows. */
enum etc_status etc_summary_verdict(const struct etc_summary *s,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Write analysis_summary.json (with every key of both generations of the kit, and more), report.md,
 * and a short form of report.md for the screen. */
void etc_summary_json(const void *summary, struct etc_text *out);
void etc_summary_markdown(const void *summary, struct etc_text *out);
void etc_summary_text(const struct etc_summary *s, struct etc_text *out);

#endif
