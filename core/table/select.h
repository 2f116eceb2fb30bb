/* select.h -- selects rows, order and columns of a table: `--where`, `--sort`, `--columns`.
 *
 *   COLUMN OP VALUE   OP: = != < <= > >= ~ (regular expression)
 *   COLUMN[:asc|:desc]
 *   COLUMN,COLUMN,…
 *
 * A column is named as in -o csv (a column of times also without "_ns"), or by its heading on
 * the screen, with its unit ("p90 us") or without; case is ignored if nothing else matches.
 * Numbers of times other than 0 need a unit (ns, us, ms, s), unless the name of the column ends
 * with "_ns" or the heading with its unit; shares are in percent. With a unit or decimals, =
 * compares the displayed value: with as many decimals as given. Text may be as in files or as
 * on screen ("XnnpackBackend", "XNNPACK", "tab\there"), or its truncated form on a narrow
 * screen ("Xnnp..."). Unknown values match only "". If a name fits a column of text and the heading of
 * a column of numbers ("change"), a comparison with a number means the latter. The heading of
 * an interval means both ends: the whole interval is below or above the number. */
#ifndef ETC_TABLE_SELECT_H
#define ETC_TABLE_SELECT_H

#include "base/error.h"
#include "base/notes.h"
#include "table/table.h"

struct etc_condition;

/* A number, converted from its unit. */
struct etc_quantity {
	double number; /* in ns, or as a share: 5 % is 0.05 */
	/* half a unit in the last digit of the number: values that differ from it by less are
	 * displayed alike */
	double within;
	bool share;
};

/* Parses a number with a unit: "5 ms", "0.5us", "5 %". False: there is no number, or another
 * unit. */
bool etc_quantity_parse(struct etc_str text, struct etc_quantity *out);

struct etc_selection {
	struct etc_condition *conditions;
	uint32_t condition_count;
	struct etc_str sort; /* column; empty: the table's order */
	/* 1: ascending; -1: descending; 0: the default for the column */
	int8_t direction;
	const struct etc_str *columns; /* names; count 0: all */
	uint32_t column_count;
	/* if no columns are named, columns with `typed` (struct etc_column) are kept, too */
	bool keeps_typed;
};

/* Was any of the three options given? */
static inline bool etc_selection_chosen(const struct etc_selection *s)
{
	return s->condition_count || s->sort.len || s->column_count;
}

/* Parses the values of the three options; NULL: not given. Memory is the arena's, except that of
 * regular expressions: etc_selection_release() must be called, also after an error. E0505, E0506,
 * E0507, E0551, E0552, E0904. */
enum etc_status etc_selection_parse(const char *const *where, uint32_t where_count,
                                    const char *sort, const char *columns, struct etc_arena *arena,
                                    struct etc_selection *out,
                                    struct etc_error *err) ETC_MUST_CHECK;
void etc_selection_release(struct etc_selection *s);

/* Sets `*rows` to the indices of the selected rows, in the requested order, and `*count` to their
 * number. `block` has an ascending number for each row: rows with the same number stay together;
 * NULL: the table has no such groups. E0506: unknown column, with the nearest name. E0507:
 * impossible unit or relation. E0550: ambiguous percentage. E0904. */
enum etc_status etc_selection_rows(const struct etc_selection *s, const struct etc_table *t,
                                   const uint32_t *block, struct etc_arena *arena, uint32_t **rows,
                                   uint32_t *count, struct etc_error *err) ETC_MUST_CHECK;

/* Sets `*out` to a copy of the table with these rows and with the selected columns; all columns if
 * none were named. E0506, E0904. */
enum etc_status etc_selection_table(const struct etc_selection *s, const struct etc_table *t,
                                    const uint32_t *rows, uint32_t count, struct etc_arena *arena,
                                    struct etc_table *out, struct etc_error *err) ETC_MUST_CHECK;

/* Reports N0530: no row has the value of the condition `text`. The note lists the distinct texts in
 * that column of the table `values`. If there is no text, nothing is reported. */
void etc_remark_value(struct etc_str text, const struct etc_table *values, uint32_t column,
                      struct etc_notes *notes);

/* Reports N0530 if a condition has a value that no row has, and lists the values that exist. */
void etc_selection_remark(const struct etc_selection *s, const struct etc_table *t,
                          struct etc_notes *notes);

/* Finds the column called `name`, as described at the top of this file. E0506 with the nearest
 * name, or else with all names. */
enum etc_status etc_table_column(const struct etc_table *t, struct etc_str name, uint32_t *column,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
