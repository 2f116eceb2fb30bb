/* layout.h -- the texts of a table's cells, prepared for a screen or page: with one unit for all
 * times, the titles with that unit, and the widths of the columns. */
#ifndef ETC_TABLE_LAYOUT_H
#define ETC_TABLE_LAYOUT_H

#include "base/text.h"
#include "table/table.h"

struct etc_layout {
	const struct etc_table *t;
	struct etc_text cells; /* texts of all cells */
	/* position of each cell's text in `cells`, row by row, and the end of the last one */
	size_t *at;
	size_t *width; /* for each column, the width of its widest cell or title */
	bool *shown;   /* for each column: is it shown? false: all its cells are empty */
	/* for each column, its title with the unit of times, or with unprintable characters
	 * escaped; NULL: the title of the table's column is used */
	const char **titles;
	double unit_ns; /* unit of the columns TIME and BOUND, in ns */
	const char *unit;
	int decimals;
	/* index of the column "path"; column_count: there is none. Rows without a path (loads of
	 * methods) do not count when the unit is chosen and when bars are drawn. */
	uint32_t path;
};

/* Makes the layout of the table in `arena`. `unit_ns` is the unit of all times (1, 1e3 …); 0: the
 * unit that suits the largest time. Returns false if memory is exhausted. In any case l->cells must
 * be released. */
bool etc_layout_make(struct etc_layout *l, const struct etc_table *t, double unit_ns,
                     struct etc_arena *arena);

struct etc_str etc_layout_cell(const struct etc_layout *l, uint32_t row, uint32_t column);

/* Returns a column's title. For a column of times it contains the unit, unless a column of bounds
 * follows: then only the title of the column of bounds contains the unit. */
struct etc_str etc_layout_title(const struct etc_layout *l, uint32_t column);

/* Is this a column of bounds ("+4.2 us")? Such a column belongs to the column of times before it,
 * and its title has the unit of both columns. */
static inline bool etc_is_unit_place(const struct etc_column *c)
{
	return c->style == ETC_STYLE_BOUND;
}

#endif
