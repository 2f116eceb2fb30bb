/* layout.h -- a table as text cells, before it is written as a screen or page: one unit
 * for all times, titles with that unit, and column widths. */
#ifndef ETC_WRITE_LAYOUT_H
#define ETC_WRITE_LAYOUT_H

#include "base/text.h"
#include "table/table.h"

struct etc_layout {
	const struct etc_table *t;
	struct etc_text cells; /* texts of all cells */
	/* offset of each cell's text in `cells`, row by row; one more for the end of the last */
	size_t *at;
	size_t *width; /* per column: width of the widest cell or title */
	bool *shown;   /* false: all cells of the column are empty */
	/* titles with the unit of times added, or escaped; NULL: the column's own title */
	const char **titles;
	double unit_ns; /* unit of the TIME and BOUND columns */
	const char *unit;
	int decimals;
	/* index of the column of paths; column_count: none. Rows without a path (loads) do not
	 * count where times are compared */
	uint32_t path;
};

/* Lays the table out in `arena`. `unit_ns` is the unit of all times (1, 1e3 …); 0: the unit that
 * suits the largest time. False when memory is exhausted. Release `cells`. */
bool etc_layout_make(struct etc_layout *l, const struct etc_table *t, double unit_ns,
                     struct etc_arena *arena);

struct etc_str etc_layout_cell(const struct etc_layout *l, uint32_t row, uint32_t column);

/* A column's title. That of a column of times contains the unit, unless a column of bounds follows,
 * whose title then shows it. */
struct etc_str etc_layout_title(const struct etc_layout *l, uint32_t column);

/* Is it a column of bounds ("+4.2 us")? It follows the column of the bounded times, and its title
 * shows the unit of both. */
static inline bool etc_is_unit_place(const struct etc_column *c)
{
	return c->style == ETC_STYLE_BOUND;
}

#endif
