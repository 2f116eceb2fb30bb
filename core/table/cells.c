/* cells.c -- see cells.h */
#include "table/cells.h"

struct etc_cell etc_cell_ratio(struct etc_ratio r)
{
	uint64_t whole;

	if (r.den == 0)
		return etc_cell_blank();
	if (etc_ratio_whole(r, &whole))
		return etc_cell_u64(whole);
	return (struct etc_cell){ .kind = ETC_CELL_REAL, .f = etc_ratio_double(r) };
}
