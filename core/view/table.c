/* table.c -- see table.h */
#include "view/table.h"

enum etc_status etc_table_fill(struct etc_table *t, struct etc_arena *arena, struct etc_error *err)
{
	struct etc_cell *cells;

	if (t->cells || !t->make)
		return ETC_OK;
	cells = etc_new(arena, struct etc_cell, (size_t)t->row_count * t->column_count);
	if (!cells)
		return etc_fail(err, E0904, "%u rows", t->row_count);
	for (uint32_t r = 0; r < t->row_count; r++)
		t->make(t->of, r, cells + (size_t)r * t->column_count);
	t->cells = cells;
	return ETC_OK;
}
