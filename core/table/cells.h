/* cells.h -- makes cells of a table. */
#ifndef ETC_TABLE_CELLS_H
#define ETC_TABLE_CELLS_H

#include <math.h>

#include "base/exact.h"
#include "base/text.h"
#include "table/table.h"

static inline struct etc_cell etc_cell_blank(void)
{
	return (struct etc_cell){ .kind = ETC_CELL_BLANK };
}

/* Returns a cell with a text; a blank cell if the text is empty. */
static inline struct etc_cell etc_cell_text(struct etc_str s)
{
	return s.len ? ((struct etc_cell){ .kind = ETC_CELL_TEXT, .s = s }) : etc_cell_blank();
}

/* Returns a cell with a text, even if the text is empty. */
static inline struct etc_cell etc_cell_string(struct etc_str s)
{
	return (struct etc_cell){ .kind = ETC_CELL_TEXT, .s = s };
}

static inline struct etc_cell etc_cell_bytes(struct etc_span bytes)
{
	return (struct etc_cell){ .kind = ETC_CELL_BYTES,
		                  .s = { (const char *)bytes.ptr, bytes.len } };
}

static inline struct etc_cell etc_cell_int(int64_t v)
{
	return (struct etc_cell){ .kind = ETC_CELL_INT, .i = v };
}

static inline struct etc_cell etc_cell_uint(uint64_t v)
{
	return (struct etc_cell){ .kind = ETC_CELL_UINT, .u = v };
}

static inline struct etc_cell etc_cell_bool(bool b)
{
	return (struct etc_cell){ .kind = ETC_CELL_BOOL, .i = b };
}

static inline struct etc_cell etc_cell_u64(uint64_t v)
{
	return v > INT64_MAX ? etc_cell_uint(v) : etc_cell_int((int64_t)v);
}

/* Returns a cell with the ratio as a double; a blank cell if the ratio is unknown. */
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

/* Returns a cell with the number `v`; a blank cell if `v` is NaN. */
static inline struct etc_cell etc_cell_known(double v)
{
	return isnan(v) ? etc_cell_blank() : etc_cell_double(v);
}

static inline struct etc_cell etc_cell_word(const char *s)
{
	return etc_cell_text(etc_str_of(s));
}

/* Returns a cell with the list `items`, and with the text "a; b" for formats without lists. If
 * memory is exhausted, the cell's kind is UINT8_MAX. */
struct etc_cell etc_cell_list(struct etc_cell *items, uint32_t count, struct etc_arena *arena);

/* Sets `*bits` to the 8 bytes of a cell's number for a column of type INT, UINT or REAL. False: the
 * type cannot hold the number. */
bool etc_cell_bits(uint8_t type, const struct etc_cell *cell, uint64_t *bits);

/* Returns the bytes of a cell for a column of type TEXT (as UTF-8) or BYTES. They are a view into
 * the cell or into `fixed`, which is overwritten. */
struct etc_str etc_cell_utf8(uint8_t type, const struct etc_cell *cell, struct etc_text *fixed);

/* Returns a cell with a ratio: an integer if the ratio is a whole number, else the nearest double;
 * a blank cell if the ratio is unknown. */
struct etc_cell etc_cell_ratio(struct etc_ratio r);

#endif
