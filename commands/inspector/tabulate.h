/* tabulate.h -- inside of the table that tabulate.c writes: what a column is, and one
 * cell as text.
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
	bool has_wide; /* some text is not as wide as it has bytes */
	int decimals;  /* behind the point, when numeric */
	size_t width;
	/* All cells are floats: this one of the statistics. Else NULL. */
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

/* A row, and room for its cells' texts. { 0 } before the first. */
struct etc_tab_row {
	uint32_t number;
	struct etc_frame_row at;
	struct etc_frame_widths widths;
	struct etc_text cell;
};

/* Goes to `number`, never to one before. */
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

/* _format: the value of a cell in a column whose type is known; a view of the cell, or
 * into r->cell until the next. */
struct etc_str etc_tab_format(const struct etc_tab *t, struct etc_tab_row *r, uint32_t column,
                              struct etc_frame_cell c);

/* Is the text of a cell plain to see, and one line of ASCII that is aligned as it is? Then it
 * is in `*s`; else false. */
bool etc_tab_is_plain(const struct etc_tab_column *column, const struct etc_frame_cell *cell,
                      struct etc_str *s);

/* The part of the text that is aligned. */
struct etc_str etc_tab_aligned(const struct etc_tab_column *c, struct etc_str s);

/* Places behind the point of a cell's text, -1: without. */
int etc_tab_behind(const struct etc_frame_cell *cell, struct etc_str s);

/* Next part of re.split("[\r\n]"). */
bool etc_tab_next_part(struct etc_str *rest, bool *last, struct etc_str *part);

/* Width of one line; of the widest. */
size_t etc_tab_line_width(const struct etc_tab *t, struct etc_str s);
size_t etc_tab_width(const struct etc_tab *t, struct etc_str s);

/* ---- tabulate_lines.c -------------------------------------------------------------- */

/* A line between rows, above or below them. */
struct etc_tab_rule {
	const char *left, *fill, *between, *right;
};

void etc_tab_rule(const struct etc_tab *t, struct etc_tab_rule rule, struct etc_text *out);
void etc_tab_header(const struct etc_tab *t, struct etc_text *out);

/* All rows of the table, a rule before each but the first. */
void etc_tab_rows(const struct etc_tab *t, struct etc_text *out);

#endif
