/* answer.h -- the result of `etcore analyze` while a caller still reads it (context/kept.h). It
 * consists of files, traces, reports and tables. A table is made when the caller first reads it.
 * The columns of samples are returned as views into the memory of the answer. */
#ifndef ETC_COMMANDS_ANALYZE_ANSWER_H
#define ETC_COMMANDS_ANALYZE_ANSWER_H

#include "commands/analyze/analyze.h"
#include "context/kept.h"
#include "context/output.h"
#include "commands/analyze/tracer.h"

/* The samples of a part, as columns of equal length. `event` and `run` are row numbers in the
 * tables EVENTS and RUNS. */
struct etc_sample_columns {
	size_t count;
	const uint32_t *event, *run;
	const uint64_t *start, *end; /* columns of the trace: raw ticks */
};

struct etc_answer {
	/* must be the first member: the library reads a kept answer through it (context/kept.h) */
	struct etc_kept kept;
	const struct etc_analyze_options *options;
	struct etc_session *session;
	struct etc_targets targets;
	struct etc_plan plan;
	struct etc_tracer tracer;
	const char **dumps;
	uint32_t dump_count;
	const char *etrecord, *program;
	struct etc_inputs *inputs; /* the input files of each dump */
	struct etc_part *parts;
	uint32_t part_count;

	/* `options` points to own_options, `session` to own_session. The members after them are the
	 * report of all parts, and the tables that are made on demand. */
	struct etc_analyze_options own_options;
	struct etc_session own_session;
	struct etc_report joined;
	bool is_joined;
	struct etc_typed_table tables[ETC_TABLE_COUNT];
	/* for each part, its columns of samples; NULL: not made yet */
	struct etc_sample_columns *samples;
};

/* Makes one report of all parts, after the analysis (analyze.c). E0904. */
enum etc_status etc_answer_join(struct etc_answer *a, struct etc_report *out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Concatenates one table of each part. Columns are matched by name. If there are several parts,
 * adds a column with the file. E0904. */
enum etc_status etc_answer_join_tables(struct etc_answer *a, const struct etc_table *of_parts,
                                       struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

/* Implements etc_kept_kind.make: makes the table `which` (answer_tables.c). The table SAMPLES gets
 * no cells; its values are in a->samples. */
enum etc_status etc_answer_make(struct etc_kept *a, uint32_t which,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Implements etc_kept_kind.row_times (answer_tables.c): writes the time that row `row` of the table
 * ROWS has in each run to `to`, and returns the number of times. Returns 0 in these cases: there
 * are more than `most` times; the row is that of a load; rows stand for runs, files or methods.
 * Must not be called for an answer with --sort. */
size_t etc_answer_row_times(const struct etc_kept *kept, uint32_t row, uint64_t *to, size_t most);

/* The columns of the table SAMPLES. */
enum { ETC_SAMPLE_EVENT, ETC_SAMPLE_RUN, ETC_SAMPLE_START, ETC_SAMPLE_END, ETC_SAMPLE_COLUMNS };
extern const struct etc_column etc_sample_columns[ETC_SAMPLE_COLUMNS];

#endif
