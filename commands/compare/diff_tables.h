/* diff_tables.h -- makes the report of `etcore diff` as tables.
 *
 * For programs: one table with a line per row and group ("etcore.diff/1", docs/diff.schema.json).
 * For the screen: a block per path with the end-to-end comparison, the rows that changed most, and
 * one line about the unchanged rows. */
#ifndef ETC_COMMANDS_COMPARE_DIFF_TABLES_H
#define ETC_COMMANDS_COMPARE_DIFF_TABLES_H

#include "base/error.h"
#include "commands/compare/compare.h"
#include "table/report.h"
#include "table/select.h"
#include "table/words.h"

struct etc_diff_screen {
	/* maximum number of changed rows in a table; 0: all rows are shown, including the unchanged
	 * ones */
	uint32_t top;
	double confidence; /* confidence level of the intervals */
	uint8_t unit;      /* unit of times on screen: enum etc_unit; UNKNOWN: chosen by size */
	const struct etc_selection *selection;
	struct etc_notes *notes; /* receives N0530: no row has a value of --where */
	bool lines;              /* a requested format shows the machine-readable table */
};

/* Which section, row and group a line of the machine-readable table is about. */
struct etc_diff_line {
	uint32_t section, row, group;
};

/* Returns the row's name as shown on the screen: "operator dispatch", "add.out (CPU)", "stem and 3
 * more". {NULL, 0}: out of memory. */
struct etc_str etc_diff_what(const struct etc_diff_row *row, struct etc_arena *arena);

/* Returns how the row's events in the groups [from, to) were matched, as the screen shows it:
 * "name". With `named`, the text also has the names of these events: "node: Fully Connected (NC,
 * F32) GEMM". {NULL, 0}: out of memory. */
struct etc_str etc_diff_match(const struct etc_diff_row *row, uint32_t from, uint32_t to,
                              bool named, struct etc_arena *arena);

/* Makes the table of all lines, in the order of sections, rows and groups. Sets *lines to the
 * section, row and group of each line. `confidence` is the level of the intervals. `typed`: the
 * table also has columns with the texts of the screen, so that --where accepts these. Lines are
 * made on demand (etc_table_row(), etc_table_fill()), so `diff` must stay valid. E0904. */
enum etc_status etc_view_diff_lines(const struct etc_diff *diff, double confidence, bool typed,
                                    struct etc_arena *arena, struct etc_table *out,
                                    struct etc_diff_line **lines,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Fills rows, blocks and dumps of the report. E0506, E0507, E0904. */
enum etc_status etc_view_diff(const struct etc_diff *diff, const struct etc_diff_screen *options,
                              struct etc_arena *arena, struct etc_report *report,
                              struct etc_report_diff *out, struct etc_error *err) ETC_MUST_CHECK;

/* Makes the blocks of the report, one per section. shown[i] is true if --where selects line i of
 * etc_view_diff_lines(). If `shown` is NULL, all lines are shown. E0904. */
enum etc_status etc_view_diff_screen(const struct etc_diff *diff,
                                     const struct etc_diff_screen *options, const bool *shown,
                                     struct etc_arena *arena, struct etc_report *report,
                                     struct etc_report_diff *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Makes the lines above the table of section `s`. The first line is the verdict on the second
 * group; *headline is set to this line, if `headline` is not NULL. E0904. */
enum etc_status etc_view_diff_head(const struct etc_diff *diff, const struct etc_diff_section *s,
                                   const struct etc_diff_screen *options, struct etc_arena *arena,
                                   struct etc_report_block *block, struct etc_str *headline,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Does loads[0] have the load time of every path? A baseline does not store which method a load
 * time belongs to. So the answer is yes only if the profile has a single load time, or a single
 * path. */
static inline bool etc_diff_knows_load(const struct etc_profile *p)
{
	return p->load_count && p->loads[0].valid && (p->load_count == 1 || p->path_count == 1);
}

/* Appends v / unit_ns with `decimals` digits after the point. With `sign`, a positive number gets a
 * "+". */
void etc_text_time(struct etc_text *t, double v, double unit_ns, int decimals, bool sign);

/* Appends a ratio, such as "0.415" or "3.74". A ratio near 1 gets enough digits to differ from 1:
 * "1.005". */
void etc_text_ratio(struct etc_text *t, double ratio);

/* Appends a p value: "0.0021", or "< 0.0001". */
void etc_text_p(struct etc_text *t, double p);

/* Returns the unit for the times of a section. The section's end-to-end time decides which unit. */
struct etc_scale etc_diff_scale(const struct etc_diff_section *s, uint32_t groups,
                                const struct etc_diff_screen *options);

/* Returns the heading of intervals, such as "95 % CI". NULL: out of memory. */
const char *etc_diff_interval_heading(double confidence, struct etc_arena *arena);

/* The heading of p after Holm's correction; this p decides significance. */
#define ETC_DIFF_P_HEADING "adj. p"

#endif
