/* cells.c -- see cells.h */
#include "table/cells.h"

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
