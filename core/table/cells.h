/* cells.h -- makes cells of a table. */
#ifndef ETC_VIEW_CELLS_H
#define ETC_VIEW_CELLS_H

#include "base/exact.h"
#include "table/table.h"

static inline struct etc_cell etc_cell_blank(void)
{
	return (struct etc_cell){ .kind = ETC_CELL_BLANK };
}

/* Blank if the text is empty. */
static inline struct etc_cell etc_cell_text(struct etc_str s)
{
	return s.len ? ((struct etc_cell){ .kind = ETC_CELL_TEXT, .s = s }) : etc_cell_blank();
}

static inline struct etc_cell etc_cell_bool(bool b)
{
	return (struct etc_cell){ .kind = ETC_CELL_BOOL, .i = b };
}

static inline struct etc_cell etc_cell_u64(uint64_t v)
{
	if (v > INT64_MAX)
		return (struct etc_cell){ .kind = ETC_CELL_UINT, .u = v };
	return (struct etc_cell){ .kind = ETC_CELL_INT, .i = (int64_t)v };
}

/* A number as double; blank if unknown. */
static inline struct etc_cell etc_cell_real(struct etc_ratio r)
{
	if (r.den == 0)
		return etc_cell_blank();
	return (struct etc_cell){ .kind = ETC_CELL_REAL, .f = etc_ratio_double(r) };
}

static inline struct etc_cell etc_cell_double(double v)
{
	return (struct etc_cell){ .kind = ETC_CELL_REAL, .f = v };
}

static inline struct etc_cell etc_cell_word(const char *s)
{
	return etc_cell_text(etc_str_of(s));
}

/* A ratio: an integer if it is one, else the nearest double; blank if unknown. */
struct etc_cell etc_cell_ratio(struct etc_ratio r);

#endif
