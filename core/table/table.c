/* table.c -- see table.h */
#include "table/table.h"

uint8_t etc_column_type(const struct etc_column *c)
{
	struct etc_str name = etc_str_of(c->name);

	if (c->cell != ETC_CELL_BLANK)
		return c->cell;
	if (c->style == ETC_STYLE_JSON)
		return ETC_CELL_TEXT;
	if ((c->style != ETC_STYLE_PLAIN && c->style != ETC_STYLE_LIST) ||
	    etc_str_ends(name, ETC_STR("_ns")) || etc_str_ends(name, ETC_STR("_raw")))
		return ETC_CELL_REAL;
	return c->right ? ETC_CELL_INT : ETC_CELL_TEXT;
}

enum etc_status etc_table_make(struct etc_table *t, const struct etc_column *columns,
                               uint32_t column_count, uint32_t row_count, struct etc_arena *arena,
                               struct etc_error *err)
{
	struct etc_cell *cells = etc_new(arena, struct etc_cell, (size_t)row_count * column_count);

	*t = (struct etc_table){ .columns = columns,
		                 .column_count = column_count,
		                 .cells = cells,
		                 .row_count = row_count };
	ETC_NEED(cells, err);
	return ETC_OK;
}

enum etc_status etc_table_fill(struct etc_table *t, struct etc_arena *arena, struct etc_error *err)
{
	struct etc_cell *cells;

	if (t->cells || !t->make)
		return ETC_OK;
	cells = etc_new(arena, struct etc_cell, (size_t)t->row_count * t->column_count);
	ETC_NEED(cells, err);
	for (uint32_t r = 0; r < t->row_count; r++)
		t->make(t->of, r, cells + (size_t)r * t->column_count);
	t->cells = cells;
	return ETC_OK;
}

struct etc_str etc_list_head(struct etc_str list, uint32_t *more)
{
	size_t first = etc_str_find(list, ETC_STR(", "), 0);
	uint32_t commas = 0;

	for (size_t at = first; at != SIZE_MAX; at = etc_str_find(list, ETC_STR(", "), at + 2))
		commas++;
	*more = commas > 2 ? commas : 0;
	return *more ? etc_str_sub(list, 0, first) : list;
}
