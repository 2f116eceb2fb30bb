/* tabulate.h -- private to the table that tabulate.c writes: a column, and one cell as text.
 *
 * Three passes over the rows: types, widths, lines. Scratch memory of a row is in struct
 * etc_tab_row. */
#ifndef ETC_INSPECTOR_TABULATE_H
#define ETC_INSPECTOR_TABULATE_H

#include "commands/inspector/celltype.h"
#include "commands/inspector/frame.h"

struct etc_tab_column {
	struct etc_str header;
	enum etc_tab_type type;
	bool numeric;  /* aligned to the right */
	bool has_wide; /* a text's width differs from its number of bytes */
	int decimals;  /* digits after the point, if numeric */
	size_t width;
	/* all cells are this statistic, a float; else NULL */
	const uint8_t *stat;
	/* numbers in [usual, large) cannot widen the column */
	double usual, large;
};

struct etc_tab {
	const struct etc_frame *f;
	struct etc_tab_column *columns; /* [0] is the index */
	uint32_t count;
	bool multiline, invisible;
};

/* A row, and memory for its cells' texts. { 0 } before the first. */
struct etc_tab_row {
	uint32_t number;
	struct etc_frame_row at;
	struct etc_frame_widths widths;
	struct etc_text cell;
};

/* Moves to `number`, which must not be before the current row. */
static inline void etc_tab_go(const struct etc_tab *t, struct etc_tab_row *r, uint32_t number)
{
	r->number = number;
	etc_frame_go(t->f, &r->at, number);
}

/* ---- tabulate_cell.c ------------------------------------------------------------- */

struct etc_frame_cell etc_tab_cell(const struct etc_tab *t, const struct etc_tab_row *r,
                                   uint32_t column);

/* _type of a cell. */
enum etc_tab_type etc_tab_type_of(const struct etc_frame_cell *c);

/* _format: the text of a cell in a column of known type; a view of the cell, or in r->cell
 * until the next call. */
struct etc_str etc_tab_format(const struct etc_tab *t, struct etc_tab_row *r, uint32_t column,
                              struct etc_frame_cell c);

/* Is the text of a cell one line of ASCII that needs no formatting? Then `*s` is set to it. */
bool etc_tab_is_plain(const struct etc_tab_column *column, const struct etc_frame_cell *cell,
                      struct etc_str *s);

/* The part of the text that is aligned. */
struct etc_str etc_tab_aligned(const struct etc_tab_column *c, struct etc_str s);

/* Number of digits after the point in a cell's text, -1: no point. */
int etc_tab_behind(const struct etc_frame_cell *cell, struct etc_str s);

/* Next part of re.split("[\r\n]"). */
bool etc_tab_next_part(struct etc_str *rest, bool *last, struct etc_str *part);

/* Width of one line; of the widest. */
size_t etc_tab_line_width(const struct etc_tab *t, struct etc_str s);
size_t etc_tab_width(const struct etc_tab *t, struct etc_str s);

/* ---- tabulate_lines.c -------------------------------------------------------------- */

/* A line above, between or below rows. */
struct etc_tab_rule {
	const char *left, *fill, *between, *right;
};

void etc_tab_rule(const struct etc_tab *t, struct etc_tab_rule rule, struct etc_text *out);
void etc_tab_header(const struct etc_tab *t, struct etc_text *out);

/* Writes all rows of the table, with a rule before each except the first. */
void etc_tab_rows(const struct etc_tab *t, struct etc_text *out);

#endif
