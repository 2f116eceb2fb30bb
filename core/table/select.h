/* select.h -- which rows of a table are shown, and in which order and columns:
 * `--where`, `--sort`, `--columns`.
 *
 *   COLUMN OP VALUE   OP: = != < <= > >= ~ (regular expression)
 *   COLUMN[:asc|:desc]
 *   COLUMN,COLUMN,…
 *
 * A column is named as in -o csv, a column of times also without "_ns", or by its heading on
 * the screen, with its unit ("p90 us") or without; upper and lower case are the same where
 * nothing else fits. Numbers may carry a unit: ns, us, ms, s for times; shares are percent. With
 * a unit, = compares what is shown: as many decimals as the value has. Text may be the machine's
 * or the screen's ("XnnpackBackend", "XNNPACK"), or its beginning as a narrow screen cuts it
 * ("Xnnp..."). Unknown is in no relation to anything but "". A word that is the name of a column
 * of words and the heading of one of numbers ("change") is the latter where a number is compared.
 * The heading of an interval is both its ends: all of it is below or above a number. */
#ifndef ETC_VIEW_SELECT_H
#define ETC_VIEW_SELECT_H

#include "base/error.h"
#include "base/notes.h"
#include "table/table.h"

struct etc_condition;

struct etc_selection {
	struct etc_condition *conditions;
	uint32_t condition_count;
	struct etc_str sort;           /* column; empty: as they are */
	int8_t direction;              /* of sort: 1 ascending, -1 descending, 0 as suits it */
	const struct etc_str *columns; /* names; count 0: all */
	uint32_t column_count;
	bool keeps_typed; /* a table of all columns keeps those that are only typed */
};

/* Was any of the three options given? */
static inline bool etc_selection_chosen(const struct etc_selection *s)
{
	return s->condition_count || s->sort.len || s->column_count;
}

/* Parses the three options (NULL: not given). Memory is the arena's, but for
 * regular expressions: release. E0507. */
enum etc_status etc_selection_parse(const char *const *where, uint32_t where_count,
                                    const char *sort, const char *columns, struct etc_arena *arena,
                                    struct etc_selection *out,
                                    struct etc_error *err) ETC_MUST_CHECK;
void etc_selection_release(struct etc_selection *s);

/* The rows that remain, in their order: *rows and *count. `block` groups rows
 * that stay together (one number per row, ascending), or NULL. Unknown columns
 * are E0506 with the nearest name, impossible units and relations E0507. */
enum etc_status etc_selection_rows(const struct etc_selection *s, const struct etc_table *t,
                                   const uint32_t *block, struct etc_arena *arena, uint32_t **rows,
                                   uint32_t *count, struct etc_error *err) ETC_MUST_CHECK;

/* A copy of the table with these rows, and the selected columns (all if none
 * were named). E0506. */
enum etc_status etc_selection_table(const struct etc_selection *s, const struct etc_table *t,
                                    const uint32_t *rows, uint32_t count, struct etc_arena *arena,
                                    struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

/* Reports values in conditions that no row has: N0530 with the values that exist. */
void etc_selection_remark(const struct etc_selection *s, const struct etc_table *t,
                          struct etc_notes *notes);

/* The column called `name` (see above). E0506 with all names. */
enum etc_status etc_table_column(const struct etc_table *t, struct etc_str name, uint32_t *column,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
