/* cells.c -- see cells.h */
#include "table/cells.h"

#include <math.h>

#include "table/formats.h"

struct etc_cell etc_cell_ratio(struct etc_ratio r)
{
	uint64_t whole;

	if (r.den == 0)
		return etc_cell_blank();
	if (etc_ratio_whole(r, &whole))
		return etc_cell_u64(whole);
	return (struct etc_cell){ .kind = ETC_CELL_REAL, .f = etc_ratio_double(r) };
}

struct etc_cell etc_cell_list(struct etc_cell *items, uint32_t count, struct etc_arena *arena)
{
	struct etc_cell_list *list = etc_new(arena, struct etc_cell_list, 1);
	struct etc_text joined = { 0 };

	if (!items || !list)
		return (struct etc_cell){ .kind = UINT8_MAX };
	for (uint32_t i = 0; i < count; i++) {
		etc_text_cstr(&joined, i ? "; " : "");
		etc_write_plain(&joined, &items[i]);
	}
	*list = (struct etc_cell_list){ etc_text_keep(&joined, arena), items, count };
	return (struct etc_cell){ .kind = list->joined.ptr ? ETC_CELL_LIST : UINT8_MAX,
		                  .list = list };
}

bool etc_cell_bits(uint8_t type, const struct etc_cell *cell, uint64_t *bits)
{
	double f;

	if (!etc_cell_number(cell, &f))
		return false;
	if (type == ETC_CELL_REAL) {
		memcpy(bits, &f, sizeof f);
		return true;
	}
	*bits = cell->u;
	if (cell->kind == ETC_CELL_INT)
		return type == ETC_CELL_INT || cell->i >= 0;
	if (cell->kind == ETC_CELL_UINT)
		return type == ETC_CELL_UINT || cell->u <= INT64_MAX;
	/* The upper limits, 2^63 and 2^64, are exclusive. A double can represent these limits
	 * exactly, but not the largest integers below them. */
	if (f != floor(f) || f < (type == ETC_CELL_INT ? -0x1p63 : 0) ||
	    f >= (type == ETC_CELL_INT ? 0x1p63 : 0x1p64))
		return false;
	*bits = type == ETC_CELL_INT ? (uint64_t)(int64_t)f : (uint64_t)f;
	return true;
}

struct etc_str etc_cell_utf8(uint8_t type, const struct etc_cell *cell, struct etc_text *fixed)
{
	struct etc_str s = cell->s;

	fixed->len = 0;
	if (cell->kind != ETC_CELL_TEXT && cell->kind != ETC_CELL_BYTES)
		etc_write_plain(fixed, cell);
	else if (type == ETC_CELL_BYTES || etc_utf8_fault(s) == SIZE_MAX)
		return s;
	else
		etc_text_utf8(fixed, s);
	return etc_text_str(fixed);
}
