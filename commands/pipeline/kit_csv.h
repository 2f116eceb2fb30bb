/* kit_csv.h -- makes the tables of Arm's profiling kit, with the kit's names and columns: timelines
 * and operator statistics of one dump (etdump_to_csv), and the analyses of a timeline
 * (analyze_etdump_csv, robust_latency_analysis). They equal the kit's tables byte for byte, except
 * where the kit leaves the order of rows undefined.
 *
 * The tables also reproduce what is misleading in the kit, such as shares of a sum that counts
 * nested rows twice, and run indices that start again in each event block. docs/pipeline.md lists
 * these points. */
#ifndef ETC_COMMANDS_PIPELINE_KIT_CSV_H
#define ETC_COMMANDS_PIPELINE_KIT_CSV_H

#include "base/text.h"
#include "commands/pipeline/kit_stats.h"

/* An event of the Inspector, in the order of its data frame. */
struct etc_kit_event {
	/* ptr is NULL for debug values without a profile event, which have no name */
	struct etc_str name;
	struct etc_str backend, block;
	double mean_ms;                       /* mean over the event's runs; nan: no times */
	size_t runs;                          /* 0: no times */
	const double *start_us, *duration_ms; /* arrays of `runs` */
};

struct etc_kit_dump {
	struct etc_str id; /* model_id: the dump's name without its suffix */
	const struct etc_kit_event *events;
	uint32_t count;
	struct etc_arena *arena; /* scratch memory for the functions below */
};

/* The type of functions that write one of the kit's files. Each function needs another struct as
 * `what`; its comment says which one. If out of memory, out->failed is set. */
typedef void etc_kit_writer(const void *what, struct etc_text *out);

/* Returns the value of the column `type`, which is made from the name: without surrounding blanks
 * and quotes, and without the last " #" and the text after it. */
struct etc_str etc_kit_type(struct etc_str name);

/* Write <id>_exec_all_runs_timeline.csv, <id>_exec_run0_timeline.csv and <id>_exec_ops_stats.csv;
 * `what` is a struct etc_kit_dump. In the last one, rows with equal totals are ordered by type,
 * then by backend. */
etc_kit_writer etc_kit_all_runs_csv, etc_kit_run0_csv, etc_kit_ops_stats_csv;

/* ---- analyses of a timeline -------------------------------------------------------- */

struct etc_kit_category {
	const char *name; /* a category of the list of categories "kit-v2" (categories.h) */
	double total_ms, avg_ms, pct_of_e2e;
	uint32_t operators; /* number of distinct names of operators in the category */
};

struct etc_kit_operator {
	struct etc_str name;
	const char *category;
	double total_ms, avg_ms, pct_of_e2e;
	/* number of the operator's events, each of which is a row of the timeline */
	size_t events;
	/* index of the operator's first event; operators with equal times are ordered by this
	 * index */
	uint32_t first;
};

struct etc_kit_analysis {
	struct etc_str id;
	/* number of different run indices among the Method::execute rows of the timeline. If it is
	 * 0, the kit reports an error */
	size_t runs;
	/* one latency per run index: the sum of the times of all executions with this index */
	const double *latency_ms;
	double total_ms, avg_ms, min_ms, max_ms;
	struct etc_kit_robust robust;
	const struct etc_kit_category *categories; /* slowest first */
	uint32_t category_count;
	const struct etc_kit_operator *operators; /* slowest first */
	uint32_t operator_count;
};

/* Analyses the numbers that the kit reads back from its CSV; they may differ from the numbers of
 * the dump in the last digit. E0904. */
enum etc_status etc_kit_analyse(const struct etc_kit_dump *d, struct etc_kit_analysis *out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Write <id>_category_summary.csv, _operator_details.csv, _e2e_latency.csv, _other_top_ops.csv
 * (which is empty unless an operator has the category OTHER) and
 * _exec_all_runs_timeline_robust_stats.json; `what` is a struct etc_kit_analysis. The JSON has null
 * for nan, whereas the kit writes NaN, which is not valid JSON. */
etc_kit_writer etc_kit_category_summary_csv, etc_kit_operator_details_csv, etc_kit_e2e_latency_csv,
	etc_kit_other_top_ops_csv, etc_kit_robust_json;

/* Two dumps to compare. */
struct etc_kit_pair {
	const struct etc_kit_analysis *base, *candidate;
	const char *base_name, *candidate_name;
};

/* Write <candidate>_comparison.csv and <baseline>_vs_<candidate>_robust_comparison.json; `what` is
 * a struct etc_kit_pair. */
etc_kit_writer etc_kit_comparison_csv, etc_kit_robust_comparison_json;

#endif
