/* analysis.h -- gets the answer of `analyze` inside another command: its tables and notes.
 *
 * The calling command passes on the options that it has in common with `analyze` (ask.h). So its
 * numbers equal those that `analyze` prints. */
#ifndef ETC_CONTEXT_ANALYSIS_H
#define ETC_CONTEXT_ANALYSIS_H

#include "context/ask.h"
#include "context/kept.h"
#include "context/session.h"
#include "table/report.h"

/* The tables of one answer. The answer stays open until the command has written its report, because
 * cells of the report are views into the tables. */
struct etc_analysis {
	struct etc_kept *kept;
	/* the tables of the answer: ETC_TABLE_ROWS, ETC_TABLE_PATHS, ETC_TABLE_RUNS and
	 * ETC_TABLE_FILES of kept.h */
	const struct etc_table *rows, *paths, *runs, *files;
	struct etc_analysis *next;
};

struct etc_analyses {
	struct etc_asker asker;
	struct etc_session *session;
	struct etc_opt_list operands;
	struct etc_analysis *first; /* list of the answers, the latest first */
};

/* Opens the operands once, so that every answer is computed from the same bytes, even if an operand
 * is a pipe. `asker` (ask.h) describes the calling command: its options, their values, and the
 * names of options that are not passed on to `analyze`. `session` must be configured. Call
 * etc_analyses_release() even after an error. E0533, E0901, E0904. */
enum etc_status etc_analyses_begin(struct etc_analyses *a, const struct etc_asker *asker,
                                   const struct etc_opt_list *operands, struct etc_session *session,
                                   struct etc_error *err) ETC_MUST_CHECK;
void etc_analyses_release(struct etc_analyses *a);

/* Gets the tables of one more answer, computed with the additional options `more` (ended by a row
 * without a name). E0904, and errors of `analyze`. */
enum etc_status etc_analyses_ask(struct etc_analyses *a, const struct etc_ask_option *more,
                                 const struct etc_analysis **out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Moves the notes of all answers to the session, and passes them to `reply`. After the report is
 * written, the caller must call etc_session_end(), which returns W0226 if an answer is from a part
 * of a dump only (--salvage). */
enum etc_status etc_analyses_report(struct etc_analyses *a, bool strict,
                                    const struct etc_reply *reply,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Lists the files of an answer for a report. With `hashes`, also computes their SHA-256. E0904. */
enum etc_status etc_analysis_files(struct etc_analyses *a, const struct etc_analysis *of,
                                   bool hashes, const struct etc_report_file **out, uint32_t *count,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Returns the cell of a row in the column called `column`. The cell is blank if its value is
 * unknown, or if the table has no such column or row. */
const struct etc_cell *etc_analysis_cell(const struct etc_table *t, uint32_t row,
                                         const char *column);

/* Return the value of a cell as a number (NAN: unknown) or as a text (empty: unknown). */
double etc_analysis_number(const struct etc_table *t, uint32_t row, const char *column);
struct etc_str etc_analysis_text(const struct etc_table *t, uint32_t row, const char *column);

/* A row's time is a mean over runs. Writes the row's time in each of these runs to `to`, which has
 * room for `most` times, in the order of the runs. Returns the number of times; 0: they are
 * unknown. The answer must come from a call of etc_analyses_ask() without --sort. */
size_t etc_analysis_times(const struct etc_analysis *a, uint32_t row, uint64_t *to, size_t most);

/* Is the time of the row part of the time of the path? It is if the row is not detached, and has
 * the same method, path and file. */
bool etc_analysis_in_path(const struct etc_table *rows, uint32_t row, const struct etc_table *paths,
                          uint32_t path);

/* Is the row detached, and does it have the same method, path and file as the path? */
bool etc_analysis_detached(const struct etc_table *rows, uint32_t row,
                           const struct etc_table *paths, uint32_t path);

#endif
