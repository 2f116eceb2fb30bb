/* table.c -- see table.h */
#include "table/table.h"

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
