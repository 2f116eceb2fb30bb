/* tokens.h -- `etcore tokens`: analyses the runs of a program that generates tokens in a loop.
 *
 *   command.c         runs the steps in order
 *   prefill_decode.c  decides which runs are prefill and which decode, and where generations begin
 *   measure.c         computes times per token, rates, growth and drift
 *   operators.c       compares the same operator in different kinds of runs
 *   runner.c          reads the statistics that a runner of LLMs prints, and compares them
 *   sheet.c           makes the machine-readable table, and the screen */
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
	/* values of --prefill and --generation: numbers of runs, as text */
	const char *prefill, *generation;
	/* value of --stats: path of a log or JSON of the runner */
	const char *stats;
};

enum etc_token_role {
	ETC_TOKEN_RUN, /* it is unknown whether the run is prefill or decode */
	ETC_TOKEN_PREFILL,
	ETC_TOKEN_DECODE,
	ETC_TOKEN_OTHER /* a run of a method that is neither for prefill nor for decode */
};

/* How the runs were divided into prefill and decode. */
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

/* One execution. Executions are in file order. Times are in ns, or in the unit of the profile if
 * that unit is not a time (but cycles, for example). */
struct etc_token_run {
	uint32_t run, path, file, generation;
	uint8_t kind;
	uint64_t tokens; /* number of tokens that the run processes; 0: unknown */
	/* number of tokens that earlier runs of the same generation processed; if numbers of tokens
	 * are unknown, the number of these runs */
	uint64_t position;
	double start, took; /* start: time since the first event of the trace; took: duration */
};

/* What the runner reports about one generation. Times are in `unit`; a negative value is
 * unknown. */
struct etc_token_stats {
	double prompt_tokens, generated_tokens;
	double load, prompt, decode, inference;
	double unit; /* length of the unit of these times, in ns */
};

/* One number of the result. */
struct etc_token_row {
	/* `name` is the name of an operator; it is empty if the row is not about an operator */
	struct etc_str kind, name;
	const char *measure, *unit, *verdict;
	struct etc_str why;
	double share;
	/* v.value is valid if `known` is set; the ends of the interval are valid if `interval` is
	 * set. An infinite end means that there is no limit */
	struct etc_growth_interval v;
	bool known, interval;
	/* number of runs, of generations, or of lines that the runner printed, from which the row
	 * was computed */
	size_t count;
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
	/* `joined`: the traces of all dumps, joined; `trace`: `joined` with the expanded events of
	 * plugins */
	struct etc_trace joined, trace;
	uint32_t *file; /* per run of the trace: index of its dump; NULL: there is one dump */
	struct etc_profile_options profile_options;
	struct etc_profile paths; /* profile of all runs; made without rows */

	struct etc_token_run *runs;
	size_t run_count, generation_count;
	struct etc_token_kind kinds[ETC_TOKEN_KINDS];
	uint32_t kind_count;
	/* enum etc_token_told: how the runs were divided into prefill and decode */
	uint8_t told;
	/* each run processes one token, according to the shapes in the program or the logged
	 * shapes */
	bool one_token;
	bool positions;     /* positions count tokens; false: they count runs */
	struct etc_str how; /* sentence that says how the runs were divided */

	struct etc_token_stats *stats;
	uint32_t stats_count;

	struct etc_token_row *rows;
	uint32_t row_count, row_room;
};

/* Adds a row; E0904. */
enum etc_status etc_tokens_add(struct etc_tokens *t, const struct etc_token_row *row,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Are times in ns? If not, there are no rates and no slopes. */
bool etc_tokens_in_ns(const struct etc_tokens *t);

/* The units of rows. Times are in "ns" or in the profile's unit. Slopes are per 1,000 positions.
 * Rates count tokens, or runs if numbers of tokens are unknown. */
enum { ETC_TOKENS_PER_SLOPE = 1000 };
const char *etc_tokens_unit(const struct etc_tokens *t);
const char *etc_tokens_slope_unit(const struct etc_tokens *t);
const char *etc_tokens_rate_unit(const struct etc_tokens *t);

/* The runs of one kind, as columns. `which`: the indices of these runs in t->runs. */
struct etc_token_column {
	struct etc_growth_runs of;
	uint32_t *which;
	size_t count;
	double *y, *position, *time;
	size_t *first;
};
enum etc_status etc_tokens_column(struct etc_tokens *t, uint32_t kind, struct etc_token_column *out,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* prefill_decode.c: sets the runs, the kinds of runs, the generations and the positions. */
enum etc_status etc_tokens_classify(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_tokens_measure(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_tokens_operators(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;

/* Reads the file of --stats. E1400: the file contains no statistics of a runner, or the statistics
 * are damaged. Also returns the errors of opening a file. */
enum etc_status etc_tokens_stats_read(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_tokens_stats_rows(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;

/* Writes `v`. If `unit` begins with "ns", `v` is in ns; it is converted to the unit (s, ms, µs or
 * ns) that suits a time of `size` ns, and written with that unit. Otherwise writes only the
 * number. */
void etc_tokens_put_amount(struct etc_text *out, double v, double size, const char *unit);

/* Applies --where to the rows, and sets `shown` and `selected`. Reports N0530 if no row has a value
 * that --where names. E0506, E0507, E0904. */
enum etc_status etc_tokens_select(struct etc_tokens *t, struct etc_error *err) ETC_MUST_CHECK;

/* Writes the rows. A machine-readable format, such as CSV, gets one table; the screen gets
 * several. */
enum etc_status etc_tokens_write(struct etc_tokens *t, struct etc_text *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
