/* select.h -- selects rows, order and columns of a table: `--where`, `--sort`, `--columns`.
 *
 *   COLUMN OP VALUE   OP: = != < <= > >= ~ (regular expression)
 *   COLUMN[:asc|:desc]
 *   COLUMN,COLUMN,…
 *
 * COLUMN is a name as in -o csv (the name of a column of times may omit "_ns"), or a heading of the
 * screen, with its unit ("p90 us") or without. If nothing matches exactly, case is ignored. Times
 * other than 0 need a unit (ns, us, ms, s). No unit is needed if COLUMN itself has one: a name that
 * ends with "_ns", or a heading with its unit. Shares are in percent. If VALUE has a unit or
 * decimals, = compares with the value as displayed, with as many decimals as VALUE has. A text may
 * be written as in files or as on the screen ("XnnpackBackend", "XNNPACK", "tab\there"), also in
 * its truncated form ("Xnnp..."). Unknown values match only "". If COLUMN is both the name of a
 * column of texts and the heading of a column of numbers ("change"), a number as VALUE selects the
 * column of numbers. The heading of an interval stands for both of its ends: the whole interval
 * must be below or above the number. */
#ifndef ETC_TABLE_SELECT_H
#define ETC_TABLE_SELECT_H

#include "base/error.h"
#include "base/notes.h"
#include "table/table.h"

struct etc_condition;

/* A number that was given with a unit, after the conversion. */
struct etc_quantity {
	double number; /* in ns; a share as a fraction: 5 % is 0.05 */
	/* half a unit in the last digit of the number as given: a value that differs by less is
	 * displayed as the same number */
	double within;
	bool share;
};

/* Parses a number with a unit: "5 ms", "0.5us", "5 %". False: the text has no number, no unit or an
 * unknown unit. */
bool etc_quantity_parse(struct etc_str text, struct etc_quantity *out);

struct etc_selection {
	struct etc_condition *conditions;
	uint32_t condition_count;
	/* name of the column by which rows are sorted; empty: rows keep the table's order */
	struct etc_str sort;
	/* 1: ascending; -1: descending; 0: the default for the column */
	int8_t direction;
	/* names of the columns to show; column_count 0: all columns */
	const struct etc_str *columns;
	uint32_t column_count;
	/* if no columns are named, columns that are `typed` (struct etc_column) are also kept */
	bool keeps_typed;
};

/* Was --where, --sort or --columns given? */
static inline bool etc_selection_chosen(const struct etc_selection *s)
{
	return s->condition_count || s->sort.len || s->column_count;
}

/* Parses the values of the three options; NULL: the option was not given. Regular expressions are
 * not in the arena, so the caller must call etc_selection_release(), also after an error. E0505,
 * E0506, E0507, E0551, E0552, E0904. */
enum etc_status etc_selection_parse(const char *const *where, uint32_t where_count,
                                    const char *sort, const char *columns, struct etc_arena *arena,
                                    struct etc_selection *out,
                                    struct etc_error *err) ETC_MUST_CHECK;
void etc_selection_release(struct etc_selection *s);

/* Sets `*rows` to the indices of the selected rows, in the requested order, and `*count` to their
 * number. `block` has a number for each row, in ascending order; rows with the same number stay
 * together. NULL: any order of the rows is allowed. E0506: unknown column, with the nearest name.
 * E0507: impossible unit or relation. E0550: ambiguous percentage. E0904. */
enum etc_status etc_selection_rows(const struct etc_selection *s, const struct etc_table *t,
                                   const uint32_t *block, struct etc_arena *arena, uint32_t **rows,
                                   uint32_t *count, struct etc_error *err) ETC_MUST_CHECK;

/* Sets `*out` to a copy of the table with the `count` rows in `rows` and the selected columns; all
 * columns if none were named. E0506, E0904. */
enum etc_status etc_selection_table(const struct etc_selection *s, const struct etc_table *t,
                                    const uint32_t *rows, uint32_t count, struct etc_arena *arena,
                                    struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

/* Reports N0530: no row has the value of the condition `text`. The note lists the distinct texts of
 * column `column` in the table `values`. If the column has no text, nothing is reported. */
void etc_remark_value(struct etc_str text, const struct etc_table *values, uint32_t column,
                      struct etc_notes *notes);

/* Reports N0530 for a condition with a value that no row of `t` has, and lists the values that
 * exist. */
void etc_selection_remark(const struct etc_selection *s, const struct etc_table *t,
                          struct etc_notes *notes);

/* Finds the column called `name`, as described at the top of this file. E0506: there is none; the
 * message has the most similar name, or all names if none is similar. */
enum etc_status etc_table_column(const struct etc_table *t, struct etc_str name, uint32_t *column,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
