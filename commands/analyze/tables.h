/* tables.h -- makes what the screen shows of a profile: the head, a ranked table or a tree of
 * modules, and the foot. */
#ifndef ETC_COMMANDS_ANALYZE_TABLES_H
#define ETC_COMMANDS_ANALYZE_TABLES_H

#include "base/error.h"
#include "model/profile.h"
#include "profile/screen.h"

/* The range [from, to) of rows of one path in a profile; `path` may be ETC_PROFILE_LOAD. */
struct etc_row_range {
	uint32_t path;
	size_t from, to;
};

/* The rows of a path that --where left out: their number, and the sum of their self times. */
struct etc_hidden_rows {
	size_t count;
	etc_u128 self;
};

struct etc_screen_options {
	/* maximum number of rows of a table; 0: all. If there are more rows, the line "N more"
	 * follows */
	uint32_t top;
	/* the columns to show, as indices of the columns of `rows`: the columns that --columns
	 * names, else the columns of --roofline. column_count is 0 if neither option was given */
	const uint32_t *columns;
	uint32_t column_count;
	/* true for the columns of --roofline: the table shows their headings instead of their
	 * names */
	bool titled;
	bool tree; /* rows are modules, shown as a tree */
	/* the shown rows as the table for formats such as CSV and JSON. The cells of a row are
	 * computed when the row is read */
	const struct etc_table *rows;
};

/* Fills blocks and block_count of the report. The head lines are made from `profile`. The rows are
 * those of `shown`, which is the same profile with rows by the key of --by. `all` is `shown` before
 * --where removed rows. E0904. */
enum etc_status etc_view_screen(const struct etc_profile *profile, const struct etc_profile *all,
                                const struct etc_profile *shown,
                                const struct etc_screen_options *options, struct etc_arena *arena,
                                struct etc_report *report, struct etc_error *err) ETC_MUST_CHECK;

/* Makes the ranked table of the attached rows (the rows that are not detached). Below these rows,
 * lines show the sum of the rows after the first `top`, the sum of the hidden rows, and the time
 * that belongs to no row. E0904. */
enum etc_status etc_view_ranked(const struct etc_profile *profile,
                                const struct etc_row_range *range,
                                const struct etc_hidden_rows *hidden,
                                const struct etc_screen_options *options, struct etc_arena *arena,
                                struct etc_table *table, struct etc_error *err) ETC_MUST_CHECK;

/* Calls put_foot() once for each line of the foot of a path, which shows the time that belongs to
 * no row. */
typedef void etc_view_line_fn(void *to, struct etc_str what, etc_u128 time);
void etc_view_foot(const struct etc_profile *profile, const struct etc_profile_path *path,
                   struct etc_arena *arena, etc_view_line_fn *put_foot, void *to);

/* Returns the text about the rows that --where left out, such as "3 left out by --where". */
struct etc_str etc_view_hidden(const struct etc_hidden_rows *hidden, struct etc_arena *arena);

/* Makes the tree of modules of the attached rows, each module with its exclusive and its inclusive
 * time, followed by the lines about the time that belongs to no row. E0904. */
enum etc_status etc_view_tree(const struct etc_profile *profile, const struct etc_row_range *range,
                              const struct etc_hidden_rows *hidden, uint32_t top,
                              struct etc_arena *arena, struct etc_table *table,
                              struct etc_error *err) ETC_MUST_CHECK;

/* ETC_TYPED_COLUMNS is the number of columns of etc_view_typed_columns(). Columns that are marked
 * FIRST in ranked_columns.def come before columns that are marked LAST. Within each group, the
 * order is that of the file. */
enum {
	ETC_TYPED_NO = 0,
	ETC_TYPED_FIRST = 1,
	ETC_TYPED_LAST = 1,
	ETC_TYPED_COLUMNS = 0
#define COLUMN(id, key, heading, style, optional, right, typed, foot, value) +ETC_TYPED_##typed
#include "commands/analyze/ranked_columns.def"
};

/* Fills `columns` with the columns that only the screen has. --where, --sort and --columns accept
 * the headings of these columns, in addition to the names of the columns of etc_view_rows(). The
 * cells have the same text as on the screen. Returns the index of the column with the library that
 * an annotator named. */
uint32_t etc_view_typed_columns(const struct etc_profile *profile,
                                struct etc_column columns[ETC_TYPED_COLUMNS]);

/* State that etc_view_typed() keeps between rows. Initialise it with { 0 } before the first row. */
struct etc_standing {
	const struct etc_profile_row *last;
	uint32_t rank;
	etc_u128 sum; /* sum of the self times of the rows so far */
};

/* Fills, for one row, the cells of the columns of etc_view_typed_columns(). Call it for all rows in
 * the order of the profile: "#" is the row's position in its path, "sum" the sum of the shares of
 * this row and of those before it. */
void etc_view_typed(const struct etc_profile *profile, const struct etc_profile_row *row,
                    struct etc_standing *standing, struct etc_arena *arena,
                    struct etc_cell cells[ETC_TYPED_COLUMNS]);

/* Returns a word for what executed the row, such as "XNNPACK" or "CPU" (etc_row_place()). Empty if
 * rows stand for groups of events, such as modules. */
struct etc_str etc_view_place(const struct etc_profile *profile, const struct etc_profile_row *row);

/* Returns the heading that the ranked table has for the column that is called `name` in CSV and
 * JSON. NULL if the ranked table has no such column, or out of memory. */
const char *etc_view_heading(const struct etc_profile *profile, const char *name,
                             struct etc_arena *arena);

/* Makes the table of the detached rows [from, to): the first `top` of these rows (0: all), then a
 * line with the number of the remaining rows. E0904. */
enum etc_status etc_view_detached(const struct etc_profile *profile, size_t from, size_t to,
                                  uint32_t top, struct etc_arena *arena, struct etc_table *table,
                                  struct etc_error *err) ETC_MUST_CHECK;

#endif
