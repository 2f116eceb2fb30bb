/* tokens.h -- `etcore tokens`: the runs of a program that generates tokens in a loop.
 *
 *   command.c  runs the steps in order
 *   prefill_decode.c  decides which runs are prefill and which decode, and where a generation begins
 *   measure.c  times per token, rates, growth and drift
 *   operators.c the same operator in each kind of run
 *   runner.c   reads the statistics that a runner of LLMs prints, and compares
 *   sheet.c    the table, and the screen */
#ifndef ETC_COMMANDS_TOKENS_TOKENS_H
#define ETC_COMMANDS_TOKENS_TOKENS_H

#include "context/output.h"
#include "profile/plan.h"
#include "stats/growth.h"

struct etc_tokens_options {
	struct etc_common_options common; /* operands: dumps, and their record or program */
	struct etc_plan_options plan;
	struct etc_opt_list output;
	const char *etrecord, *program;
	bool no_siblings;
	const char *prefill, *generation; /* numbers of runs, as text */
	const char *stats;                /* log or JSON of the runner */
};

enum etc_token_role {
	ETC_TOKEN_RUN, /* not known whether it is prefill or decode */
	ETC_TOKEN_PREFILL,
	ETC_TOKEN_DECODE,
	ETC_TOKEN_OTHER /* a run of a method that is neither */
};

/* How the kinds of runs are distinguished. */
enum etc_token_told {
	ETC_TOLD_NOT,
	ETC_TOLD_OPTION,
	ETC_TOLD_NAMES,
	ETC_TOLD_PROGRAM,
	ETC_TOLD_LOGGED,
	ETC_TOLD_STATS,
	ETC_TOLD_PATHS
};

enum { ETC_TOKEN_KINDS = 8 };

struct etc_token_kind {
	/* name of the kind: "prefill", "decode", "run", or the name of a path */
	struct etc_str name;
	uint8_t role; /* enum etc_token_role */
	size_t runs;
};

/* One execution, in file order. Times are in ns, or in the profile's unit if that is not time. */
struct etc_token_run {
	uint32_t run, path, file, generation;
	uint8_t kind;
	uint64_t tokens; /* number of tokens that the run processes; 0: unknown */
	/* number of tokens of its generation before this run; if tokens are unknown, number of
	 * runs */
	uint64_t position;
	double start, took; /* start: since the first event of the trace */
};

/* The runner's report on one generation. Times are in `unit`; negative: unknown. */
struct etc_token_stats {
	double prompt_tokens, generated_tokens;
	double load, prompt, decode, inference;
	double unit; /* length of the unit in ns */
};

/* One number of the result. */
struct etc_token_row {
	struct etc_str kind, name; /* name: of an operator, else empty */
	const char *measure, *unit, *verdict;
	struct etc_str why;
	double share;
	/* the value is valid if `known`, the ends if `interval`; an infinite end: no limit */
	struct etc_growth_interval v;
	bool known, interval;
	size_t count; /* number of runs, generations or lines that it was computed from */
};

struct etc_tokens {
	const struct etc_tokens_options *o;
	struct etc_session *s;
	struct etc_plan plan;
	struct etc_targets targets;
	/* the rows that --where selects, with all columns */
	struct etc_table selected;
	uint32_t *shown, shown_count; /* indices of the selected rows */
	struct etc_inputs *inputs;
	uint32_t input_count;
	/* `joined`: trace of all dumps; `trace`: the same with the children of events that plugins
	 * expand */
	struct etc_trace joined, trace;
	uint32_t *file; /* per run of the trace: index of its dump; NULL: there is one dump */
	struct etc_profile_options profile_options;
	struct etc_profile paths; /* profile of all runs without rows */

	struct etc_token_run *runs;
	size_t run_count, generation_count;
	struct etc_token_kind kinds[ETC_TOKEN_KINDS];
	uint32_t kind_count;
	uint8_t told;       /* enum etc_token_told: which fact decided about prefill and decode */
	bool one_token;     /* each run takes one token, by the program's or the logged shapes */
	bool positions;     /* positions are numbers of tokens */
	struct etc_str how; /* `told` in words */

	struct etc_token_stats *stats;
	uint32_t stats_count;

	struct etc_token_row *rows;
	uint32_t row_count, row_room;
};

/* Adds a row; E0904. */
enum etc_status etc_tokens_add(struct etc_tokens *t, const struct etc_token_row *row,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Are times in ns? Rates and slopes exist only then. */
bool etc_tokens_in_ns(const struct etc_tokens *t);

/* Units. Times are in "ns" or the profile's unit; slopes are per 1,000 positions; rates count
 * tokens, or runs if tokens are unknown. */
enum { ETC_TOKENS_PER_SLOPE = 1000 };
const char *etc_tokens_unit(const struct etc_tokens *t);
const char *etc_tokens_slope_unit(const struct etc_tokens *t);
const char *etc_tokens_rate_unit(const struct etc_tokens *t);

/* The runs of a kind as columns. `which`: the indices of these runs. */
struct etc_token_column {
	struct etc_growth_runs of;
	uint32_t *which;
	size_t count;
	double *y, *position, *time;
	size_t *first;
};
enum etc_status etc_tokens_column(struct etc_tokens *t, uint32_t kind, struct etc_token_column *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* prefill_decode.c: fills runs, kinds, generations and positions. */
enum etc_status etc_tokens_classify(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_tokens_measure(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_tokens_operators(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;

/* Reads --stats. E1400: the file has no statistics of a runner, or damaged ones; and errors of
 * opening a file. */
enum etc_status etc_tokens_stats_read(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_tokens_stats_rows(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;

/* Writes `v`. If `unit` begins with "ns", `v` is in ns, and is written in s, ms, µs or ns, whichever
 * suits a time of `size` ns, with that unit. Otherwise writes only the number. */
void etc_tokens_put_amount(struct etc_text *out, double v, double size, const char *unit);

/* Applies --where to the rows, and sets `shown` and `selected`. Notes N0530: no row has a value
 * of --where. E0506, E0507, E0904. */
enum etc_status etc_tokens_select(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the rows: as one table for machine-readable formats, or as the blocks of the screen. */
enum etc_status etc_tokens_write(struct etc_tokens *t, struct etc_text *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
