/* diff_tables.h -- the answer of `etcore diff` as tables.
 *
 * For machines one table with a line per row and group ("etcore.diff/1", the form
 * of docs/diff.schema.json); for people a screen per path: what became of the
 * whole, then what changed most, what did not change in one line. */
#ifndef ETC_VIEW_DIFF_H
#define ETC_VIEW_DIFF_H

#include "base/error.h"
#include "commands/compare/compare.h"
#include "table/report.h"
#include "table/select.h"
#include "table/words.h"

struct etc_diff_screen {
	uint32_t top;      /* changed rows of a table; 0: all rows, unchanged ones too */
	double confidence; /* of the intervals */
	uint8_t unit;      /* of times on screen: enum etc_unit; UNKNOWN: as fits */
	const struct etc_selection *selection;
	bool lines; /* a format for machines wants every comparison */
};

/* Where a line of the table for machines comes from. */
struct etc_diff_line {
	uint32_t section, row, group;
};

/* All lines: sections, rows and groups in their order. `confidence`: of the intervals. A line is made when it is asked for
 * (etc_table_row(), etc_table_fill()), as long as `diff` is there. E0904. */
enum etc_status etc_view_diff_lines(const struct etc_diff *diff, double confidence,
                                    struct etc_arena *arena, struct etc_table *out,
                                    struct etc_diff_line **lines,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Fills rows, blocks and dumps of the report. E0506, E0507, E0904. */
enum etc_status etc_view_diff(const struct etc_diff *diff, const struct etc_diff_screen *options,
                              struct etc_arena *arena, struct etc_report *report,
                              struct etc_report_diff *out, struct etc_error *err) ETC_MUST_CHECK;

/* The blocks of the report: one per section. `shown[line]` of the machines' lines
 * tells which --where left, in the order of `lines`; NULL: all. E0904. */
enum etc_status etc_view_diff_screen(const struct etc_diff *diff,
                                     const struct etc_diff_screen *options, const bool *shown,
                                     struct etc_arena *arena, struct etc_report *report,
                                     struct etc_report_diff *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* The lines above a section's table, and for the first one the sentence that says
 * it all. E0904. */
enum etc_status etc_view_diff_head(const struct etc_diff *diff, const struct etc_diff_section *s,
                                   const struct etc_diff_screen *options, struct etc_arena *arena,
                                   struct etc_report_block *block, struct etc_str *headline,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* A number of the column of times, with a sign if asked for. */
void etc_text_time(struct etc_text *t, double v, double unit_ns, int decimals, bool sign);

/* Is the interval of the difference one to show? Not where no change was found although it
 * does not hold 0: after Holm's correction, or by the test of the ranks, it says too much. */
bool etc_diff_shows_interval(const struct etc_diff_row *row, uint32_t group);

/* "0.415", "3.74"; near 1 with as many digits as tell it from 1: "1.005". */
void etc_text_ratio(struct etc_text *t, double ratio);

/* "0.0021", "< 0.0001". */
void etc_text_p(struct etc_text *t, double p);

/* The unit of a section's times: of its ends. */
struct etc_scale etc_diff_scale(const struct etc_diff_section *s, uint32_t groups,
                                const struct etc_diff_screen *options);

/* The heading of intervals: "95 % CI". NULL: no memory. */
const char *etc_diff_interval_heading(double confidence, struct etc_arena *arena);

/* The heading of p as significance rests on it, after Holm's correction. */
#define ETC_DIFF_P_HEADING "adj. p"

#endif
